import type { Precondition, VersionTag } from '../record/command.ts'
import type { Head } from './head.ts'
import type { Representation } from './negotiate.ts'

/** Strong: the same versionTag and representation are the same bytes. */
export function toETag(versionTag: VersionTag, representation: Representation): string {
  return `"${versionTag}.${representation}"`
}

/** For GET and HEAD: whether the caller's copy is still right. Dates count only where no tag was sent. */
export function isNotModified(head: Head, tag: string, lastModifiedMs: number): boolean {
  if (head.ifNoneMatch !== undefined) {
    if (head.ifNoneMatch === tag) return true
    const tags = parseEntityTags(head.ifNoneMatch)
    return tags === '*' || tags.some((each) => each.tag === tag)
  }
  const since = head.ifModifiedSince === undefined ? Number.NaN : parseHttpDate(head.ifModifiedSince)
  return lastModifiedMs <= since
}

/** The same for what has a tag but no date. */
export function isKnown(head: Head, tag: string): boolean {
  return head.ifNoneMatch !== undefined && isNotModified(head, tag, 0)
}

type ToMark = (tag: string) => VersionTag | null

/** For writes: what the caller believes the record to be. Either representation's tag serves. */
export function toPrecondition(head: Head, toMarkOf: ToMark = parseVersionTag): Precondition {
  const unmodifiedSince = head.ifUnmodifiedSince === undefined ? Number.NaN : parseHttpDate(head.ifUnmodifiedSince)
  return {
    ...(head.ifMatch === undefined ? {} : { ifMatch: toMarks(head.ifMatch, true, toMarkOf) }),
    ...(head.ifNoneMatch === undefined ? {} : { ifNoneMatch: toMarks(head.ifNoneMatch, false, toMarkOf) }),
    ...(Number.isNaN(unmodifiedSince) ? {} : { ifUnmodifiedSinceMs: unmodifiedSince }),
  }
}

function toMarks(header: string, strongOnly: boolean, toMarkOf: ToMark): '*' | VersionTag[] {
  const tags = parseEntityTags(header)
  if (tags === '*') return '*'
  const versionTags = tags.filter((each) => !(strongOnly && each.isWeak)).flatMap((each) => toMarkOf(each.tag) ?? [])
  return [...new Set(versionTags)]
}

/** The versionTag that a record's tag was made of; null for what is no such tag. */
export function parseVersionTag(tag: string): VersionTag | null {
  return /^"(.+)\.(?:html|json)"$/.exec(tag)?.[1] ?? null
}

interface EntityTag {
  readonly tag: string
  readonly isWeak: boolean
}

const listPattern = /^\s*(?:W\/)?"[^"\s]*"\s*(?:,\s*(?:(?:W\/)?"[^"\s]*"\s*)?)*$/

/** A malformed list has no tags, so it matches nothing. */
function parseEntityTags(header: string): '*' | EntityTag[] {
  if (header.trim() === '*') return '*'
  if (!listPattern.test(header)) return []
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }))
}

/** The form that HTTP asks for, and its two old ones; NaN for anything else. */
function parseHttpDate(header: string): number {
  const isHttpDate = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(header)
  return isHttpDate ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
}

/** `name`, or `name = value`, with the value quoted or not. */
const preferencePattern = /^([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?$/

/**
 * `Prefer: merge; base="<etag>"`: the version that a change was made for; undefined without this preference. The ETag
 * may come with its own quotes, escaped, or without. A merge without a base gets a version tag that no version has: a
 * guess could overwrite another change.
 */
export function parseMergeBase(prefer: string | undefined): VersionTag | undefined {
  for (const preference of splitUnquoted(prefer ?? '', ',')) {
    const [name, ...parameters] = splitUnquoted(preference, ';').map((part) => preferencePattern.exec(part.trim()))
    if (name?.[1]?.toLowerCase() !== 'merge') continue
    const base = parameters.find((parameter) => parameter?.[1]?.toLowerCase() === 'base')
    const etag = base?.[2]?.replaceAll(/\\(.)/g, '$1') ?? base?.[3] ?? ''
    return parseVersionTag(etag.startsWith('"') ? etag : `"${etag}"`) ?? ''
  }
  return undefined
}

function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const pattern = separator === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g
  return text.match(pattern) ?? []
}
