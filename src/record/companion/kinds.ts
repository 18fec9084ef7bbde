import { isWritableName, type WritableName } from '../fields.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { Origin, Transcript } from '../transcript/transcript.ts'
import { createTranscriptKind, isTranscriptName, type TranscriptName } from '../transcript/transcript-kind.ts'
import { chapters } from './chapters.ts'
import type { CompanionKind } from './companion.ts'
import { recordings } from './recordings.ts'
import { linkKinds, related } from './related.ts'

/** The kinds of which a record has one companion, by its name: in addresses, and in the `changed` of versions. */
const table = { related, recordings, chapters }

export type SingleName = keyof typeof table
/** A record also has one transcript per language: `transcripts/en`. */
export type CompanionName = SingleName | TranscriptName
export type ContentOf<Name extends CompanionName> = Name extends SingleName ? (typeof table)[Name]['empty'] : Transcript

// A content is only ever given to the kind that has made it.
export const companionKinds = table as unknown as { readonly [Name in SingleName]: CompanionKind }

export const toKind = (name: CompanionName): CompanionKind =>
  isTranscriptName(name) ? createTranscriptKind(name) : companionKinds[name]

/** A new content of a companion. */
export interface CompanionChange {
  readonly name: CompanionName
  readonly content: JsonObject
}

/** What a version may have changed. */
export type ChangedName = WritableName | CompanionName

export const isChangedName = (name: string): name is ChangedName => isWritableName(name) || isCompanionName(name)

export const companionNames = Object.keys(table) as readonly SingleName[]

export const isSingleName = (name: string): name is SingleName => Object.hasOwn(table, name)
export const isCompanionName = (name: string): name is CompanionName => isSingleName(name) || isTranscriptName(name)

/** How many entries a content has. */
export const countEntries = (name: CompanionName, content: JsonObject) =>
  // Each content has the list that its kind names.
  (content[toKind(name).entries.list] as readonly JsonValue[]).length

/** A content as people read it: a line for each entry. */
export function listLines(name: CompanionName, content: JsonObject): readonly string[] {
  const text = toKind(name).toLines(content)
  return text === '' ? [] : text.split('\n')
}

/** What the filters `has` and `missing` know of companions. */
export const companionTraits = [...linkKinds, 'recordings', 'chapters', 'transcript'] as const
export type CompanionTrait = (typeof companionTraits)[number]
export const isCompanionTrait = (word: string): word is CompanionTrait => companionTraits.some((each) => each === word)

/** What lists find companions by, beyond that. */
export type ListedTrait = CompanionTrait | `transcript:${Origin}` | `transcript_language:${string}`
