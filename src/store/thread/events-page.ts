import { toAsciiJson } from '../../record/json-body.ts'
import { type ChangesPage, type EventsPage, type LoggedChange, toShownChange } from '../log.ts'

/** Made where it was read: each HTTP thread tells the same changes to hundreds, and others wait while it does. */
export function toEventsPage({ changes, last }: ChangesPage): EventsPage {
  const texts = changes.map(toEventText)
  const marks = changes.map(({ seq, isPublic }, i) => [seq, texts[i]?.length ?? 0, isPublic ? 1 : 0] as const)
  return { text: texts.join(''), marks, last }
}

/** One event; a client that comes back sends its id. */
function toEventText(change: LoggedChange): string {
  return `id: ${change.seq}\ndata: ${toAsciiJson(toShownChange(change))}\n\n`
}
