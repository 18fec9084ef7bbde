import type { Call } from '../../http/call.ts'
import { isKnown } from '../../http/conditional.ts'
import { toProblemResponse } from '../../http/problem.ts'
import { minCountedBytes } from '../../http/send-buffer.ts'
import { toWholeBody } from '../../http/whole-body.ts'
import { hasRole } from '../../record/command.ts'
import type { BaseUrl } from '../base-url.ts'
import { toPageHash } from './page-text.ts'

/** Who sees a list: everything, or what is live. */
export type Visibility = 'all' | 'live'

export function toVisibility(call: Call): Visibility {
  return hasRole(call.caller()?.role ?? null, 'reader') ? 'all' : 'live'
}

/** The path that a list was asked at, with its slash at the end if there was one. */
export function toListAt(call: Call, baseUrl: BaseUrl, path: string): string {
  const hasSlash = call.url.split('?', 1)[0]?.endsWith('/') ?? false
  return `${baseUrl(call)}${path}${hasSlash ? '/' : ''}`
}

/** A body of ASCII, in pieces. The ETag includes the visibility; no cache may keep the lists of token holders. */
export function toListResponse(
  call: Call,
  pieces: readonly string[],
  sight: Visibility,
  pathHeaders: Headers,
): Response {
  const tag = `"${toPageHash(pieces)}.${sight}"`
  const headers = new Headers(pathHeaders)
  headers.set('Content-Type', 'application/json')
  headers.set('ETag', tag)
  headers.set('Cache-Control', sight === 'all' ? 'private, no-store' : 'public, max-age=0, must-revalidate')
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (isRead && isKnown(call.head, tag)) return new Response(null, { status: 304, headers })
  return call.method === 'GET'
    ? toCountedResponse(call, pieces, headers, pathHeaders)
    : new Response(pieces.join(''), { headers })
}

/** A large body is counted until its reader has taken it; refused where too much waits for slow readers already. */
export function toCountedResponse(
  call: Call,
  pieces: readonly string[],
  headers: Headers,
  pathHeaders: Headers,
): Response {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < minCountedBytes) return new Response(toWholeBody(pieces), { headers })
  const body = call.outbox.send(pieces.join(''), call.request.signal)
  if (body !== null) return new Response(body, { headers })
  return toProblemResponse({ code: 'too_much_waiting' }, pathHeaders, call.requestId())
}

const maxNames = 10
const maxBytes = 200

/** Old clients send all sorts of parameters, so unknown ones are no error; but a typo should not look like a result. */
export function nameIgnored(response: Response, names: readonly string[]): Response {
  const named = toHeader(names)
  if (named !== '') response.headers.set('Ignored-Parameters', named)
  return response
}

/** Whole names, in percent-encoding; those that do not fit are left out. */
function toHeader(names: readonly string[]): string {
  let header = ''
  let count = 0
  for (const name of names) {
    const next = header === '' ? encodeURIComponent(name) : `${header}, ${encodeURIComponent(name)}`
    if (name === '' || next.length > maxBytes) continue
    header = next
    if (++count === maxNames) break
  }
  return header
}
