import { type ParsedBody, parseJsonBody, parseObjectBody } from '../../http/body.ts'
import type { RecordChange } from '../../record/command.ts'
import { parsePatch } from '../../record/json-patch.ts'
import { parseFields } from '../../record/record.ts'

const jsonType = 'application/json'
const patchType = 'application/json-patch+json'
export const putTypes: readonly string[] = [jsonType]
export const patchTypes: readonly string[] = [jsonType, 'application/merge-patch+json', patchType]

/** The change that the body of a PUT or PATCH asks for. */
export function parseChange(bytes: Uint8Array, method: string, type: string, id: number): ParsedBody<RecordChange> {
  if (type === patchType) return parsePatchBody(bytes)
  const body = parseObjectBody(bytes)
  if (!body.ok) return body
  const parsed = parseFields(body.value, method === 'PUT' ? 'whole' : 'part', id)
  if (!parsed.ok) return { ok: false, problem: { code: 'bad_fields', errors: parsed.errors } }
  return { ok: true, value: { kind: method === 'PUT' ? 'replace' : 'merge', changes: parsed.changes } }
}

function parsePatchBody(bytes: Uint8Array): ParsedBody<RecordChange> {
  const body = parseJsonBody(bytes)
  if (!body.ok) return body
  const patch = parsePatch(body.value)
  if (!patch.ok) return { ok: false, problem: { code: 'bad_json', detail: patch.problem } }
  return { ok: true, value: { kind: 'patch', operations: patch.operations } }
}
