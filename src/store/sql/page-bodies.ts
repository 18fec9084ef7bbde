import type { FieldName } from '../../record/fields.ts'
import { fromBody, toAsciiJson, toBodyText } from '../../record/json-body.ts'

/** A page is in memory several times until it is sent; a hundred records of ordinary size have under 1 MiB. */
export const maxPageBytes = 64 * 1024 * 1024

/**
 * The records' texts, joined by commas: stored ones are spliced, not parsed, unless only some fields are wanted. Null
 * where several are too large together; one alone never is.
 */
export function joinBodies(bodies: Iterable<Uint8Array>, fields: readonly FieldName[] | null): string | null {
  const parts: string[] = []
  let length = 0
  for (const body of bodies) {
    const part = fields === null ? toBodyText(body) : toPart(body, fields)
    length += part.length
    if (length > maxPageBytes && parts.length > 0) return null
    parts.push(part)
  }
  return parts.join(',')
}

function toPart(body: Uint8Array, fields: readonly FieldName[]): string {
  const record = fromBody(body)
  return toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]])))
}
