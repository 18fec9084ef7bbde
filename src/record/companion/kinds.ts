import { isWritableName, type WritableName } from '../fields.ts'
import type { JsonObject } from '../json.ts'
import { chapters } from './chapters.ts'
import type { CompanionKind } from './companion.ts'
import { recordings } from './recordings.ts'
import { linkKinds, related } from './related.ts'

/** Every kind of companion, by its name: in addresses, and in the `changed` of versions. */
const table = { related, recordings, chapters }

export type CompanionName = keyof typeof table
export type ContentOf<Name extends CompanionName> = (typeof table)[Name]['empty']

// A content is only ever given to the kind that has made it.
export const companionKinds = table as unknown as { readonly [Name in CompanionName]: CompanionKind }

/** A new content of a companion. */
export interface CompanionChange {
  readonly name: CompanionName
  readonly content: JsonObject
}

/** What a version may have changed. */
export type ChangedName = WritableName | CompanionName

export const isChangedName = (name: string): name is ChangedName => isWritableName(name) || isCompanionName(name)

export const companionNames = Object.keys(table) as readonly CompanionName[]

export const isCompanionName = (name: string): name is CompanionName => Object.hasOwn(table, name)

/** A content as people read it: a line for each entry. */
export function listLines(name: CompanionName, content: JsonObject): readonly string[] {
  const text = companionKinds[name].toLines(content)
  return text === '' ? [] : text.split('\n')
}

/** What the filters `has` and `missing` know of companions. */
export const companionTraits = [...linkKinds, 'recordings', 'chapters'] as const
export type CompanionTrait = (typeof companionTraits)[number]
export const isCompanionTrait = (word: string): word is CompanionTrait => companionTraits.some((each) => each === word)
