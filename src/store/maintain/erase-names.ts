import type { Database } from '../database.ts'
import { toAliasesSql, toEndSql } from '../write/names/merges.ts'
import type { NameKind } from '../write/names/name-entries.ts'
import { createUsedSlugs } from '../write/names/retired-names.ts'

interface Row {
  readonly id: number
  readonly slug: string
}

/**
 * Deletes those of these names that no record has, with their aliases. An alias of a name that records have stays:
 * addresses lead from it to that name (decision 52).
 */
export async function eraseNames(db: Database, kind: NameKind, names: readonly string[]): Promise<void> {
  const slugs = createUsedSlugs(db, kind)
  const used = `EXISTS (SELECT 1 FROM record_${kind} WHERE ${kind}_id = ${kind}.id)`
  const find = db.query<Row, [string]>(`SELECT id, slug FROM ${kind} WHERE name = ? AND NOT ${used}`)
  const findUsedEnd = db.query<unknown, [number]>(`SELECT 1 FROM ${kind} WHERE id IN (${toEndSql(kind)}) AND ${used}`)
  const listAliases = db.query<Row & { isUsed: number }, [number]>(
    toAliasesSql(kind, `id, slug, CASE WHEN ${used} THEN 1 ELSE 0 END AS "isUsed"`),
  )
  const release = db.query<null, [number]>(`UPDATE ${kind} SET merged_into = NULL WHERE id = ?`)
  const remove = db.query<null, [number]>(`DELETE FROM ${kind} WHERE id = ?`)
  const removePiece = db.query<null, [number]>(`DELETE FROM ${kind}_piece WHERE rowid = ?`)

  function erase({ id, slug }: Row): void {
    remove.send(id)
    removePiece.send(id)
    slugs.retire(id, slug)
  }

  for (const name of new Set(names)) {
    const row = await find.get(name)
    if (row === null || (await findUsedEnd.get(row.id)) !== null) continue
    for (const { isUsed, ...alias } of await listAliases.all(row.id)) {
      if (isUsed === 1) release.send(alias.id)
      else erase(alias)
    }
    erase(row)
  }
}
