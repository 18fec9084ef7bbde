import { toAsciiJson } from '../../record/json/body-bytes.ts'
import {
  type ChangeLogEntry,
  type ChangesPage,
  type EventsPage,
  toEventId,
  toFeedEntry,
} from '../../store/change-log.ts'

/** Made where it was read: each HTTP thread tells the same changes to hundreds, and others wait while it does. */
export function toEventsPage({ changes, last, store }: ChangesPage): EventsPage {
  const texts = changes.map((change) => toEventText(store, change))
  const marks = changes.map(({ seq, isPublic }, i) => [seq, texts[i]?.length ?? 0, isPublic ? 1 : 0] as const)
  return { text: texts.join(''), marks, last, store }
}

/** One event; a client that comes back sends its id. */
function toEventText(store: string, change: ChangeLogEntry): string {
  return `id: ${toEventId(store, change.seq)}\ndata: ${toAsciiJson(toFeedEntry(change))}\n\n`
}
