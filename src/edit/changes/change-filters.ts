import { requireRead } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { parseRecordId } from '../../record/record.ts'
import type { Parameters } from '../../site/urls.ts'
import type { ActivityCursor } from '../../store/change-log.ts'
import type { ReadStore } from '../../store/store.ts'
import { changesTexts } from './changes-texts.ts'

/** An event that changes are narrowed to. */
export interface FilteredEvent {
  readonly slug: string
  readonly title: string
}

/** What a list of changes is narrowed to, as its address says. */
export interface ChangeFilters {
  readonly by: string | null
  readonly event: FilteredEvent | null
  readonly batch: number | null
  readonly day: string | null
  readonly cursor: ActivityCursor | null
  /** As typed, for the form. */
  readonly typed: { readonly event: string; readonly day: string }
  /** What is wrong with it; no changes are listed then. */
  readonly problems: readonly string[]
}

const { changes: texts } = changesTexts

/** Reads the filters of a request. An event is named by its slug or its title. */
export async function readFilters(call: Call, store: ReadStore): Promise<ChangeFilters> {
  const query = call.query()
  const typed = { event: (query.get('category') ?? '').trim(), day: (query.get('day') ?? '').trim() }
  const event = typed.event === '' ? null : await findEvent(store, typed.event)
  const isDay = typed.day === '' || isRealDay(typed.day)
  const by = (query.get('by') ?? '').trim()
  return {
    by: by === '' ? null : by,
    event,
    batch: parseRecordId(query.get('batch') ?? ''),
    day: isDay && typed.day !== '' ? typed.day : null,
    cursor: parseCursor(query.get('cursor') ?? ''),
    typed,
    problems: [
      ...(typed.event !== '' && event === null ? [texts.noEvent(typed.event)] : []),
      ...(isDay ? [] : [texts.badDay]),
    ],
  }
}

async function findEvent(store: ReadStore, text: string): Promise<FilteredEvent | null> {
  const bySlug = requireRead(await store.findCategory({ slug: text, visibility: 'all' }))
  if (bySlug !== null) return bySlug.row
  const slug = requireRead(await store.findCategorySlugs([text])).get(text)
  const byTitle = slug === undefined ? null : requireRead(await store.findCategory({ slug, visibility: 'all' }))
  return byTitle === null ? null : byTitle.row
}

function isRealDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** `12_2026-11-17T04:30:00.000_1`; anything else is the beginning. */
function parseCursor(text: string): ActivityCursor | null {
  const [, seq, at = '', shown] = /^(\d{1,16})_([\d:.T-]{1,23})_(\d{1,9})$/.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), at, shown: Number(shown) }
}

const toCursorText = ({ seq, at, shown }: ActivityCursor) => `${seq}_${at}_${shown}`

/** The parameters of a list with the same filters. */
export function toParameters({ by, event, batch, day }: ChangeFilters, cursor: ActivityCursor | null): Parameters {
  return { by, category: event?.slug, batch, day, cursor: cursor === null ? null : toCursorText(cursor) }
}
