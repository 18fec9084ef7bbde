import type { FieldName } from '../../record/fields.ts'
import { fromBody, toAsciiJson } from '../../record/json-body.ts'

const comma = Buffer.from(',')

/** A page is made in memory, and once more for its answer; a hundred records of ordinary size have under 1 MiB. */
export const maxPageBytes = 64 * 1024 * 1024

/**
 * The records' bytes, joined by commas: stored ones are spliced, not parsed, unless only some fields are wanted. Null
 * where several are too large together; one alone never is.
 */
export function joinBodies(bodies: Iterable<Uint8Array>, fields: readonly FieldName[] | null): Uint8Array | null {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (const body of bodies) {
    const part = fields === null ? body : toPart(body, fields)
    bytes += part.byteLength
    if (bytes > maxPageBytes && parts.length > 0) return null
    parts.push(part)
  }
  return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part])))
}

function toPart(body: Uint8Array, fields: readonly FieldName[]): Uint8Array {
  const record = fromBody(body)
  return Buffer.from(toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]]))), 'latin1')
}
