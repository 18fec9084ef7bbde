import type { FieldName } from '../../record/fields.ts'
import { fromBodyText, toAsciiJson } from '../../record/json/body-bytes.ts'

/** Stored bodies in the order of the ids, or only these fields of them; null where they are too large together. */
export type ReadBodies = (
  ids: readonly number[],
  fields: readonly FieldName[] | null,
) => Promise<readonly string[] | null>

/** A page is in memory several times until it is sent; a hundred records of ordinary size have under 1 MiB. */
export const defaultPageBytes = 8 * 1024 * 1024
/** A page of the default size is answered however large its records are. */
export const alwaysAnswered = 20

/** The stored bodies, parsed only where some fields are asked for; null where they are too large together. */
export async function takeBodies(
  texts: Iterable<string> | AsyncIterable<string>,
  fields: readonly FieldName[] | null,
  maxBytes: number,
): Promise<readonly string[] | null> {
  const parts: string[] = []
  let length = 0
  for await (const text of texts) {
    const part = fields === null ? text : toPart(text, fields)
    length += part.length
    if (length > maxBytes) return null
    parts.push(part)
  }
  return parts
}

function toPart(text: string, fields: readonly FieldName[]): string {
  const record = fromBodyText(text)
  return toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]])))
}
