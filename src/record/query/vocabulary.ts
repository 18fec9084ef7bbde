import type { ProfileFields } from '../profile.ts'
import type { Visibility } from '../state.ts'
import type { Timestamp } from '../timestamp.ts'

/** Each has its own list below /api/v2. */
export const vocabularyKinds = ['category', 'speaker', 'tag', 'language'] as const
type VocabularyKind = (typeof vocabularyKinds)[number]

/** A page of categories, speakers, tags or languages. */
export interface VocabularyQuery {
  readonly kind: VocabularyKind
  readonly visibility: Visibility
  /** Folded beginning of any word of a name; `""` for all. */
  readonly prefix: string
  /** Only speakers or tags with this initial, one of those that `listInitials` returns. */
  readonly initial?: string
  /** Of speakers or tags that differ in case and accents only, the most used. */
  readonly hasOneSpelling?: boolean
  /** The most used first, or in alphabetical order. The default is `use` with a prefix, else `name`. */
  readonly order?: 'name' | 'use'
  readonly page: number | 'last'
  readonly pageSize: number
}

export interface InitialsQuery {
  readonly kind: 'speaker' | 'tag'
  readonly visibility: Visibility
  /** Counts names that differ in case and accents only as one. */
  readonly hasOneSpelling?: boolean
}

/** The first letter of folded names, or `other`, and how many names begin with it. */
export interface Initial {
  readonly initial: string
  readonly count: number
}

/**
 * One speaker or tag, as far as the caller may see it. The id of an alias without records stands for its current entry;
 * a slug finds current entries alone (decision 72).
 */
export type NameQuery = {
  readonly kind: 'speaker' | 'tag'
  readonly visibility: Visibility
  readonly hasAliases?: boolean
  readonly hasSpellings?: boolean
} & ({ readonly id: number } | { readonly slug: string })

/**
 * A speaker or tag. `count` is the number of records that the caller sees. A type, not an interface, like some below, so
 * that it is assignable to JSON.
 */
export type VocabularyName = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly count: number
  /** Names that were merged into this one or that it had before, sorted; if the query asks for them. */
  readonly aliases?: readonly string[]
}

/** A name with what is said of it: null for a tag. */
export type FoundName = VocabularyName & {
  readonly profile: StoredProfile | null
  /** Names that differ from it in case and accents only, the most used first; if the query asks for them. */
  readonly spellings?: readonly VocabularyName[]
}

/** What publishers say of a speaker; version 0 if nobody has said anything yet. */
export type StoredProfile = {
  readonly version: number
  /** Null with version 0, as is `updated`. */
  readonly versionTag: string | null
  readonly updated: Timestamp | null
  readonly fields: ProfileFields
}

export type LanguageRow = {
  readonly name: string
  readonly count: number
}

export type CategoryHead = {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly url: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly place: string
  readonly series: string
  readonly whiteboard: string
  readonly added: string
}

/** With the ids of its records. */
export type CategoryRow = CategoryHead & { readonly ids: readonly number[] }

export interface VocabularyRows {
  readonly count: number
  readonly page: number
  readonly rows: readonly (VocabularyName | LanguageRow | CategoryRow)[]
}
