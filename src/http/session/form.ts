import { readBody, requireBodyType } from '../body.ts'
import { Refused } from '../problem/problem.ts'
import type { Form, HttpCall } from '../route.ts'

export const maxFormBytes = 4 * 1024 * 1024

const types = ['multipart/form-data'] as const

export async function readForm(call: HttpCall, maxBytes: number): Promise<Form> {
  requireBodyType(call.head, types)
  const bytes = await readBody(call, maxBytes)
  const form: Form = new URLSearchParams()
  for (const [name, value] of (await parseFields(bytes, call.head.contentType ?? '')).entries()) {
    if (typeof value !== 'string') throw new Refused({ code: 'bad_form', detail: 'Forms take no files.' })
    form.append(name, value)
  }
  return form
}

async function parseFields(bytes: Uint8Array, type: string) {
  try {
    // A copy, because the type of a body excludes shared memory.
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw new Refused({ code: 'bad_form' })
  }
}
