import { Refused, requireRead } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { type Cursor, toCursorValues } from '../../record/query/ordering.ts'
import { fromBody, fromBodyText, parseRecordId, type VideoRecord } from '../../record/record.ts'
import type { SiteDeps } from '../../site/site.ts'
import { type TalkPages, toTalkPages, type Urls } from '../../site/urls.ts'
import type { ListPage } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { parseNamedList, toListName, type WorkQuery } from './list-query.ts'
import { findEventOfTalk } from './read-list.ts'

/** The work list in the URL; null outside a list. */
export const readList = (call: Call) => call.query().get('list') || null

/** The pages of the talk that is open. */
export function readTalkPages(call: Call<'id'>, urls: Urls): TalkPages {
  return toTalkPages(urls, Number(call.params.id), readList(call))
}

/** The position of the open talk in a work list. */
export interface ListPlace {
  /** The name of the list, as in the URL. */
  readonly list: string
  /** The talk that was open before. */
  readonly from: number | null
  /** Whether the person has just asked for the next talk, and there is none. */
  readonly isEnd: boolean
  /** The title of the event that the list is narrowed to; absent if it is not known. */
  readonly event?: string
  /** Absent if the list was not read, or cannot be read. */
  readonly next?: NextInList
  readonly before?: BeforeInList
}

/** Null outside a list. */
export function readListPlace(call: Call): ListPlace | null {
  const list = readList(call)
  const from = parseRecordId(call.query().get('from') ?? '')
  return list === null ? null : { list, from, isEnd: call.query().get('end') === '1' }
}

export async function findListPlace(
  call: Call,
  deps: SiteDeps,
  { id, category }: Pick<VideoRecord, 'id' | 'category'>,
): Promise<ListPlace | null> {
  const place = readListPlace(call)
  if (place === null) return null
  const next = await orNull(findNext(deps, place.list, id))
  const before = await orNull(findBefore(deps, place.list, id))
  const event = await findEventOfTalk(deps.store, new URLSearchParams(place.list), category)
  return {
    ...place,
    ...(event === null ? {} : { event }),
    ...(next === null ? {} : { next }),
    ...(before === null ? {} : { before }),
  }
}

export const tryNext = (...search: Parameters<typeof findNext>): Promise<NextInList | null> =>
  orNull(findNext(...search))

/** Null if reading the list fails or takes too long: that must not prevent opening or saving a talk. */
async function orNull<Found>(search: Promise<Found>): Promise<Found | null> {
  try {
    return await search
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

export interface NextInList {
  /** Null at the end of the list. */
  readonly next: number | null
  /** How many records the list has now. */
  readonly count: number
}

/**
 * The record that follows this one in a work list, even if this one has left the list: records are compared by the
 * values of the order, not by position (decision 60). `shown` is the record as the list had it; the default is the
 * stored record. An invalid list has no records. Lists include drafts, which all curators may see.
 */
export async function findNext(
  { store }: { readonly store: Pick<ReadStore, 'list' | 'read'> },
  list: string,
  id: number,
  shown?: Pick<VideoRecord, 'added' | 'updated' | 'recorded' | 'title' | 'duration' | 'id'>,
): Promise<NextInList> {
  const parsed = parseNamedList(new URLSearchParams(toListName(new URLSearchParams(list))))
  if (!parsed.ok) return { next: null, count: 0 }
  const stored = shown === undefined ? await store.read(id) : null
  const record = shown ?? (stored === null ? null : fromBody(stored.body))
  const { order } = parsed.query
  const page: Cursor = record === null ? { is: 'start' } : { is: 'after', values: toCursorValues(order, record) }
  // Two, because the record itself may come later now.
  const query: WorkQuery = { ...parsed.query, page, pageSize: 2, fields: ['id'] }
  const found = requireRead(await store.list(query))
  return { next: toIds(found).find((nextId) => nextId !== id) ?? null, count: found.count }
}

/** What comes before a record in a list. */
export interface BeforeInList {
  /** Null at the start of the list. */
  readonly previous: number | null
  /** The number of the record, from 1; null if the list does not have it (any more). */
  readonly position: number | null
}

/** Counts from the end, because cursors go forward only. An invalid list has no records. */
export async function findBefore(
  { store }: { readonly store: Pick<ReadStore, 'list' | 'read' | 'countAfter'> },
  list: string,
  id: number,
): Promise<BeforeInList> {
  const parsed = parseNamedList(new URLSearchParams(toListName(new URLSearchParams(list))))
  const stored = await store.read(id)
  if (!parsed.ok || stored === null) return { previous: null, position: null }
  const values = toCursorValues(parsed.query.order, fromBody(stored.body))
  const query: WorkQuery = { ...parsed.query, page: { is: 'after', values }, pageSize: 2, fields: ['id'] }
  const { count, after } = requireRead(await store.countAfter(query))
  const last = count - after
  const page: Cursor = { is: 'skip', count: Math.max(0, last - 2) }
  const ids = toIds(requireRead(await store.list({ ...query, page }))).slice(0, Math.min(2, last))
  if (ids.at(-1) !== id) return { previous: ids.at(-1) ?? null, position: null }
  return { previous: ids.at(-2) ?? null, position: last }
}

/** Two ids are never too large together. */
const toIds = ({ records }: ListPage) => (records ?? []).map((text) => fromBodyText(text).id)
