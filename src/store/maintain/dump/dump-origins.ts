import { withoutUserInfo } from '../../../record/text/address.ts'
import type { Database } from '../../database.ts'

type OriginTable = 'origin' | 'origin_alias' | 'category_origin'
type Row = { readonly [column: string]: string | number | null | Uint8Array }

/**
 * Takes passwords out of the names of sources in a dump of an older version. Rows that are then of the same place are
 * treated as at an upgrade (schema/upgrade-origins.ts): the name that had no password goes first, then the first in the
 * alphabet. Another record gets its number behind its path; another alias or category is left out. Gives the row as it
 * can be inserted, or null.
 */
export function createOriginCleaner(db: Database): (table: OriginTable, row: Row) => Promise<Row | null> {
  /** By table and place: the name of its row, where that had a password in it. */
  const formerNames = new Map<string, string>()

  async function isTaken(table: OriginTable, { source, path }: Place): Promise<boolean> {
    return (await db.query(`SELECT 1 FROM ${table} WHERE source = ? AND path = ?`).get(source, path)) !== null
  }

  /** Of the row that has the place. */
  function giveWay(table: OriginTable, { source, path }: Place): void {
    const renumber = `UPDATE origin SET path = path || ' (record ' || record_id || ')'`
    const sql = table === 'origin' ? renumber : `DELETE FROM ${table}`
    db.query(`${sql} WHERE source = ? AND path = ?`).send(source, path)
  }

  return async (table, row) => {
    const name = String(row.source)
    const place = { source: withoutUserInfo(name), path: String(row.path) }
    const clean = { ...row, ...place }
    const key = JSON.stringify([table, place.source, place.path])
    const former = formerNames.get(key)
    const isClean = name === place.source
    // Two rows with the same name and path are a mistake, which the table refuses.
    if (former === name || (former === undefined && (isClean || !(await isTaken(table, place))))) {
      if (!isClean) formerNames.set(key, name)
      return clean
    }
    const goesFirst = former !== undefined && (isClean || name < former)
    if (!goesFirst) return table === 'origin' ? { ...clean, path: `${place.path} (record ${row.record_id})` } : null
    giveWay(table, place)
    if (isClean) formerNames.delete(key)
    else formerNames.set(key, name)
    return clean
  }
}

interface Place {
  readonly source: string
  readonly path: string
}
