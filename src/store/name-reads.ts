import type { CategoryFields } from '../record/category.ts'
import type { EntryKind, NameKind } from '../record/name.ts'
import type { ProfileFields } from '../record/profile.ts'
import type { Paging } from '../record/query/query.ts'
import type { Initial, VocabularyName } from '../record/query/vocabulary.ts'
import type { Visibility } from '../record/state.ts'
import type { Timestamp } from '../record/timestamp.ts'
import type { VariantLine, VariantReason } from '../record/variants/variant.ts'
import type { LogPage } from './change-log.ts'

/** A speaker or tag without its count. */
export type NamedRow = Omit<VocabularyName, 'count' | 'aliases'>

/** A page of speakers, tags or categories, for curators. */
export interface NameLinesQuery extends Paging {
  readonly kind: EntryKind
  /** Only the category with this slug. */
  readonly slug?: string
  /** Folded beginning of any word of a name; `""` for all. */
  readonly prefix: string
  /** Only names with this initial; null for all. */
  readonly initial: string | null
  /** `use`: the most used first. */
  readonly order: 'name' | 'use'
  /** Whether lines have the fields of categories, and profiles of speakers. */
  readonly hasFields?: true
}

/** Types, not interfaces, so that they are assignable to JSON. */
export type NameLine = {
  readonly id: number
  readonly name: string
  readonly slug: string
  /** Of all its records, drafts included. */
  readonly count: number
  readonly live: number
  /** Names that were merged into it or that it had before, sorted. */
  readonly aliases: readonly string[]
  /** Only if asked for, and known. */
  readonly fields?: Partial<CategoryFields & ProfileFields>
}

export interface NameLines extends LogPage<NameLine> {
  /** The initials of all names of this kind, in the order of the alphabet, `other` last. */
  readonly initials: readonly Initial[]
}

export interface ExamplesQuery {
  readonly kind: NameKind
  readonly ids: readonly number[]
  /** Of each name. */
  readonly limit: number
}

/** A record that has a name. */
export type Example = {
  readonly id: number
  readonly title: string
  readonly category: string
  readonly recorded: string | null
  readonly state: number
}

/** A page of groups of similar names, and how many groups each reason has, dismissed ones left out. */
export interface VariantLines extends LogPage<VariantLine> {
  readonly reasons: readonly { readonly reason: VariantReason; readonly count: number }[]
}

/** A group of names that a curator has called different. */
export type DismissedLine = Pick<VariantLine, 'names'> & {
  readonly ids: readonly number[]
  readonly at: Timestamp
  readonly by: string
}

/** One category, as far as the caller may see it. */
export interface CategoryQuery {
  readonly slug: string
  readonly visibility: Visibility
  /** Whether to list the ids of its records, which takes a sort. */
  readonly hasIds?: boolean
}

/** The versions of a category, newest first. */
export interface CategoryHistoryQuery extends Paging {
  readonly slug: string
}

export interface CategoryVersionQuery {
  readonly slug: string
  readonly number: number
}

export interface ProfileHistoryQuery extends Paging {
  /** Of the speaker. */
  readonly id: number
}

export interface ProfileVersionQuery {
  readonly id: number
  readonly number: number
}
