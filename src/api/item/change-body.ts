import { parseJsonBody, parseObjectBody } from '../../http/body.ts'
import type { Problem } from '../../http/problem.ts'
import type { RecordChange } from '../../record/command.ts'
import { parsePatch } from '../../record/json/json-patch.ts'
import { parseFields } from '../../record/record.ts'

const jsonType = 'application/json'
const patchType = 'application/json-patch+json'
export const putTypes: readonly string[] = [jsonType]
export const patchTypes: readonly string[] = [jsonType, 'application/merge-patch+json', patchType]

/** What the body of a PUT or PATCH wants of the record. */
export function parseChange(bytes: Uint8Array, method: string, type: string, id: number): RecordChange | Problem {
  if (type === patchType) return parsePatchBody(bytes)
  const body = parseObjectBody(bytes)
  if ('code' in body) return body
  const parsed = parseFields(body.value, method === 'PUT' ? 'whole' : 'part', id)
  if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors }
  return { kind: method === 'PUT' ? 'replace' : 'merge', changes: parsed.changes }
}

function parsePatchBody(bytes: Uint8Array): RecordChange | Problem {
  const body = parseJsonBody(bytes)
  if ('code' in body) return body
  const patch = parsePatch(body.value)
  return patch.ok ? { kind: 'patch', operations: patch.operations } : { code: 'bad_json', detail: patch.problem }
}
