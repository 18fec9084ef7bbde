import type { JsonValue } from './json/json-value.ts'

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
