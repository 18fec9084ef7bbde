import { toAsciiJson } from '../../record/json.ts'
import type { Visibility } from '../../record/state.ts'
import { toZoned } from '../../record/timestamp.ts'
import type { ChangeDetails, ChangeLogEntry, ChangesPage, FeedEntry } from '../../store/change-log.ts'

/** A page of changes as server-sent events, for callers of one visibility. */
export interface EventsPage {
  /** All events, in ASCII. */
  readonly text: string
  readonly events: readonly EventSpan[]
}

/** One event within the text. */
interface EventSpan {
  readonly seq: number
  /** The author; null if these callers must not see it. */
  readonly by: string | null
  readonly length: number
}

export function toEventsPage({ changes, store }: ChangesPage, visibility: Visibility): EventsPage {
  const visible = visibility === 'all' ? changes : changes.filter(({ isPublic }) => isPublic)
  const texts = visible.map((change) => toEventText(store, change, visibility))
  const events = visible.map(({ seq, details }, i) => ({ seq, by: details?.by ?? null, length: texts[i]?.length ?? 0 }))
  return { text: texts.join(''), events }
}

/** A change as clients see it; with its details only for callers who see everything (decision 55). */
export function toFeedEntry(change: ChangeLogEntry, visibility: Visibility): FeedEntry & Partial<ChangeDetails> {
  const { seq, id, version, at, kind, details } = change
  return { seq, id, version, at: toZoned(at), kind, ...(visibility === 'all' ? details : null) }
}

/** What a client sends as `Last-Event-ID` when it reconnects: the store, and the last change it has seen. */
export const toEventId = (store: string, seq: number) => `${store}.${seq}`

function toEventText(store: string, change: ChangeLogEntry, visibility: Visibility): string {
  return `id: ${toEventId(store, change.seq)}\ndata: ${toAsciiJson(toFeedEntry(change, visibility))}\n\n`
}
