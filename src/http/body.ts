import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import type { Head } from './head.ts'
import { Refused } from './problem/problem.ts'
import type { Problem } from './problem/problem-codes.ts'
import type { HeaderValues } from './respond.ts'
import type { HttpCall } from './route.ts'

/** A parsed body, or the problem to answer with. */
export type ParsedBody<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }

/** Returns the media type of the body, which must be one of `types`, in UTF-8 and without Content-Encoding. */
export function requireBodyType<T extends string>(head: Head, types: readonly T[], headers: HeaderValues = {}): T {
  const [type = '', ...parameters] = (head.contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset'))
  const isUtf8 = charsets.every((charset) => /^charset=("utf-8"|utf-8)$/.test(charset))
  const found = types.find((each) => each === type)
  if (found !== undefined && isUtf8 && head.contentEncoding === undefined) return found
  const detail = `The body must be ${types.join(' or ')} in UTF-8, without Content-Encoding.`
  throw new Refused({ code: 'wrong_body_type', detail, headers })
}

/** Checks Content-Length before reading; counts the bytes of a body without one. */
export async function readBody({ request, head }: HttpCall, maxBytes: number): Promise<Uint8Array> {
  const tooLarge: Problem = { code: 'body_too_large', detail: `The body may have at most ${maxBytes} bytes.` }
  if (head.contentLength !== undefined && Number(head.contentLength) > maxBytes) throw new Refused(tooLarge)
  if (head.contentLength !== undefined) return request.bytes()
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (request.body === null) return new Uint8Array()
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Refused(tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function parseJsonBody(bytes: Uint8Array): ParsedBody<JsonValue> {
  if (bytes.byteLength === 0) return toBadJson('The body is empty; it must be JSON.')
  const parsed = parseJson(bytes)
  return parsed.ok ? parsed : toBadJson(`The body is not valid JSON. ${parsed.problem}`)
}

export function parseObjectBody(bytes: Uint8Array): ParsedBody<JsonObject> {
  const body = parseJsonBody(bytes)
  if (!body.ok) return body
  return isJsonObject(body.value) ? { ok: true, value: body.value } : toBadJson('The body must be one JSON object.')
}

function toBadJson(detail: string): ParsedBody<never> {
  return { ok: false, problem: { code: 'bad_json', detail } }
}
