import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { type Problem, Refused } from './problem.ts'
import type { HeaderValues } from './respond.ts'
import type { Form, Head, HttpCall } from './route.ts'

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

export const maxFormBytes = 4 * 1024 * 1024
export const maxFields = 1_000
/** Of a form with files: room for a table of 10 MiB, which later steps send packed as text. */
export const maxUploadBytes = 16 * 1024 * 1024

export interface FormLimits {
  readonly bytes: number
  readonly fields: number
  /** Characters to escape in a page that repeats the form. */
  readonly escaped: number
  /** Whether it may have files. */
  readonly takesUploads: boolean
}

/** The fields of a form, and its files by the names of their fields. */
interface ReadForm {
  readonly form: Form
  readonly files: ReadonlyMap<string, Uint8Array>
}

const types = ['multipart/form-data'] as const
/**
 * The characters of RFC 2046. The parser may decode any other character to bytes that `hasMoreParts` does not count.
 */
const boundaryPattern = /;\s{0,8}boundary=(?:"([\w'()\x2b,./:=? -]{1,70})"|([\w'()\x2b,./:=?-]{1,70}))\s{0,8}$/i

export async function readForm(call: HttpCall, limits: FormLimits): Promise<ReadForm> {
  requireBodyType(call.head, types)
  const [, quoted, plain] = boundaryPattern.exec(call.head.contentType ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new Refused({ code: 'bad_form' })
  const bytes = await readBody(call, limits.bytes)
  if (hasMoreParts(bytes, boundary, limits.fields)) {
    throw new Refused({ code: 'bad_form', detail: `A form may have at most ${maxFields} fields.` })
  }
  if (hasMoreEscaped(bytes, limits.escaped)) throw new Refused({ code: 'body_too_large', detail: tooManySigns })
  const form: Form = new URLSearchParams()
  const files = new Map<string, Uint8Array>()
  for (const [name, value] of (await parseFields(bytes, boundary)).entries()) {
    if (typeof value === 'string') form.append(name, value)
    else if (!limits.takesUploads) throw new Refused({ code: 'bad_form', detail: 'Forms take no files.' })
    // A browser sends an empty file for a field in which none was chosen.
    else if (value.size > 0) files.set(name, await value.bytes())
  }
  return { form, files }
}

/** Before anything is parsed: an object for each of 80,000 empty fields would take a third of a second. */
function hasMoreParts(bytes: Uint8Array, boundary: string, max: number): boolean {
  // The last one ends the form.
  return countFound(bytes, [`--${boundary}`], max + 1) > max + 1
}

const tooManySigns = 'The form has too many quotation marks, ampersands and angle brackets to be kept.'

function hasMoreEscaped(bytes: Uint8Array, max: number): boolean {
  return bytes.length > max && countFound(bytes, ['"', '&', '<', '>'], max) > max
}

/** Stops above `max`. */
function countFound(bytes: Uint8Array, texts: readonly string[], max: number): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (const text of texts.map((each) => Buffer.from(each, 'latin1'))) {
    for (
      let offset = body.indexOf(text);
      offset >= 0 && count <= max;
      offset = body.indexOf(text, offset + text.length)
    )
      count++
  }
  return count
}

async function parseFields(bytes: Uint8Array, boundary: string) {
  try {
    // With the boundary that was counted. Copies the body, because the type excludes shared memory.
    const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(new Uint8Array(bytes), { headers }).formData()
  } catch {
    throw new Refused({ code: 'bad_form' })
  }
}
