import type { NameQuery, NameRow } from '../../../record/query/vocabulary.ts'
import type { Visibility } from '../../../record/visibility.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import { toAliasesSql } from '../../write/names/merges.ts'
import { createStatements } from '../statements.ts'
import { createCurrentEntries } from './current-entries.ts'

/** Finds one speaker or tag, or the one that the id of an alias stands for. Counted in the columns once these are loaded (decision 43). */
export function createNameFinder(db: Database, columns: RecordColumns, onStep?: () => void) {
  const prepare = createStatements(db, onStep)
  const entries = { speaker: createCurrentEntries(db, 'speaker'), tag: createCurrentEntries(db, 'tag') }

  async function listAliases(kind: NameQuery['kind'], id: number): Promise<string[]> {
    const found = await prepare<{ name: string }>(toAliasesSql(kind, 'name')).all(id)
    return found.map(({ name }) => name).sort(compareCodePoints)
  }

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

  async function findNamed(query: NameQuery): Promise<Omit<NameRow, 'count'> | null> {
    const row = await findRow(query)
    if ('slug' in query) return row
    const current = row === null ? 0 : await entries[query.kind].findCurrent(row.id, query.visibility)
    return row === null || current === row.id ? row : findRow({ ...query, id: current })
  }

  async function find(query: NameQuery): Promise<NameRow | null> {
    const row = await findNamed(query)
    // Counted either way, so that a slug without visible records takes as long as one that nobody had.
    const counted = await count(query, row?.id ?? 0)
    if (row === null || counted === 0) return null
    const found = { ...row, count: counted }
    return query.hasAliases === true ? { ...found, aliases: await listAliases(query.kind, row.id) } : found
  }
  return (query: NameQuery): Promise<NameRow | null> => db.transaction('read', () => find(query))
}

/** How many records with a name the caller sees. */
function toCountSql(kind: NameQuery['kind'], visibility: Visibility): string {
  const visible = visibility === 'all' ? '' : ' AND state = 1'
  return `SELECT count(*) AS count FROM record_${kind} JOIN listing ON id = record_id WHERE ${kind}_id = ?${visible}`
}
