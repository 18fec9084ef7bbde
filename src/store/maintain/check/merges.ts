import type { Database } from '../../database.ts'
import type { NameTable } from '../../write/names/retired-names.ts'
import type { Finding } from './finding.ts'

const tables: readonly NameTable[] = ['speaker', 'tag', 'category']

/** Checks that every alias leads to an entry, and that no id of a deleted row is used again (decision 52). */
export async function* checkMerges(db: Database): AsyncGenerator<Finding> {
  for (const table of tables) {
    const astray = db.query<{ id: number }, []>(toAstraySql(table))
    for await (const { id } of astray.iterate()) yield { id: null, what: `the ${table} ${id} is an alias of nothing` }
    const reused = db.query<{ id: number }, []>(
      `SELECT id FROM ${table} WHERE id IN (SELECT id FROM retired_name WHERE kind = '${table}') ORDER BY id`,
    )
    for await (const { id } of reused.iterate())
      yield { id: null, what: `the ${table} ${id} has the id of one that was deleted` }
  }
}

/** Aliases that no path from a row that is no alias leads back to: they point to a missing row, or in a circle. */
const toAstraySql = (table: NameTable) => `
  WITH RECURSIVE good (id) AS (
    SELECT id FROM ${table} WHERE merged_into IS NULL
    UNION SELECT ${table}.id FROM ${table} JOIN good ON merged_into = good.id
  ) SELECT id FROM ${table} WHERE id NOT IN (SELECT id FROM good) ORDER BY id`
