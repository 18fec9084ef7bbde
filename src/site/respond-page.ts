import { chooseCoding, compress } from '../http/negotiate.ts'
import { type Caching, orNotModified, toHeaders } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'

export interface PageText {
  readonly text: string | Uint8Array
  readonly type: string
  readonly status?: number
  readonly caching?: Caching
  readonly headers?: { readonly [name: string]: string }
}

/** An answer with a text, compressed as the client accepts it. Its ETag differs by content coding. */
export function respondText(call: Call, page: PageText): TextAnswer {
  const { text, type, status = 200, caching = status === 200 ? 'revalidate' : 'never' } = page
  const coding = chooseCoding(call.head.acceptEncoding)
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const headers = toHeaders(call.route.headers, type, caching)
  addVary(headers, 'Accept-Encoding')
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  for (const [name, value] of Object.entries(page.headers ?? {})) headers.set(name, value)
  if (status === 200) headers.set('ETag', `"${Bun.hash(bytes).toString(16)}.${coding}"`)
  const unsent: TextAnswer = { status, headers, pieces: [] }
  const answer = status === 200 ? orNotModified(call, unsent) : unsent
  if (answer.status === 304) return answer
  return { status, headers, pieces: [toBinaryText(compress(bytes, coding))], isBinary: true }
}

function addVary(headers: Headers, name: string): void {
  const vary = headers.get('Vary')
  headers.set('Vary', vary === null ? name : `${vary}, ${name}`)
}

/** One character per byte. */
function toBinaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** A permanent redirect to another page. */
export function moved({ route }: Call, location: string): TextAnswer {
  const headers = toHeaders(route.headers, null, 'revalidate')
  headers.set('Location', location)
  return { status: 301, headers, pieces: [] }
}
