import { readBody, requireBodyType } from '../body.ts'
import { Refused } from '../problem/problem.ts'
import type { Form, HttpCall } from '../route.ts'

export const maxFormBytes = 4 * 1024 * 1024
export const maxFields = 1_000

export interface FormLimits {
  readonly bytes: number
  readonly fields: number
  /** Characters that a page which keeps the form has to escape. */
  readonly escaped: number
}

const types = ['multipart/form-data'] as const
/** The characters of RFC 2046: any other one may be other bytes for what reads the form than for what counts its parts. */
const boundaryPattern = /;\s{0,8}boundary=(?:"([\w'()\x2b,./:=? -]{1,70})"|([\w'()\x2b,./:=?-]{1,70}))\s{0,8}$/i

export async function readForm(call: HttpCall, limits: FormLimits): Promise<Form> {
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
  for (const [name, value] of (await parseFields(bytes, boundary)).entries()) {
    if (typeof value !== 'string') throw new Refused({ code: 'bad_form', detail: 'Forms take no files.' })
    form.append(name, value)
  }
  return form
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
    for (let at = body.indexOf(text); at >= 0 && count <= max; at = body.indexOf(text, at + text.length)) count++
  }
  return count
}

async function parseFields(bytes: Uint8Array, boundary: string) {
  try {
    // The boundary that was counted. A copy of the body, because its type excludes shared memory.
    const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(new Uint8Array(bytes), { headers }).formData()
  } catch {
    throw new Refused({ code: 'bad_form' })
  }
}
