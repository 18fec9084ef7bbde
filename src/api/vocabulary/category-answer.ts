import type { Call } from '../../http/call.ts'
import { isNotModified } from '../../http/conditional.ts'
import type { CategoryChanges } from '../../record/category.ts'
import type { VersionTag } from '../../record/command.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import { type Timestamp, toMs } from '../../record/timestamp.ts'
import { toCountedResponse, toVisibility } from '../list/envelope.ts'
import { toPageHash } from '../list/page-text.ts'

/** A category as it is told to somebody: its whole text, and which version of it that is. */
export interface ToldCategory {
  readonly text: string
  readonly versionTag: VersionTag
  readonly modified: Timestamp
}

/**
 * The ETag names the version of the category, and after that the bytes and who sees them: its records may change while
 * its version stays. Caches compare all of it, writes the version alone.
 */
export function toCategoryResponse(call: Call, told: ToldCategory, pathHeaders: Headers, status = 200): Response {
  const sight = toVisibility(call)
  const tag = `"${told.versionTag}.${toPageHash([told.text])}.${sight}"`
  const headers = toJsonHeaders(pathHeaders, sight === 'all')
  headers.set('ETag', tag)
  headers.set('Last-Modified', new Date(toMs(told.modified)).toUTCString())
  if (isRead(call) && isNotModified(call.head, tag, toWholeSeconds(told.modified))) {
    return new Response(null, { status: 304, headers })
  }
  if (call.method === 'GET') return toCountedResponse(call, [told.text], headers, pathHeaders)
  return new Response(told.text, { status, headers })
}

/** What would be stored has no version yet. */
export function toDryRunCategory(text: string, pathHeaders: Headers): Response {
  return new Response(text, { headers: toJsonHeaders(pathHeaders, true) })
}

/** The version that an ETag of ours names; null for what is no such tag. */
export function parseCategoryVersionTag(tag: string): VersionTag | null {
  return /^"([1-9]\d{0,15}-[0-9a-f]{8})\.[0-9a-f]{1,16}\.(?:all|live)"$/.exec(tag)?.[1] ?? null
}

/** The text that was read, with other fields. */
export function withFields(text: string, fields: CategoryChanges): string {
  return toAsciiJson({ ...JSON.parse(text), ...fields })
}

const isRead = ({ method }: Call) => method === 'GET' || method === 'HEAD'

const toWholeSeconds = (at: Timestamp) => Math.floor(toMs(at) / 1000) * 1000

function toJsonHeaders(pathHeaders: Headers, isPrivate: boolean): Headers {
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', 'application/json')
  headers.set('Cache-Control', isPrivate ? 'private, no-store' : 'public, max-age=0, must-revalidate')
  return headers
}
