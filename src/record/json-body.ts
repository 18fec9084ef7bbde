import { fieldNames } from './fields.ts'
import type { JsonValue } from './json-value.ts'
import type { VideoRecord } from './record.ts'

/**
 * Compact ASCII JSON without `<`, `>` and `&`: the same value to every parser, and inert when a browser takes it
 * for HTML.
 */
export function toAsciiJson(value: JsonValue): string {
  return JSON.stringify(value).replace(/[<>&\u0080-\uffff]/g, toEscape)
}

/** The exact bytes that are stored and served: the table's fields in the table's order. */
export function toBody(record: VideoRecord): Uint8Array {
  return Buffer.from(toAsciiJson(toOrdered(record)), 'latin1')
}

/** Reads back what `toBody` wrote; only for bytes of our own store. */
export function fromBody(body: Uint8Array): VideoRecord {
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'))
}

function toOrdered(record: VideoRecord): { readonly [name: string]: JsonValue } {
  const ordered: Record<string, JsonValue> = {}
  for (const name of fieldNames) ordered[name] = record[name]
  return ordered
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
