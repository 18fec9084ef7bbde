import { isKnown } from './conditional.ts'
import { orNotModified } from './respond.ts'
import type { Call, TextAnswer } from './route.ts'

/** Content codings in the order in which we prefer them. */
const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** Browsers send 30 characters. */
const maxCodingsLength = 200
/**
 * Takes three quarters of the time of level 5 for 7 % more bytes; higher levels take several times as long to save a
 * few per cent.
 */
const brotliQuality = 4
const gzipLevel = 6

/** The coding for an Accept-Encoding header. Without one, or with one that is too long, the body is sent as it is. */
export function chooseCoding(accept: string | undefined): Coding {
  if (accept === undefined || accept.length > maxCodingsLength) return 'identity'
  const qualities = new Map(accept.toLowerCase().split(',').map(parseItem))
  const qualityOf = (coding: Coding) =>
    qualities.get(coding) ?? (coding === 'identity' ? 0.001 : (qualities.get('*') ?? 0))
  const best = codings.reduce((a, b) => (qualityOf(b) > qualityOf(a) ? b : a))
  return qualityOf(best) > 0 ? best : 'identity'
}

function compress(bytes: Uint8Array, coding: Coding): Uint8Array {
  if (coding === 'identity') return bytes
  // Loaded on first use, since loading takes 10 ms and would delay every start.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib')
  if (coding === 'gzip') return gzipSync(bytes, { level: gzipLevel })
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants
  return brotliCompressSync(bytes, { params: { [quality]: brotliQuality, [hint]: bytes.length } })
}

function parseItem(item: string): [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const number = quality === undefined ? 1 : Number(quality.slice(2))
  return [name, number >= 0 && number <= 1 ? number : 0]
}

/**
 * The answer in a coding that the client accepts; 304 if the client has it. Each coding has a strong ETag of its own. The
 * text has one byte per character.
 */
export function toCodedAnswer(call: Call, answer: TextAnswer): TextAnswer {
  const { headers, pieces } = answer
  addVary(headers, 'Accept-Encoding')
  const coding = chooseCoding(call.head.acceptEncoding)
  setCoding(headers, coding)
  const known = orNotModified(call, answer)
  if (known.status === 304 || coding === 'identity') return known
  const bytes = compress(Buffer.from(pieces.join(''), 'latin1'), coding)
  return { ...answer, pieces: [toBinaryText(bytes)], isBinary: true }
}

/** One character per byte. */
export function toBinaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** A body that many requests get, compressed once per coding. */
export interface CodedBody {
  read(coding: Coding): Uint8Array
}

export function createCodedBody(content: string | Uint8Array): CodedBody {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const coded = new Map<Coding, Uint8Array>()
  return {
    read(coding) {
      const known = coded.get(coding) ?? compress(bytes, coding)
      coded.set(coding, known)
      return known
    },
  }
}

/** The same for such a body. An ETag in the headers is that of the uncompressed body. */
export function respondCoded(call: Call, headers: Headers, body: CodedBody): Response {
  const coding = chooseCoding(call.head.acceptEncoding)
  addVary(headers, 'Accept-Encoding')
  setCoding(headers, coding)
  const etag = headers.get('ETag')
  if (etag !== null && isKnown(call.head, etag)) return new Response(null, { status: 304, headers })
  return new Response(Buffer.from(body.read(coding)), { headers })
}

function setCoding(headers: Headers, coding: Coding): void {
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  const etag = headers.get('ETag')
  if (etag !== null) headers.set('ETag', etag.replace(/"$/, `.${coding}"`))
}

function addVary(headers: Headers, name: string): void {
  const vary = headers.get('Vary')
  headers.set('Vary', vary === null ? name : `${vary}, ${name}`)
}
