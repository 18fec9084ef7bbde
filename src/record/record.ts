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

/** One recorded talk, as it is served. */
export type VideoRecord = { readonly [F in FieldName]: ValueOf<F> }
/** Values for some of the fields a client may set; each one is as it will be stored. */
export type Changes = { readonly [F in WritableName]?: ValueOf<F> }
/** A map, because a field may be called `__proto__`. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

export type ParsedFields =
  | { readonly ok: true; readonly changes: Changes }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `whole` bodies (POST, PUT) must have the required fields; `part` bodies (PATCH) say only what changes. */
export type BodyKind = 'whole' | 'part'

/** A record has 32 fields; who gets more than so many wrong has not sent a record. */
const maxErrors = 100

/** Read-only fields are accepted and ignored, since clients send back what they read; but an id must be `ownId`. */
export function parseFields(body: JsonObject, kind: BodyKind, ownId: number | null): ParsedFields {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(body)) {
    if (errors.size >= maxErrors) break
    const problems = isWritableName(name) ? parseInto(changes, name, value) : judgeUnwritable(name, value, ownId)
    if (problems.length > 0) errors.set(name, problems)
  }
  if (kind === 'whole') {
    for (const name of writableNames) {
      if (fields[name].absent.is === 'required' && !(name in body)) errors.set(name, ['This field is required.'])
    }
  }
  if (errors.size > 0) return { ok: false, errors }
  // Every entry came out of its own field's `parse`.
  return { ok: true, changes: changes as Changes }
}

function parseInto(changes: Record<string, JsonValue>, name: WritableName, value: JsonValue): readonly string[] {
  const parsed = fields[name].kind.parse(value)
  if (!parsed.ok) return parsed.problems
  changes[name] = parsed.value
  return []
}

function judgeUnwritable(name: string, value: JsonValue, ownId: number | null): string[] {
  if (!isFieldName(name)) return ['There is no such field.']
  // Old clients send it as text.
  if (name === 'id' && ownId !== null && value !== ownId && value !== String(ownId))
    return [`Must be ${ownId}, the id in the address, or be left out.`]
  return []
}

/** The fields in which two records differ. */
export function toChangedFields(before: VideoRecord, after: VideoRecord): WritableName[] {
  return writableNames.filter((name) => !isSameJson(before[name], after[name]))
}

/** Values of fields left out of a whole body; `derived` ones are decided with the rest. */
export const toDefaults = (): Changes => defaults

const defaults = readDefaults()

function readDefaults(): Changes {
  const entries = writableNames.flatMap((name) => {
    const { absent } = fields[name]
    return absent.is === 'value' ? [[name, absent.value]] : []
  })
  // Each value is typed by its own field's `absent`.
  return Object.fromEntries(entries) as Changes
}

/** All that a client could set, to make another record like this one. */
export function toChanges(record: VideoRecord): Changes {
  // The same fields with the same types, only fewer.
  return Object.fromEntries(writableNames.map((name) => [name, record[name]])) as Changes
}
