import { isJsonObject, type JsonObject, type JsonValue } from '../record/json/json-value.ts'
import { parseJson } from '../record/json/strict-json.ts'
import type { Head } from './head.ts'
import type { Problem } from './problem.ts'

/** Whether the body is of one of these types, in UTF-8, not encoded. The type found, or the problem. */
export function judgeBodyType<T extends string>(head: Head, types: readonly T[]): T | Problem {
  const [type = '', ...parameters] = (head.contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset'))
  const isUtf8 = charsets.every((charset) => /^charset=("utf-8"|utf-8)$/.test(charset))
  const found = types.find((each) => each === type)
  if (found !== undefined && isUtf8 && head.contentEncoding === undefined) return found
  return {
    code: 'wrong_body_type',
    detail: `The body must be ${types.join(' or ')} in UTF-8, without Content-Encoding.`,
  }
}

/** A Content-Length is judged before a byte is read, a stream is counted while it comes. */
export async function readBody(request: Request, head: Head, maxBytes: number): Promise<Uint8Array | Problem> {
  const tooLarge: Problem = { code: 'body_too_large', detail: `The body may have at most ${maxBytes} bytes.` }
  if (head.contentLength !== undefined && Number(head.contentLength) > maxBytes) return tooLarge
  if (head.contentLength !== undefined) return request.bytes()
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (request.body === null) return new Uint8Array()
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function parseJsonBody(bytes: Uint8Array): { readonly value: JsonValue } | Problem {
  if (bytes.byteLength === 0) return { code: 'bad_json', detail: 'The body is empty; it must be JSON.' }
  const parsed = parseJson(bytes)
  return parsed.ok
    ? { value: parsed.value }
    : { code: 'bad_json', detail: `The body is not valid JSON. ${parsed.problem}` }
}

export function parseObjectBody(bytes: Uint8Array): { readonly value: JsonObject } | Problem {
  const body = parseJsonBody(bytes)
  if ('code' in body) return body
  if (!isJsonObject(body.value)) return { code: 'bad_json', detail: 'The body must be one JSON object.' }
  return { value: body.value }
}
