import { fieldNames } from '../fields.ts'
import type { VideoRecord } from '../record.ts'
import type { JsonValue } from './json-value.ts'

/**
 * Compact ASCII JSON without `<`, `>` and `&`: the same value to every parser, and inert when a browser takes it
 * for HTML.
 */
export function toAsciiJson(value: JsonValue): string {
  return toAscii(JSON.stringify(value))
}

/** The same JSON, of any text of JSON. */
export function toAscii(json: string): string {
  return json.replace(/[<>&\u0080-\uffff]+/g, toEscapes)
}

/** The exact bytes that are stored and served: the table's fields in the table's order. */
export function toBody(record: VideoRecord): Uint8Array {
  return Buffer.from(toAsciiJson(toOrdered(record)), 'latin1')
}

/** Reads back what `toBody` wrote; only for bytes of our own store. */
export function fromBody(body: Uint8Array): VideoRecord {
  return fromBodyText(toBodyText(body))
}

export function fromBodyText(text: string): VideoRecord {
  return JSON.parse(text)
}

/** The same text, unread: a character for each byte. */
export function toBodyText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}

function toOrdered(record: VideoRecord): { readonly [name: string]: JsonValue } {
  const ordered: Record<string, JsonValue> = {}
  for (const name of fieldNames) ordered[name] = record[name]
  return ordered
}

/** Of each byte. */
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A run at a time: texts in other scripts are long runs, and a call for each character would take four times as long. */
function toEscapes(run: string): string {
  let escapes = ''
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    escapes += `\\u${hex[code >> 8]}${hex[code & 0xff]}`
  }
  return escapes
}
