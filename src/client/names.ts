import { type BatchOptions, type BatchReport, type EntryOptions, patchEntry, sendBatch } from './batches.ts'
import { type Results, toSearch, walkPages } from './pages.ts'
import type { components } from './schema.ts'
import type { CallOptions, KeyedWriteOptions, Result, Transport } from './transport.ts'

type Schemas = components['schemas']

/** A speaker or a tag; `aliases` only for clients with a token. */
export type Name = Schemas['Name']
/** A speaker, and what publishers say of them. */
export type Speaker = Schemas['Speaker']
export type SpeakerChange = Schemas['SpeakerChange']
export type SpeakerVersion = Schemas['SpeakerVersionLine']
/** The profile of a speaker as of one version, and what the version changed. */
export type SpeakerThen = Schemas['SpeakerVersion']
export type Language = Schemas['Language']
/** Names that are probably the same, and why. */
export type Variant = Schemas['Variant']
export type Dismissed = Schemas['Dismissed']

export interface NameFilters {
  /** Beginning of any word of the name; ignores case and accents. The most used come first. */
  readonly q?: string
}

export interface VariantFilters {
  /** Only groups with this reason. */
  readonly reason?: Variant['reason']
}

export interface DismissOptions extends KeyedWriteOptions {
  /** False shows the group again. */
  readonly dismissed?: boolean
}

/** Speakers, or tags. `Single` is one of them on its own; lists say less. */
export interface Names<Single extends Name = Name> {
  list(filters?: NameFilters, options?: CallOptions): Results<Name>
  /** For a name that was merged into another, returns that one. */
  get(id: number, options?: CallOptions): Promise<Result<Single>>
  /** Writes the new name to all records, as one batch. The id stays, the old name becomes an alias. */
  rename(id: number, name: string, options?: EntryOptions): Promise<Result<Single>>
  /** Gives all records the name with the id `into`, as one batch. The old URL redirects there from then on. */
  merge(id: number, into: number, options?: BatchOptions): Promise<Result<BatchReport>>
  /** Groups of names that are probably the same, the most certain first. */
  variants(filters?: VariantFilters, options?: CallOptions): Results<Variant>
  /** Hides a group of variants for good, because its names are different. */
  dismissVariants(ids: readonly number[], options?: DismissOptions): Promise<Result<Dismissed>>
}

export interface Speakers extends Names<Speaker> {
  /** Changes the note, the links or the name. A new name is written to all records, as one batch; this waits for it. */
  update(id: number, change: SpeakerChange, options?: EntryOptions): Promise<Result<Speaker>>
  /** The versions of the profile of a speaker, newest first. */
  history(id: number, options?: CallOptions): Results<SpeakerVersion>
  version(id: number, version: number, options?: CallOptions): Promise<Result<SpeakerThen>>
}

export interface Languages {
  list(filters?: NameFilters, options?: CallOptions): Results<Language>
}

export function createNames<Single extends Name>(send: Transport, kind: 'speaker' | 'tag'): Names<Single> {
  const path = `/api/v2/${kind}`
  return {
    list: (filters = {}, options) => walkPages(send, path, toSearch(filters), options),
    get: (id, options) => send('GET', `${path}/${id}`, options),
    rename: (id, name, options) => patchEntry(send, `${path}/${id}`, { name }, options),
    merge: (id, into, options) => sendBatch(send, 'POST', `${path}/${id}/merge`, options, { into }),
    variants: (filters = {}, options) => walkPages(send, `${path}/variants`, toSearch(filters), options),
    dismissVariants: (ids, { dismissed = true, ...options } = {}) =>
      send('POST', `${path}/variants/dismiss`, { ...options, body: { ids, dismissed } }),
  }
}

export function createSpeakers(send: Transport): Speakers {
  const toPath = (id: number) => `/api/v2/speaker/${id}`
  return {
    ...createNames<Speaker>(send, 'speaker'),
    update: (id, change, options) => patchEntry(send, toPath(id), change, options),
    history: (id, options) => walkPages(send, `${toPath(id)}/history`, '', options),
    version: (id, version, options) => send('GET', `${toPath(id)}/history/${version}`, options),
  }
}

export function createLanguages(send: Transport): Languages {
  return { list: (filters = {}, options) => walkPages(send, '/api/v2/language', toSearch(filters), options) }
}
