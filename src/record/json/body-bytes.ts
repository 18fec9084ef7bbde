import { type FieldName, fieldNames } from '../fields.ts'
import type { VideoRecord } from '../record.ts'
import type { JsonValue } from './json-value.ts'

/**
 * Compact ASCII JSON without `<`, `>` and `&`: every parser reads the same value, and a browser that mistakes it for
 * HTML finds no markup.
 */
export function toAsciiJson(value: JsonValue): string {
  return toAscii(JSON.stringify(value))
}

/** Escapes JSON text the same way. */
export function toAscii(json: string): string {
  return json.replace(/[<>&\u0080-\uffff]+/g, toEscapes)
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

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Escapes a run at a time: non-Latin text has long runs, and a call per character takes four times as long. */
function toEscapes(run: string): string {
  let escapes = ''
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    escapes += `\\u${hex[code >> 8]}${hex[code & 0xff]}`
  }
  return escapes
}
