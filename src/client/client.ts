import { type Batches, createBatches } from './batches.ts'
import { type Categories, createCategories } from './categories.ts'
import { createHistory, type History } from './history.ts'
import { createLinks, type Links } from './links.ts'
import {
  createLanguages,
  createNames,
  createSpeakers,
  type Languages,
  type Name,
  type Names,
  type Speakers,
} from './names.ts'
import { createRecords, type Records } from './records.ts'
import { createTransport, type TransportOptions } from './transport.ts'
import { createWorkLists, type WorkLists } from './work-lists.ts'

export type { Batch, Batches, BatchOptions, BatchReport, EntryOptions, WaitOptions } from './batches.ts'
export type {
  AuthorSelection,
  BulkChange,
  BulkFilters,
  BulkGuards,
  BulkPatch,
  BulkPreview,
  BulkSelection,
} from './bulk.ts'
export type { Categories, Category, CategoryChange, CategoryThen, CategoryVersion, NewCategory } from './categories.ts'
export type { ChangesOptions, FeedChange, History, RecordVersion, Version } from './history.ts'
export type {
  AcceptMovedOptions,
  IgnoredLink,
  Link,
  LinkCount,
  LinkFilters,
  LinkPlace,
  Links,
  MovedSelection,
} from './links.ts'
export type {
  Dismissed,
  DismissOptions,
  Language,
  Languages,
  Name,
  NameFilters,
  Names,
  Speaker,
  SpeakerChange,
  Speakers,
  SpeakerThen,
  SpeakerVersion,
  Variant,
  VariantFilters,
} from './names.ts'
export type { Results } from './pages.ts'
export type {
  CompanionKind,
  Companions,
  Completion,
  Extras,
  Highlight,
  HighlightedRecord,
  NewVideoRecord,
  Records,
  RecordUpdate,
  ReplaceOptions,
  SpokenRecord,
  Transcript,
  TranscriptOptions,
  UpdateOptions,
  VideoFilters,
  VideoRecord,
  VideoRecordChange,
} from './records.ts'
export type {
  CallOptions,
  ClientProblem,
  Failure,
  FetchInit,
  FetchResponse,
  KeyedWriteOptions,
  Result,
  Signal,
  Success,
  TransportOptions,
  WriteOptions,
} from './transport.ts'
export type {
  AcceptedFinding,
  AcceptOptions,
  Duplicates,
  Finding,
  FindingCount,
  FindingFilters,
  FindingList,
  FindingTotal,
  HiddenFinding,
  WorkLists,
} from './work-lists.ts'

/** Functions for records are those of the client itself. */
export interface Client extends Records, History, WorkLists {
  readonly speakers: Speakers
  readonly tags: Names
  readonly languages: Languages
  readonly categories: Categories
  readonly links: Links
  readonly batches: Batches
}

/** A client for one service. It never throws: failures, network errors included, are returned as values. */
export function createClient(options: TransportOptions): Client {
  const send = createTransport(options)
  return {
    ...createRecords(send),
    ...createHistory(send),
    ...createWorkLists(send),
    speakers: createSpeakers(send),
    tags: createNames<Name>(send, 'tag'),
    languages: createLanguages(send),
    categories: createCategories(send),
    links: createLinks(send),
    batches: createBatches(send),
  }
}
