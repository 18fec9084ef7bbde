import type { Precondition, VersionTag } from '../command.ts'
import type { JsonObject } from '../json.ts'
import { isTranscriptName } from '../transcript/transcript-kind.ts'
import { type CompanionName, countEntries } from './kinds.ts'

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
  const tag = toCompanionTag(name, now)
  const isGiven = now.number > 0 && !(isTranscriptName(name) && countEntries(name, now.content) === 0)
  const matches = (tags: '*' | readonly VersionTag[]) => (tags === '*' ? isGiven : tags.includes(tag))
  return (ifNoneMatch !== undefined && matches(ifNoneMatch)) || (ifMatch !== undefined && !matches(ifMatch))
}
