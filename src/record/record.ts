import {
  type FieldName,
  fields,
  isFieldName,
  isWritableName,
  type ValueOf,
  type WritableName,
  writableNames,
} from './fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from './json/json-value.ts'

/** One recorded talk, as the API serves it. */
export type VideoRecord = { readonly [F in FieldName]: ValueOf<F> }
/** Values for some of the writable fields, each in the form that is stored. */
export type Changes = { readonly [F in WritableName]?: ValueOf<F> }
/** A map, because a client may send a field called `__proto__`. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

export type ParsedFields =
  | { readonly ok: true; readonly changes: Changes }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `whole` bodies (POST, PUT) must have the required fields; `part` bodies (PATCH) have only what changes. */
export type BodyKind = 'whole' | 'part'

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
  if (!isFieldName(name)) return ['Unknown field.']
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

/** The writable fields of a record: what a client would send to create a copy. */
export function toChanges(record: VideoRecord): Changes {
  // `Changes` is `VideoRecord` without the read-only fields.
  return Object.fromEntries(writableNames.map((name) => [name, record[name]])) as Changes
}
