import { fromBody } from '../../record/json-body.ts'
import { createCategoryRows } from './category-rows.ts'
import type { Database } from './database.ts'
import { createDerived } from './derived.ts'
import { isSum, toMark } from './version-rows.ts'

interface Newest {
  readonly id: number
  readonly version: number
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

/** The newest version of each record is the record; everything else is derived from it. Gives their number. */
export function makeRecords(db: Database, onRecord: () => void): number {
  const derived = createDerived(db)
  const categories = createCategoryRows(db)
  const putRow = createPutRow(db)
  const ids = db.query<{ id: number }, []>('SELECT DISTINCT record_id AS id FROM version ORDER BY 1').all()
  for (const { id } of ids) {
    const record = fromBody(putRow(id))
    derived.insert(record, categories.toId(record.category, record.updated))
    onRecord()
  }
  return ids.length
}

/** A record's row is its newest version, if that has the bytes of its checksum; else the row stays. Gives the bytes. */
function createPutRow(db: Database): (id: number) => Uint8Array {
  const findNewest = db.query<Newest, [number]>(
    `SELECT record_id AS id, number AS version, checksum, body FROM version
     WHERE record_id = ? ORDER BY number DESC LIMIT 1`,
  )
  const findRow = db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?')
  const put = db.query(
    `INSERT INTO record (id, version, mark, state, slug, updated, body)
     VALUES ($id, $version, $mark, $state, $slug, $updated, $body)
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, mark = excluded.mark, state = excluded.state,
       slug = excluded.slug, updated = excluded.updated, body = excluded.body`,
  )
  return (id) => {
    const newest = findNewest.get(id)
    if (newest === null) throw new Error(`record ${id} has no version`)
    const { version, checksum } = newest
    const body = isSum(checksum, newest.body) ? newest.body : (findRow.get(id)?.body ?? newest.body)
    const { state, slug, updated } = fromBody(body)
    put.run({ id, version, mark: toMark(version, checksum), state, slug, updated, body })
    return body
  }
}
