import { isKnown } from './conditional.ts'
import { toHeaders } from './respond.ts'
import type { HttpCall } from './route.ts'

/** A file in memory. The same ETag means the same bytes. */
export interface ByteFile {
  readonly type: string
  readonly etag: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The bytes from `from` up to, and without, `to`. */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A single range; a number with more digits than any size is malformed. */
const rangePattern = /^bytes=\s{0,8}(\d{0,20})-(\d{0,20})\s{0,8}$/i

/**
 * The part of a file that a Range header asks for. A header that is malformed, has another unit, or asks for several
 * ranges is ignored, as RFC 9110 allows.
 */
export function parseRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = rangePattern.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') return toSuffix(Number(last), size)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { from: Number(first), to: last === '' ? size : Math.min(Number(last) + 1, size) }
}

function toSuffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  return length === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - length), to: size }
}

/**
 * The whole file, the requested part, or 304. The content of such a URL never changes, so clients may cache it for a
 * year.
 */
export function toFileResponse({ request, route, method, head }: HttpCall, { type, etag, bytes }: ByteFile): Response {
  const headers = toHeaders(route.headers, type, 'immutable')
  headers.set('Accept-Ranges', 'bytes')
  headers.set('ETag', etag)
  if (isKnown(head, etag)) return new Response(null, { status: 304, headers })
  const isRanged = method === 'GET' && isCurrent(request.headers.get('If-Range'), etag)
  const range = isRanged ? parseRange(request.headers.get('Range'), bytes.length) : 'whole'
  if (range === 'whole') return new Response(bytes, { headers })
  if (range === 'unsatisfiable') return toUnsatisfiable(route.headers, bytes.length)
  headers.set('Content-Range', `bytes ${range.from}-${range.to - 1}/${bytes.length}`)
  return new Response(bytes.subarray(range.from, range.to), { status: 206, headers })
}

/** Whether the parts that the client has are of this file. These files have no date, so a date never matches. */
function isCurrent(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange === etag
}

function toUnsatisfiable(pathHeaders: Headers, size: number): Response {
  const headers = toHeaders(pathHeaders, null, 'never')
  headers.set('Accept-Ranges', 'bytes')
  headers.set('Content-Range', `bytes */${size}`)
  return new Response(null, { status: 416, headers })
}
