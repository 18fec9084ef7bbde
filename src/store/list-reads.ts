import type { CategoryFields } from '../record/category.ts'
import type { VersionTag } from '../record/command.ts'
import type { CountedFacet, FileKind, ListQuery } from '../record/query/query.ts'
import type { CategoryHead } from '../record/query/vocabulary.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { Moment } from '../record/transcript/moments.ts'
import type { BestMembers } from './search/matches.ts'

/** A value of a facet. Categories, speakers and tags have a slug, and speakers and tags an id. */
export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly slug?: string
  readonly id?: number
}

export interface ListPage extends BestMembers {
  readonly count: number
  /** The page number; null for a page by cursor. */
  readonly page: number | null
  /** Each record as ASCII JSON, whole or only the requested fields; null if they are too large together. */
  readonly records: readonly string[] | null
  readonly nextCursor: string | null
  /** The most frequent values of each facet first. */
  readonly facets: { readonly [F in CountedFacet]?: readonly FacetValue[] } | null
  /** Present if some words are not loaded yet, so that the same search may have other results or another order a moment later. */
  readonly isProvisional?: true
  /** Of all records that match, if the query wants them. */
  readonly fileKinds?: readonly FileKind[]
}

/** The number of records in a list, and how many of them come after its cursor. */
export interface CountedAfter {
  readonly count: number
  readonly after: number
}

/** The filters and paging of a list, with a search in transcripts. */
export interface MomentQuery extends Pick<ListQuery, 'filters' | 'page' | 'pageSize'> {
  /** The most per record. */
  readonly moments: number
}

export interface MomentPage {
  readonly count: number
  /** Present if some transcripts are not indexed yet. */
  readonly countIs?: 'at_least'
  /** Null for a page by cursor. */
  readonly page: number | null
  readonly nextCursor: string | null
  readonly results: readonly MomentResult[]
}

export interface MomentResult {
  readonly id: number
  /** ASCII JSON with the fields of a result. */
  readonly record: string
  readonly language: string
  /** Whether the talk has no transcript in another language. */
  readonly isOnly: boolean
  readonly hits: number
  /** The best ones, in order of time. */
  readonly moments: readonly Moment[]
  /** The slices of time that have hits, in seconds. */
  readonly at: readonly number[]
}

/** The fields of a category in one of its versions. */
export interface StoredCategory {
  readonly id: number
  readonly slug: string
  readonly added: Timestamp
  readonly version: number
  readonly versionTag: VersionTag
  /** When that version was made. */
  readonly updated: Timestamp
  readonly fields: CategoryFields
}

/** A category with its current version. */
export interface FoundCategory {
  readonly row: CategoryHead
  /** Of its records that the caller sees. */
  readonly count: number
  /** Of these records, in the default order of lists; none unless the query asks for them. */
  readonly ids: readonly number[]
  readonly versionTag: VersionTag
  readonly updated: Timestamp
  /** Time of the last change to the category or its list of records. */
  readonly modified: Timestamp
}

/** URLs of one video; a record with any of them matches. */
export interface SameVideoQuery {
  readonly urls: readonly string[]
  readonly limit: number
}

export interface SameVideo {
  /** In ascending order. */
  readonly ids: readonly number[]
  /** Whether the search stopped at its time limit, before all records. */
  readonly isPartial: boolean
}
