import {
  type FieldName,
  fieldNames,
  fields,
  isFieldName,
  isWritableName,
  type ValueOf,
  type WritableName,
  writableNames,
} from './fields.ts'
import { isSameJson, type JsonObject, type JsonValue, toAsciiJson } from './json.ts'

/** One recorded talk, as the API serves it. */
export type VideoRecord = { readonly [F in FieldName]: ValueOf<F> }
/** Values for some of the writable fields, each in the form that is stored. */
export type Changes = { readonly [F in WritableName]?: ValueOf<F> }
/** A map, because a client may send a field called `__proto__`. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

/** The errors of members that a body may not have; those of others are added. */
export const toUnknownErrors = (others: object) =>
  new Map<string, readonly string[]>(Object.keys(others).map((name) => [name, [unknownField]]))

const unknownField = 'Unknown field.'

export type ParsedFields =
  | { readonly ok: true; readonly changes: Changes }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `whole` bodies (POST, PUT) must have the required fields; `part` bodies (PATCH) have only what changes. */
type BodyKind = 'whole' | 'part'

/** A record has 32 fields; a body with more errors than this is not a record. */
const maxErrors = 100

/** Read-only fields are ignored, since clients send back what they read; only an id must match `ownId`. */
export function parseFields(body: JsonObject, kind: BodyKind, ownId: number | null): ParsedFields {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(body)) {
    if (errors.size >= maxErrors) break
    const problems = isWritableName(name) ? parseInto(changes, name, value) : checkUnwritable(name, value, ownId)
    if (problems.length > 0) errors.set(name, problems)
  }
  if (kind === 'whole') {
    for (const name of writableNames) {
      if (fields[name].absent.is === 'required' && !(name in body)) errors.set(name, ['This field is required.'])
    }
  }
  if (errors.size > 0) return { ok: false, errors }
  // Each entry was returned by the `parse` of its own field.
  return { ok: true, changes: changes as Changes }
}

function parseInto(changes: Record<string, JsonValue>, name: WritableName, value: JsonValue): readonly string[] {
  const parsed = fields[name].kind.parse(value)
  if (!parsed.ok) return parsed.problems
  changes[name] = parsed.value
  return []
}

function checkUnwritable(name: string, value: JsonValue, ownId: number | null): string[] {
  if (!isFieldName(name)) return [unknownField]
  // Old clients send the id as a string.
  if (name === 'id' && ownId !== null && value !== ownId && value !== String(ownId))
    return [`Must be ${ownId}, the id in the URL, or be left out.`]
  return []
}

/** The writable fields in which two records differ. */
export function toChangedFields(before: VideoRecord, after: VideoRecord): WritableName[] {
  return writableNames.filter((name) => !isSameJson(before[name], after[name]))
}

/** Values of fields that a whole body leaves out; `decide` computes the `derived` ones. */
export const toDefaults = (): Changes => defaults

const defaults = readDefaults()

function readDefaults(): Changes {
  const entries = writableNames.flatMap((name) => {
    const { absent } = fields[name]
    return absent.is === 'value' ? [[name, absent.value]] : []
  })
  // Each value has the type of its own field's `absent`.
  return Object.fromEntries(entries) as Changes
}

/** The writable fields of a record, as a client would send them to create a copy. */
export function toChanges(record: VideoRecord): Changes {
  // `Changes` is `VideoRecord` without the read-only fields.
  return Object.fromEntries(writableNames.map((name) => [name, record[name]])) as Changes
}

/** Decimal digits without leading zeros, 1 to 2^53−1; null for anything else. A loop, because every GET runs it. */
export function parseRecordId(text: string): number | null {
  if (text.length === 0 || text.length > 16 || text.charCodeAt(0) === 0x30) return null
  let id = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return null
    id = id * 10 + digit
  }
  return id <= Number.MAX_SAFE_INTEGER ? id : null
}

/**
 * Limit for the extras of a record or category: data of a source that no field can hold, stored as JSON. Imports refuse
 * more, so that every dump can be imported again.
 */
export const maxExtrasBytes = 16 * 1024 * 1024

/** Limit for a line of a dump: the fields of a record, and its extras as a JSON string, which escapes may double. */
export const maxDumpLineBytes = 4 * maxExtrasBytes

/** Whether a value is too large to store. Serializes only values that could exceed the limit. */
export function isTooLargeForExtras(value: JsonValue): boolean {
  return toMaxBytes(value) > maxExtrasBytes && Buffer.byteLength(JSON.stringify(value)) > maxExtrasBytes
}

/** An upper bound for the size as JSON: assumes that every character is escaped and every number is long. */
function toMaxBytes(value: JsonValue): number {
  if (typeof value === 'string') return value.length * 6 + 3
  if (typeof value !== 'object' || value === null) return 32
  let bytes = 3
  if (Array.isArray(value)) for (const each of value) bytes += toMaxBytes(each)
  else for (const [name, each] of Object.entries(value)) bytes += name.length * 6 + 4 + toMaxBytes(each)
  return bytes
}

/** The exact bytes that are stored and served, with the fields in the order of `fields`. */
export function toBody(record: VideoRecord): Uint8Array {
  return Buffer.from(toAsciiJson(toOrdered(record)), 'latin1')
}

/** Reads what `toBody` wrote. Does not validate, so only for bytes from our own store. */
export function fromBody(body: Uint8Array): VideoRecord {
  return fromBodyText(toBodyText(body))
}

export function fromBodyText(text: string): VideoRecord {
  return JSON.parse(text)
}

/** The same text with only these fields. */
export function toPartText(record: VideoRecord, fields: readonly FieldName[]): string {
  return toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]])))
}

/** The body as text, without parsing it. It is ASCII, so one character per byte. */
export function toBodyText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}

function toOrdered(record: VideoRecord): { readonly [name: string]: JsonValue } {
  const ordered: Record<string, JsonValue> = {}
  for (const name of fieldNames) ordered[name] = record[name]
  return ordered
}
