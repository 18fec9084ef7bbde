import type { Database } from '../../database.ts'
import type { NameTable } from './retired-names.ts'

/** The end of the chain of `merged_into` that begins with a row. UNION ends even a damaged chain that is a loop. */
export const toEndSql = (table: NameTable, start = 'id = ?') => `
  WITH RECURSIVE chain (id, target) AS (
    SELECT id, merged_into FROM ${table} WHERE ${start}
    UNION SELECT ${table}.id, merged_into FROM ${table} JOIN chain ON ${table}.id = chain.target
  ) SELECT id FROM chain WHERE target IS NULL`

/** All rows whose chain leads to a row. */
export const toAliasesSql = (table: NameTable, columns: string) => `
  WITH RECURSIVE alias (id) AS (
    SELECT id FROM ${table} WHERE merged_into = ?
    UNION SELECT ${table}.id FROM ${table} JOIN alias ON merged_into = alias.id
  ) SELECT ${columns} FROM ${table} WHERE id IN (SELECT id FROM alias)`

/** Which names and categories are aliases of others: rows stay, and point to the row they were merged into (decision 52). */
export interface Merges {
  /** The row itself unless it is an alias; null if there is no such row. */
  findEnd(id: number): Promise<number | null>
  set(id: number, into: number | null): void
  /** Whether the chain of `into` leads to `id`. */
  wouldLoop(id: number, into: number | null): Promise<boolean>
}

/**
 * `listed` of a category: 1 if it is shown to everybody even while it is empty; 2 if it is not, but was public when it
 * was merged, so that its address leads on for everybody (decision 72).
 */
const setCategorySql = `
  UPDATE category SET merged_into = ?, listed = CASE
    WHEN listed = 0 AND EXISTS (SELECT 1 FROM listing WHERE category_id = category.id AND state = 1) THEN 2
    ELSE listed END
  WHERE id = ?`

export function createMerges(db: Database, table: NameTable): Merges {
  const findEnd = db.query<{ id: number }, [number]>(toEndSql(table))
  const listAliases = db.query<{ id: number }, [number]>(toAliasesSql(table, 'id'))
  const setSql = table === 'category' ? setCategorySql : `UPDATE ${table} SET merged_into = ? WHERE id = ?`
  const set = db.query<null, [number, number]>(setSql)
  const release = db.query<null, [number]>(`UPDATE ${table} SET merged_into = NULL WHERE id = ?`)
  return {
    findEnd: async (id) => (await findEnd.get(id))?.id ?? null,
    set: (id, into) => (into === null ? release.send(id) : set.send(into, id)),
    wouldLoop: async (id, into) =>
      into !== null && (id === into || (await listAliases.all(id)).some((alias) => alias.id === into)),
  }
}
