import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { ChangeLogEntry, ChangesPage, FeedEntry } from '../../store/change-log.ts'

/** A page of changes as server-sent events. */
export interface EventsPage {
  /** All events, in ASCII. */
  readonly text: string
  readonly events: readonly EventSpan[]
  readonly last: number
  readonly store: string
}

/** One event within the text. */
export interface EventSpan {
  readonly seq: number
  readonly length: number
  readonly isPublic: boolean
}

export function toEventsPage({ changes, last, store }: ChangesPage): EventsPage {
  const texts = changes.map((change) => toEventText(store, change))
  const events = changes.map(({ seq, isPublic }, i) => ({ seq, length: texts[i]?.length ?? 0, isPublic }))
  return { text: texts.join(''), events, last, store }
}

/** A change as clients see it. */
export function toFeedEntry({ seq, id, version, at, kind }: ChangeLogEntry): FeedEntry {
  return { seq, id, version, at, kind }
}

/** What a client sends as `Last-Event-ID` when it reconnects: the store, and the last change it has seen. */
export const toEventId = (store: string, seq: number) => `${store}.${seq}`

function toEventText(store: string, change: ChangeLogEntry): string {
  return `id: ${toEventId(store, change.seq)}\ndata: ${toAsciiJson(toFeedEntry(change))}\n\n`
}
