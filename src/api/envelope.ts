import type { Call } from '../http/call.ts'
import { isKnown } from '../http/conditional.ts'
import { toWholeBody } from '../http/whole-body.ts'
import { hasRole } from '../record/command.ts'
import { toAsciiJson } from '../record/json-body.ts'
import type { BaseUrl } from './base-url.ts'

/** Who sees a list: everything, or what is live. */
export type Sight = 'all' | 'live'

export function toSight(call: Call): Sight {
  return hasRole(call.caller()?.role ?? null, 'reader') ? 'all' : 'live'
}

export interface Envelope {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  /** JSON values joined by commas. */
  readonly results: string
  /** More members, as JSON text that begins with a comma. */
  readonly more: string
}

/** `{"count","next","previous","results"}`, around a text that is ready; in pieces, since joining them would copy it. */
export function toEnvelope({ count, next, previous, results, more }: Envelope): readonly string[] {
  const head = `{"count":${count},"next":${toAsciiJson(next)},"previous":${toAsciiJson(previous)},"results":[`
  return [head, results, `]${more}}`]
}

/** Addresses of other pages keep all other parameters, and the slash at the end if there was one. */
export function createPageUrls(call: Call, baseUrl: BaseUrl, path: string) {
  const parameters = call.query()
  const hasSlash = call.url.split('?')[0]?.endsWith('/') ?? false
  const toUrl = (name: string, value: string) => {
    const others = new URLSearchParams(parameters)
    others.set(name, value)
    return `${baseUrl(call)}${path}${hasSlash ? '/' : ''}?${others}`
  }
  return {
    toCursor: (cursor: string) => toUrl('cursor', cursor),
    toNext: (page: number, pageSize: number, count: number) =>
      page * pageSize < count ? toUrl('page', String(page + 1)) : null,
    toPrevious: (page: number) => (page > 1 ? toUrl('page', String(page - 1)) : null),
  }
}

/** A body of ASCII, in pieces. The tag says who sees it; token holders' lists are kept nowhere. */
export function toListResponse(call: Call, pieces: readonly string[], sight: Sight, pathHeaders: Headers): Response {
  const tag = `"${toSum(pieces).toString(16)}.${sight}"`
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', 'application/json')
  headers.set('ETag', tag)
  headers.set('Cache-Control', sight === 'all' ? 'private, no-store' : 'public, max-age=0, must-revalidate')
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (isRead && isKnown(call.head, tag)) return new Response(null, { status: 304, headers })
  return new Response(call.method === 'GET' ? toWholeBody(pieces) : pieces.join(''), { headers })
}

/** Of the pieces in this order; each begins with what the ones before it came to. */
function toSum(pieces: readonly string[]): bigint {
  return pieces.reduce((sum, piece) => BigInt(Bun.hash(piece, sum)), 0n)
}
