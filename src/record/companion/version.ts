import type { Precondition, VersionTag } from '../command.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../json.ts'
import { isTranscriptName } from '../transcript/transcript-kind.ts'
import { type CompanionName, countEntries, toKind } from './kinds.ts'

interface Tagged {
  readonly number: number
  readonly content: JsonObject
}

/** What the ETag of a companion is made of: its version, and a piece of the hash of its content. */
export function toCompanionTag(name: CompanionName, { number, content }: Tagged): VersionTag {
  const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('hex')
  return `${name}-${number}-${hash.slice(0, 8)}`
}

/** The version that a tag names; null if it is none of this kind. */
export function findTaggedNumber(name: CompanionName, tag: VersionTag): number | null {
  const rest = tag.startsWith(`${name}-`) ? tag.slice(name.length + 1) : ''
  const digits = /^(\d{1,15})-[0-9a-f]{8}$/.exec(rest)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** `If-None-Match: *` requires that the companion never had content; a deleted transcript passes, too. */
export function isStaleCompanion(precondition: Precondition, name: CompanionName, now: Tagged): boolean {
  const { ifMatch, ifNoneMatch } = precondition
  const isGiven = now.number > 0 && !(isTranscriptName(name) && countEntries(name, now.content) === 0)
  // Most writes have no tags, and a long transcript takes a few milliseconds.
  const matches = (tags: '*' | readonly VersionTag[]) =>
    tags === '*' ? isGiven : tags.includes(toCompanionTag(name, now))
  return (ifNoneMatch !== undefined && matches(ifNoneMatch)) || (ifMatch !== undefined && !matches(ifMatch))
}

type Side = 'base' | 'theirs' | 'yours'
const sides: readonly Side[] = ['base', 'theirs', 'yours']

/** A content that two people have changed at once: what both began with, and what each has made of it. */
export type CompanionSides = { readonly [S in Side]: JsonObject }

/** What both have changed, to different entries. Each side has these entries alone. */
export interface CompanionConflict extends CompanionSides {
  /** Addresses, or starts. */
  readonly keys: readonly JsonValue[]
}

interface MergedCompanion {
  /** The changes of both. Where they conflict, it has yours. */
  readonly content: JsonObject
  readonly conflicts: readonly CompanionConflict[]
}

/** Merges entry by entry, as fields of a record merge. Null for a kind that is replaced as a whole. */
export function mergeCompanion(name: CompanionName, given: CompanionSides): MergedCompanion | null {
  const { list, key, isSorted } = toKind(name).entries
  if (key === null) return null
  // A content is a list of entries, under the name that its kind gives.
  const toEntries = (content: JsonObject) => content[list] as readonly JsonObject[]
  const toContent = (entries: readonly JsonObject[]): JsonObject => ({ [list]: entries })
  const groups = toSides((side) => Map.groupBy(toEntries(given[side]), (entry) => entry[key] ?? null))
  const orders = toSides((side) => [...groups[side].keys()])
  const order = isSorted ? weave(orders.theirs, orders.yours).sort(byNumber) : mergeOrders(orders)
  const all = toSides((side) => given[side])
  if (order === null) return { content: given.yours, conflicts: [{ ...all, keys: orders.yours }] }
  const entries: JsonObject[] = []
  const conflicts: CompanionConflict[] = []
  for (const each of weave(order, orders.base)) {
    const { base, theirs, yours } = toSides((side) => groups[side].get(each) ?? [])
    const isTheirs = isSameJson(yours, base)
    entries.push(...(isTheirs ? theirs : yours))
    if (isTheirs || isSameJson(theirs, base) || isSameJson(theirs, yours)) continue
    conflicts.push({ keys: [each], ...{ base: toContent(base), theirs: toContent(theirs), yours: toContent(yours) } })
  }
  return { content: toContent(entries), conflicts }
}

const toSides = <T>(to: (side: Side) => T) =>
  // Each side has its value.
  Object.fromEntries(sides.map((side) => [side, to(side)])) as { readonly [S in Side]: T }

const byNumber = (one: JsonValue, other: JsonValue) => Number(one) - Number(other)

type Keys = readonly JsonValue[]

/** All keys of both, in the order of the one who has changed it; null if both have, in different ways. */
function mergeOrders({ base, theirs, yours }: { readonly [S in Side]: Keys }): JsonValue[] | null {
  const isMoved = (one: Keys, other: Keys) => !isSameJson(pick(one, other), pick(other, one))
  if (!isMoved(yours, base)) return weave(theirs, yours)
  return isMoved(theirs, base) && isMoved(theirs, yours) ? null : weave(yours, theirs)
}

/** Those that the other has, too. */
const pick = (keys: Keys, other: Keys) => keys.filter((each) => other.includes(each))

/** The keys of `others` follow the one that they follow there. */
function weave(lead: Keys, others: Keys): JsonValue[] {
  const keys = [...lead]
  for (const [i, each] of others.entries())
    if (!keys.includes(each)) keys.splice(i === 0 ? 0 : keys.indexOf(others[i - 1] ?? null) + 1, 0, each)
  return keys
}
