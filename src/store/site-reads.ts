import type { NameKind } from '../record/name.ts'
import type { FileKind, Filters, Match } from '../record/query/query.ts'
import type { VocabularyName } from '../record/query/vocabulary.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** Identifies the page of a speaker, a tag or a record. */
export interface PageRef {
  readonly id: number
  readonly slug: string
}

/** Speakers or tags, by their names as records have them. */
export interface NamesQuery {
  readonly kind: NameKind
  readonly names: readonly string[]
}

/** Live records by the moment at which they became live, newest first. Drafts never match. */
export interface NewestQuery {
  readonly filters: Filters
  readonly match: Match
  readonly limit: number
  readonly offset: number
}

/** Live records for a page of what is new, at most `perCategory` of each category while there are others. */
export interface RecentQuery {
  readonly limit: number
  readonly perCategory: number
}

export interface NewestPage {
  /** Each record as ASCII JSON, as in a list. */
  readonly records: readonly string[]
  /** When each became live for the last time. */
  readonly liveAt: readonly Timestamp[]
  /** Present if some words are not loaded yet, so that the same search may find more a moment later. */
  readonly isProvisional?: true
}

/** This and the next are types, not interfaces, so that they are assignable to JSON. */
export type NamedCount = { readonly name: string; readonly count: number }

/** All live records in a few numbers. */
export type Summary = {
  readonly talks: number
  /** The sum of known durations, without odd ones. */
  readonly seconds: number
  /** How many durations were left out of the sum. */
  readonly oddLengths: number
  readonly speakers: number
  /** Those that have live records. */
  readonly categories: number
  /** Most used first. */
  readonly languages: readonly NamedCount[]
  /** Which files there are. */
  readonly fileKinds: readonly FileKind[]
}

/** A category that the public sees, with its live records. */
export type EventRow = {
  readonly title: string
  readonly slug: string
  readonly startDate: string | null
  readonly endDate: string | null
  readonly place: string
  /** As people have said; `guessSeries` suggests one where it is empty. */
  readonly series: string
  readonly count: number
  /** The days of its records without a few that are far from the others (`findMainDays`); null if none is known. */
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** A live record with a thumbnail, for a picture of the event; null if none has one. */
  readonly pictureId: number | null
}

/** A category with the edition before it and the one after it, of those that the public sees. */
export type Editions = {
  readonly own: EventRow | null
  readonly previous: EventRow | null
  readonly next: EventRow | null
}

/** Live records of one day. */
export type DayCount = { readonly day: string; readonly count: number }

/** The live records of one year, and how many of them have each kind of metadata. */
export type YearStatistics = {
  /** Null: the records whose day is unknown. */
  readonly year: number | null
  readonly talks: number
  /** As in `Summary`. */
  readonly seconds: number
  readonly withLanguage: number
  readonly withDuration: number
  readonly withSpeakers: number
  readonly withTags: number
  readonly withThumbnail: number
  /** Records with a file, or with a URL where they can be watched, unless all of them are known to be dead. */
  readonly withMedia: number
}

/** Records of plausible lengths, of `fromSeconds` up to less than `toSeconds`, which is null for the last step. */
export type LengthCount = {
  readonly fromSeconds: number
  readonly toSeconds: number | null
  readonly count: number
}

export type Statistics = {
  /** Ascending; the unknown year comes first. Years without records are missing. */
  readonly years: readonly YearStatistics[]
  /** Every step, those without records too. */
  readonly lengths: readonly LengthCount[]
  /** Most used first. */
  readonly languages: readonly NamedCount[]
  readonly largestEvents: readonly EventRow[]
}

export interface RelatedQuery {
  readonly id: number
  /** Of each list. */
  readonly limit: number
}

/**
 * Other live records, each as ASCII JSON. The lists share none: a similar talk is not among those of the same speakers,
 * nor is either among those of the event. All are empty if the record is not live.
 */
export type Related = {
  /** The next talk of its event, by day, time and id, which may be in a list as well. Null at the end. */
  readonly next: string | null
  /** Talks of its event before and after it, in the order of the event. */
  readonly event: readonly string[]
  /** Newest first. */
  readonly speakers: readonly string[]
  /** The most similar in words, tags and speakers first. */
  readonly similar: readonly string[]
  /** Present if some words are not loaded yet, so that similar talks were found by their tags. */
  readonly isProvisional?: true
}

/** Speakers or tags for an overview. */
export interface PopularQuery {
  readonly kind: NameKind
  readonly limit: number
}

/** With the number of its live records, and of the events that these are from. */
export type PopularName = VocabularyName & { readonly events: number }

/** There are no overviews of drafts. */
export interface OverviewQuery {
  readonly visibility: 'live'
}

/** Pages of live records, or of speakers or tags that live records have. */
export type PageKind = 'video' | 'speaker' | 'tag'

/** The ids from `number * size + 1` to `(number + 1) * size`, and how many pages they have. */
export type PageRange = { readonly kind: PageKind; readonly number: number; readonly count: number }

export interface PagesQuery {
  readonly kind: PageKind
  readonly fromId: number
  readonly toId: number
}

export interface PageLine extends PageRef {
  /** Null for names, of which only their records have a date. */
  readonly updated: Timestamp | null
}

/** Identifies an archive: it stays the same in backups, dumps and moves (decision 48). */
export interface FirstCategory {
  readonly slug: string
  readonly added: Timestamp
}
