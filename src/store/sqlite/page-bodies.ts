import type { Database } from 'bun:sqlite'
import type { FieldName } from '../../record/fields.ts'
import { fromBody, toAsciiJson } from '../../record/json-body.ts'

const comma = Buffer.from(',')

/** A page is made in memory, and once more for its answer; a hundred records of ordinary size have under 1 MiB. */
export const maxPageBytes = 64 * 1024 * 1024

/**
 * The records' bytes, joined by commas: stored ones are spliced, not parsed, unless only some fields are wanted. Null
 * where several are too large together; one alone never is.
 */
export function createPageBodies(
  db: Database,
): (ids: readonly number[], fields: readonly FieldName[] | null) => Uint8Array | null {
  // One question for the whole page: less than half of what a question for each record costs. The ids' order stays.
  const read = db.query<{ body: Uint8Array }, [string]>(
    'SELECT body FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  return (ids, fields) => {
    const parts: Uint8Array[] = []
    let bytes = 0
    for (const { body } of ids.length === 0 ? [] : read.iterate(JSON.stringify(ids))) {
      const part = fields === null ? body : toPart(body, fields)
      bytes += part.byteLength
      if (bytes > maxPageBytes && parts.length > 0) return null
      parts.push(part)
    }
    return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part])))
  }
}

function toPart(body: Uint8Array, fields: readonly FieldName[]): Uint8Array {
  const record = fromBody(body)
  return Buffer.from(toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]]))), 'latin1')
}
