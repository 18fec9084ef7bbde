import type { Database } from 'bun:sqlite'
import type { FieldName } from '../../record/fields.ts'
import { fromBody, toAsciiJson } from '../../record/json-body.ts'

const comma = Buffer.from(',')

/** The records' bytes, joined by commas: stored ones are spliced, not parsed, unless only some fields are wanted. */
export function createPageBodies(
  db: Database,
): (ids: readonly number[], fields: readonly FieldName[] | null) => Uint8Array {
  // One question for the whole page: less than half of what a question for each record costs. The ids' order stays.
  const read = db.query<{ body: Uint8Array }, [string]>(
    'SELECT body FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  return (ids, fields) => {
    const bodies = ids.length === 0 ? [] : read.all(JSON.stringify(ids)).map((row) => row.body)
    const parts = fields === null ? bodies : bodies.map((body) => toPart(body, fields))
    return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part])))
  }
}

function toPart(body: Uint8Array, fields: readonly FieldName[]): Uint8Array {
  const record = fromBody(body)
  return Buffer.from(toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]]))), 'latin1')
}
