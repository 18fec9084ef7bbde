import type { Precondition, VersionTag } from '../record/command.ts'
import type { Representation } from './negotiate.ts'
import type { Head } from './route.ts'

/** A strong ETag: the same version tag and representation mean the same bytes. */
export function toETag(versionTag: VersionTag, representation: Representation): string {
  return `"${versionTag}.${representation}"`
}

/** For GET and HEAD: whether the client's copy is current. Dates count only without If-None-Match. */
export function isNotModified(head: Head, etag: string, lastModifiedMs: number): boolean {
  if (head.ifNoneMatch !== undefined) {
    if (head.ifNoneMatch === etag) return true
    const etags = parseETags(head.ifNoneMatch)
    // Weak comparison (RFC 9110, 13.1.2).
    return etags === '*' || etags.some((each) => each.etag === etag.replace(/^W\//, ''))
  }
  const since = head.ifModifiedSince === undefined ? Number.NaN : parseHttpDate(head.ifModifiedSince)
  return lastModifiedMs <= since
}

/** The same for a resource that has an ETag but no date. */
export function isKnown(head: Head, etag: string): boolean {
  return head.ifNoneMatch !== undefined && isNotModified(head, etag, 0)
}

type ParseETag = (etag: string) => VersionTag | null

/** For writes: which version the client expects. The ETag of either representation is accepted. */
export function toPrecondition(head: Head, parse: ParseETag = parseVersionTag): Precondition {
  const unmodifiedSince = head.ifUnmodifiedSince === undefined ? Number.NaN : parseHttpDate(head.ifUnmodifiedSince)
  return {
    ...(head.ifMatch === undefined ? {} : { ifMatch: parseVersionTags(head.ifMatch, true, parse) }),
    ...(head.ifNoneMatch === undefined ? {} : { ifNoneMatch: parseVersionTags(head.ifNoneMatch, false, parse) }),
    ...(Number.isNaN(unmodifiedSince) ? {} : { ifUnmodifiedSinceMs: unmodifiedSince }),
  }
}

/** The version tag in the ETag of a record; null for any other ETag. */
function parseVersionTag(etag: string): VersionTag | null {
  return /^"(.+)\.(?:html|json)"$/.exec(etag)?.[1] ?? null
}

interface ListedETag {
  readonly etag: string
  readonly isWeak: boolean
}

const listPattern = /^\s*(?:W\/)?"[^"\s]*"\s*(?:,\s*(?:(?:W\/)?"[^"\s]*"\s*)?)*$/

/** `name`, or `name = value`, with the value quoted or not. */
const preferencePattern = /^([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?$/

/**
 * `Prefer: merge; base="<etag>"`: the version that a change was made for; undefined without this preference. The ETag
 * may come with its own quotes, escaped, or without. A merge without a base gets a version tag that no version has: a
 * guess could overwrite another change.
 */
export function parseMergeBase(prefer: string | undefined, parse: ParseETag = parseVersionTag): VersionTag | undefined {
  for (const preference of splitUnquoted(prefer ?? '', ',')) {
    const [name, ...parameters] = splitUnquoted(preference, ';').map((part) => preferencePattern.exec(part.trim()))
    if (name?.[1]?.toLowerCase() !== 'merge') continue
    const base = parameters.find((parameter) => parameter?.[1]?.toLowerCase() === 'base')
    const etag = base?.[2]?.replaceAll(/\\(.)/g, '$1') ?? base?.[3] ?? ''
    return parse(etag.startsWith('"') ? etag : `"${etag}"`) ?? ''
  }
  return undefined
}

function parseVersionTags(header: string, strongOnly: boolean, parse: ParseETag): '*' | VersionTag[] {
  const etags = parseETags(header)
  if (etags === '*') return '*'
  const versionTags = etags.filter((each) => !(strongOnly && each.isWeak)).flatMap((each) => parse(each.etag) ?? [])
  return [...new Set(versionTags)]
}

/** A malformed list is empty, so it matches nothing. */
function parseETags(header: string): '*' | ListedETag[] {
  if (header.trim() === '*') return '*'
  if (!listPattern.test(header)) return []
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, etag = '']) => ({ etag, isWeak: weak !== undefined }))
}

/** The three date formats of HTTP; NaN for anything else. */
function parseHttpDate(header: string): number {
  const isHttpDate = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(header)
  return isHttpDate ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
}

function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const pattern = separator === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g
  return text.match(pattern) ?? []
}
