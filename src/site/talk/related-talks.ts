import { requireRead } from '../../http/problem.ts'
import type { ReadStore } from '../../store/store.ts'
import { findTalks, type Talk } from './talk.ts'

/** Other talks that a viewer of one may like. */
export interface RelatedTalks {
  /** The next one of the event; null at its end. */
  readonly next: Talk | null
  readonly event: readonly Talk[]
  readonly speakers: readonly Talk[]
  readonly similar: readonly Talk[]
  /** Whether there may be others a moment later. */
  readonly isProvisional: boolean
}

/** Of each list. */
const limit = 8

export async function findRelatedTalks(store: ReadStore, id: number): Promise<RelatedTalks> {
  const { next, event, speakers, similar, isProvisional = false } = requireRead(await store.findRelated({ id, limit }))
  const lists = [next === null ? [] : [next], event, speakers, similar]
  const talks = await findTalks(store, lists.flat())
  const [first = [], ...others] = lists.map((list) => talks.splice(0, list.length))
  const [ofEvent = [], bySpeakers = [], alike = []] = others
  return { next: first[0] ?? null, event: ofEvent, speakers: bySpeakers, similar: alike, isProvisional }
}
