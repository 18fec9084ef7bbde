import type { Filters } from '../../../record/query/query.ts'

/** Filters that only a few records can match. */
export const matchesFew = ({ ids, sourceUrl }: Filters) => ids !== undefined || sourceUrl !== undefined

/** A search without words finds nothing. */
export const isEmpty = ({ search }: Filters) => search !== undefined && search.all.length + search.none.length === 0

/** Filters for which SQL has to collect sets of ids. */
export const hasIdSets = ({ speakers, tags, search }: Filters) =>
  speakers.length + tags.length > 0 || search !== undefined

/** Filters by columns that are in no index in the default order. */
export function hasUnindexed(filters: Filters): boolean {
  const { findings, whiteboard, parked, host, by, addedAfter, addedBefore, updatedAfter, updatedBefore } = filters
  const given = [findings, whiteboard, parked, host, by, addedAfter, addedBefore, updatedAfter, updatedBefore]
  return given.some((each) => each !== undefined)
}
