import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { type Changes, type FieldErrors, type ParsedFields, parseFields, type VideoRecord } from '../record.ts'
import type { BulkPatch } from './bulk-request.ts'
import { changeList, isListField, type ListChange, listFields, parseListChange } from './list-change.ts'

type ParsedPatch =
  | { readonly ok: true; readonly patch: BulkPatch }
  | { readonly ok: false; readonly errors: FieldErrors }

/** A merge patch, in which lists may also be `{"add", "remove"}`. */
export function parseBulkPatch(body: JsonObject): ParsedPatch {
  const lists: Record<string, ListChange> = {}
  const errors = new Map<string, readonly string[]>()
  const rest: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(body)) {
    if (name === 'id') errors.set(name, ['Cannot be set. Name the records in "select".'])
    else if (!isListField(name) || !isJsonObject(value)) rest.push([name, value])
    else {
      const parsed = parseListChange(name, value)
      if (parsed.ok) lists[name] = parsed.value
      else errors.set(name, parsed.problems)
    }
  }
  // From entries, so that `__proto__` is an ordinary name.
  const parsed = parseFields(Object.fromEntries(rest), 'part', null)
  if (parsed.ok && errors.size === 0) return { ok: true, patch: { changes: parsed.changes, lists } }
  return { ok: false, errors: new Map([...errors, ...(parsed.ok ? [] : parsed.errors)]) }
}

/** The fields that a patch is about, even where they already have the value. */
export function toPatchedFields({ changes, lists }: BulkPatch): string[] {
  return [...Object.keys(changes), ...Object.keys(lists)]
}

/** The changes of one record. Fails if one of its lists would become too long. */
export function toRecordChanges(record: VideoRecord, { changes, lists }: BulkPatch): ParsedFields {
  const errors = new Map<string, readonly string[]>()
  const changed: { -readonly [F in keyof Changes]: Changes[F] } = { ...changes }
  for (const name of listFields) {
    const change = lists[name]
    const parsed = change === undefined ? null : changeList(name, record[name], change)
    if (parsed?.ok) changed[name] = parsed.value
    else if (parsed !== null) errors.set(name, parsed.problems)
  }
  return errors.size === 0 ? { ok: true, changes: changed } : { ok: false, errors }
}
