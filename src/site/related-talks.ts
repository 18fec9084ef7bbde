import { requireRead } from '../http/read-problems.ts'
import type { ReadStore } from '../store/store.ts'
import { toPageQuery } from './list-query.ts'
import { findTalks, type Talk } from './talk.ts'

/** Other talks that a viewer of one may like. */
export interface RelatedTalks {
  /** The next one of the event; null at its end. */
  readonly next: Talk | null
  readonly event: readonly Talk[]
  readonly speakers: readonly Talk[]
  readonly similar: readonly Talk[]
}

/** Of each list. */
const limit = 8

export async function findRelatedTalks(store: ReadStore, talk: Talk): Promise<RelatedTalks> {
  const { record } = talk
  const category = talk.categorySlug ?? record.category
  const page = requireRead(await store.list(toPageQuery({ filters: { category }, pageSize: limit + 1 })))
  const event = (await findTalks(store, page.records ?? [])).filter((each) => each.record.id !== record.id)
  return { next: event[0] ?? null, event: event.slice(1), speakers: [], similar: [] }
}
