import type { Database } from 'bun:sqlite'
import type { FieldName } from '../../record/fields.ts'
import { fromBody, toAsciiJson } from '../../record/json-body.ts'

const comma = Buffer.from(',')

/** The records' bytes, joined by commas: stored ones are spliced, not parsed, unless only some fields are wanted. */
export function createPageBodies(
  db: Database,
): (ids: readonly number[], fields: readonly FieldName[] | null) => Uint8Array {
  const read = db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?')
  return (ids, fields) => {
    const bodies = ids.flatMap((id) => read.get(id)?.body ?? [])
    const parts = fields === null ? bodies : bodies.map((body) => toPart(body, fields))
    return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part])))
  }
}

function toPart(body: Uint8Array, fields: readonly FieldName[]): Uint8Array {
  const record = fromBody(body)
  return Buffer.from(toAsciiJson(Object.fromEntries(fields.map((name) => [name, record[name]]))), 'latin1')
}
