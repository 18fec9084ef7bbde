import type { Filters, Match } from '../record/query/query.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** Where the page of a speaker, a tag or a record is. */
export interface PageAddress {
  readonly id: number
  readonly slug: string
}

/** Speakers or tags, by their names as records have them. */
export interface NamesQuery {
  readonly kind: 'speaker' | 'tag'
  readonly names: readonly string[]
}

/** Live records by the moment at which they became live, newest first. Drafts never match. */
export interface NewestQuery {
  readonly filters: Filters
  readonly match: Match
  readonly limit: number
  readonly offset: number
}

export interface NewestPage {
  /** Each record as ASCII JSON, as in a list. */
  readonly records: readonly string[]
  /** When each became live for the last time. */
  readonly liveAt: readonly Timestamp[]
}

/** Reads for pages of the site. Each takes one query, and runs on a query thread. */
export interface SiteReads {
  /** The slug of each category by its title; titles of no category are missing. */
  findCategorySlugs(titles: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The id and slug of each name; names that no record has are missing. */
  findNameIds(query: NamesQuery): Promise<ReadonlyMap<string, PageAddress>>
  listNewest(query: NewestQuery): Promise<NewestPage>
}
