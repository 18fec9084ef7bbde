import { fieldNames, fields, isFieldName } from './fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.ts'
import { toBody, toBodyText, type VideoRecord } from './record.ts'
import { isSlug } from './text/slug.ts'
import { isTimestamp } from './timestamp.ts'

type CheckedBody =
  | { readonly ok: true; readonly record: VideoRecord }
  /** `record` is set if every field is present with the right type, so the record is readable despite the problem. */
  | { readonly ok: false; readonly problem: string; readonly record: VideoRecord | null }

/** Whether stored bytes are exactly what `toBody` writes for a valid record. */
export function checkBody(body: Uint8Array): CheckedBody {
  const value = parse(body)
  if (value === null) return { ok: false, problem: 'its bytes are not a record', record: null }
  // True if every field has the type that `fields` declares, which is checked here.
  const record = fieldNames.every((name) => hasRightType(name, value[name])) ? (value as unknown as VideoRecord) : null
  const problem = findInvalidField(value)
  if (problem !== null || record === null)
    return { ok: false, problem: problem ?? 'its bytes are not a record', record }
  // Also detects duplicate names, other spellings of the same value, and characters that are not escaped.
  if (Buffer.from(toBody(record)).equals(body)) return { ok: true, record }
  return { ok: false, problem: 'its bytes are not in canonical form', record }
}

function parse(body: Uint8Array): JsonObject | null {
  try {
    const value: JsonValue = JSON.parse(toBodyText(body))
    return isJsonObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function findInvalidField(value: JsonObject): string | null {
  const unknown = Object.keys(value).find((name) => !isFieldName(name))
  if (unknown !== undefined) return `it has an unknown field ${JSON.stringify(unknown)}`
  for (const name of fieldNames) {
    if (!Object.hasOwn(value, name)) return `its field ${name} is missing`
    const problem = findInvalidValue(name, value[name] ?? null)
    if (problem !== null) return `its field ${name} is invalid: ${problem}`
  }
  return null
}

function findInvalidValue(name: keyof typeof fields, value: JsonValue): string | null {
  const field = fields[name]
  if (field.access === 'read') return readOnlyChecks[name as keyof typeof readOnlyChecks](value)
  const parsed = field.kind.parse(value)
  if (!parsed.ok) return parsed.problems.join(' ')
  return isSameJson(parsed.value, value) ? null : 'Not in its canonical form.'
}

const readOnlyChecks = {
  id: (value: JsonValue) => (Number.isSafeInteger(value) && Number(value) > 0 ? null : 'Must be a positive integer.'),
  slug: (value: JsonValue) =>
    typeof value === 'string' && isSlug(value) ? null : 'Must be lowercase words joined by hyphens.',
  added: checkTimestamp,
  updated: checkTimestamp,
}

function checkTimestamp(value: JsonValue): string | null {
  return typeof value === 'string' && isTimestamp(value)
    ? null
    : 'Must be a time in the format YYYY-MM-DDThh:mm:ss.mmm.'
}

function hasRightType(name: keyof typeof fields, value: JsonValue | undefined): boolean {
  const field = fields[name]
  const { type, nullable } = field.access === 'read' ? { type: field.type, nullable: false } : field.kind
  if (value === null) return nullable
  if (type === 'list') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === (type === 'integer' || type === 'choice' ? 'number' : 'string')
}
