import type { JsonValue } from './json/json-value.ts'

/**
 * What a source says beside the fields of a record or category is kept up to this size, as JSON. Imports refuse more,
 * so that a dump of what they stored can be read in again.
 */
export const maxExtrasBytes = 16 * 1024 * 1024

/** A line of a dump. It has what is kept as a text in JSON, which may double it, and a record's fields. */
export const maxDumpLineBytes = 4 * maxExtrasBytes

/** Whether a value is too large to be kept. Hardly any is, so it is written out only where that is possible. */
export function isTooLargeForExtras(value: JsonValue): boolean {
  return toMostBytes(value) > maxExtrasBytes && Buffer.byteLength(JSON.stringify(value)) > maxExtrasBytes
}

/** At least as many bytes as the value has as JSON: every character may be an escape, every number a long one. */
function toMostBytes(value: JsonValue): number {
  if (typeof value === 'string') return value.length * 6 + 3
  if (typeof value !== 'object' || value === null) return 32
  let bytes = 3
  if (Array.isArray(value)) for (const each of value) bytes += toMostBytes(each)
  else for (const [name, each] of Object.entries(value)) bytes += name.length * 6 + 4 + toMostBytes(each)
  return bytes
}
