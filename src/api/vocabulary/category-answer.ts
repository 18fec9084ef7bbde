import { isNotModified } from '../../http/content/conditional.ts'
import { json, toNotModified } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { CategoryChanges } from '../../record/category.ts'
import type { VersionTag } from '../../record/command.ts'
import { toAsciiJson } from '../../record/json.ts'
import { type Timestamp, toMs } from '../../record/timestamp.ts'
import { toPageHash, toVisibility } from '../list/envelope.ts'

/** A category as a caller sees it: its JSON and its version. */
export interface ShownCategory {
  readonly text: string
  readonly versionTag: VersionTag
  readonly modified: Timestamp
}

/**
 * The ETag has the version of the category, then a hash of the bytes and the visibility, since its records may change
 * while its version stays the same. Caches compare all of it, writes only the version (decision 31).
 */
export function toCategoryAnswer(
  call: Call,
  { text, versionTag, modified }: ShownCategory,
  made: { readonly location: string } | null = null,
): TextAnswer {
  const visibility = toVisibility(call)
  const etag = `"${versionTag}.${toPageHash([text])}.${visibility}"`
  const headers = {
    ETag: etag,
    'Last-Modified': new Date(toMs(modified)).toUTCString(),
    ...(made === null ? {} : { 'Content-Location': made.location }),
  }
  const caching = visibility === 'all' ? 'private' : 'revalidate'
  const answer = json(call, text, caching, { status: made === null ? 200 : 201, headers })
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  return isRead && isNotModified(call.head, etag, toWholeSeconds(modified)) ? toNotModified(answer.headers) : answer
}

/** The category as it would be stored: without a version yet. */
export function toDryRunCategory(call: Call, text: string): TextAnswer {
  return json(call, text, 'private')
}

/** The version tag in the ETag of a category; null for any other ETag. */
export function parseCategoryVersionTag(etag: string): VersionTag | null {
  return /^"([1-9]\d{0,15}-[0-9a-f]{8})\.[0-9a-f]{1,16}\.(?:all|live)"$/.exec(etag)?.[1] ?? null
}

/** The JSON of a category with some fields replaced. */
export function withFields(text: string, fields: CategoryChanges): string {
  return toAsciiJson({ ...JSON.parse(text), ...fields })
}

const toWholeSeconds = (at: Timestamp) => Math.floor(toMs(at) / 1000) * 1000
