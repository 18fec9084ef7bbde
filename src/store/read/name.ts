import type { NameQuery, NameRow } from '../../record/query/vocabulary.ts'
import type { Visibility } from '../../record/visibility.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { createStatements } from './statements.ts'

/** Finds one speaker or tag. Counted in the columns once these are loaded (ADR 43). */
export function createNameFinder(db: Database, columns: RecordColumns, onStep?: () => void) {
  const prepare = createStatements(db, onStep)

  function findRow(query: NameQuery): Promise<Omit<NameRow, 'count'> | null> {
    const [column, value] = 'id' in query ? (['id', query.id] as const) : (['slug', query.slug] as const)
    const sql = `SELECT id, name, slug FROM ${query.kind} WHERE ${column} = ?`
    return prepare<Omit<NameRow, 'count'>>(sql).get(value)
  }

  async function count({ kind, visibility }: NameQuery, id: number): Promise<number> {
    await columns.refresh()
    if (columns.isComplete()) return columns.countOf(kind, id, visibility)
    return (await prepare<{ count: number }>(toCountSql(kind, visibility)).get(id))?.count ?? 0
  }

  async function find(query: NameQuery): Promise<NameRow | null> {
    const row = await findRow(query)
    const found = row === null ? null : { ...row, count: await count(query, row.id) }
    return found?.count === 0 ? null : found
  }
  return (query: NameQuery): Promise<NameRow | null> => db.transaction('read', () => find(query))
}

/** How many records with a name the caller sees. */
function toCountSql(kind: NameQuery['kind'], visibility: Visibility): string {
  const visible = visibility === 'all' ? '' : ' AND state = 1'
  return `SELECT count(*) AS count FROM record_${kind} JOIN listing ON id = record_id WHERE ${kind}_id = ?${visible}`
}
