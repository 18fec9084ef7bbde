import type { EntryKind } from '../../../record/name.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { FoundName, NameQuery, VocabularyName } from '../../../record/query/vocabulary.ts'
import type { Visibility } from '../../../record/state.ts'
import { toSortKey } from '../../../record/text/fold.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import type { NamedRow } from '../../name-reads.ts'
import { type FieldVersionRow, newestFieldsSql } from '../../write/field-versions.ts'
import { toAliasesSql, toEndSql } from '../../write/names/name-entries.ts'
import { toStoredProfile } from '../../write/names/profile-rows.ts'
import { createStatements } from '../statements.ts'

/** Finds one speaker or tag, or the one that the id of an alias stands for. Counted in the columns once these are loaded (decision 43). */
export function createNameFinder(db: Database, columns: RecordColumns, onStep?: () => void) {
  const prepare = createStatements(db, onStep)
  const entries = { speaker: createCurrentEntries(db, 'speaker'), tag: createCurrentEntries(db, 'tag') }

  async function listAliases(kind: NameQuery['kind'], id: number): Promise<string[]> {
    const found = await prepare<{ name: string }>(toAliasesSql(kind, 'name')).all(id)
    return found.map(({ name }) => name).sort(compareCodePoints)
  }

  /** Found by the index of folded names. */
  async function listSpellings(query: NameQuery, own: NamedRow): Promise<VocabularyName[]> {
    const sql = `SELECT id, name, slug FROM ${query.kind} WHERE key = ? AND id <> ?`
    const found: VocabularyName[] = []
    for (const row of await prepare<NamedRow>(sql).all(toSortKey(own.name), own.id)) {
      found.push({ ...row, count: await count(query, row.id) })
    }
    return found
      .filter((each) => each.count > 0)
      .sort((a, b) => b.count - a.count || compareCodePoints(a.name, b.name))
      .slice(0, maxSpellings)
  }

  function findRow(query: NameQuery): Promise<NamedRow | null> {
    const [column, value] = 'id' in query ? (['id', query.id] as const) : (['slug', query.slug] as const)
    const sql = `SELECT id, name, slug FROM ${query.kind} WHERE ${column} = ?`
    return prepare<NamedRow>(sql).get(value)
  }

  async function count({ kind, visibility }: NameQuery, id: number): Promise<number> {
    await columns.refresh()
    if (columns.isComplete()) return columns.countOf(kind, id, visibility)
    return (await prepare<{ count: number }>(toCountSql(kind, visibility)).get(id))?.count ?? 0
  }

  async function findNamed(query: NameQuery): Promise<NamedRow | null> {
    const row = await findRow(query)
    if ('slug' in query) return row
    const current = row === null ? 0 : await entries[query.kind].findCurrent(row.id, query.visibility)
    return row === null || current === row.id ? row : findRow({ ...query, id: current })
  }

  async function findProfile({ kind }: NameQuery, id: number) {
    return kind === 'tag' ? null : toStoredProfile(await prepare<FieldVersionRow>(newestFieldsSql(kind)).get(id))
  }

  async function find(query: NameQuery): Promise<FoundName | null> {
    const row = await findNamed(query)
    // Counted in either case, so that a slug without visible records takes as long as an unknown one.
    const counted = await count(query, row?.id ?? 0)
    if (row === null || counted === 0) return null
    return {
      ...{ ...row, count: counted, profile: await findProfile(query, row.id) },
      ...(query.hasAliases === true ? { aliases: await listAliases(query.kind, row.id) } : {}),
      ...(query.hasSpellings === true ? { spellings: await listSpellings(query, row) } : {}),
    }
  }
  return (query: NameQuery): Promise<FoundName | null> => db.transaction('read', () => find(query))
}

const maxSpellings = 10

/** How many records with a name the caller sees. */
function toCountSql(kind: NameQuery['kind'], visibility: Visibility): string {
  const visible = visibility === 'all' ? '' : ' AND state = 1'
  return `SELECT count(*) AS count FROM record_${kind} JOIN listing ON id = record_id WHERE ${kind}_id = ?${visible}`
}

/**
 * Finds the current entry of an alias (decision 52). An alias with records that the caller sees is itself an entry. A
 * category that was hidden when it was merged leads nowhere for callers who do not see drafts: its slug and title were
 * never public (decision 72).
 */
interface CurrentEntries {
  /** The id itself unless it is an alias. */
  findCurrent(id: number, visibility: Visibility): Promise<number>
}

export function createCurrentEntries(db: Database, table: EntryKind): CurrentEntries {
  const toAliasSql = (condition: string) =>
    `SELECT 1 FROM ${table} WHERE id = ? AND merged_into IS NOT NULL${condition}`
  const findAlias = {
    all: db.query<unknown, [number]>(toAliasSql('')),
    live: db.query<unknown, [number]>(toAliasSql(table === 'category' ? ' AND listed <> 0' : '')),
  }
  const findRecord = {
    all: db.query<unknown, [number]>(toRecordSql(table, 'all')),
    live: db.query<unknown, [number]>(toRecordSql(table, 'live')),
  }
  const findEnd = db.query<{ id: number }, [number]>(toEndSql(table))
  return {
    async findCurrent(id, visibility) {
      if ((await findAlias[visibility].get(id)) === null || (await findRecord[visibility].get(id)) !== null) return id
      return (await findEnd.get(id))?.id ?? id
    },
  }
}

function toRecordSql(table: EntryKind, visibility: Visibility): string {
  const visible = visibility === 'all' ? '' : ' AND state = 1'
  if (table === 'category') return `SELECT 1 FROM listing WHERE category_id = ?${visible} LIMIT 1`
  return `SELECT 1 FROM record_${table} JOIN listing ON listing.id = record_id WHERE ${table}_id = ?${visible} LIMIT 1`
}

/** Replaces aliases in filters with their current entries. */
export function createFilterResolver(db: Database): (filters: Filters) => Promise<Filters> {
  const speakers = createCurrentEntries(db, 'speaker')
  const tags = createCurrentEntries(db, 'tag')
  const categories = createCurrentEntries(db, 'category')
  const listNamed = db.query<{ id: number; isMerged: number }, [string, string]>(
    `SELECT id, CASE WHEN merged_into IS NULL THEN 0 ELSE 1 END AS "isMerged" FROM category WHERE slug = ? OR title = ?`,
  )
  const findSlug = db.query<{ slug: string }, [number]>('SELECT slug FROM category WHERE id = ?')

  async function resolveIds({ findCurrent }: CurrentEntries, ids: readonly number[], visibility: Visibility) {
    const found: number[] = []
    for (const id of ids) found.push(await findCurrent(id, visibility))
    return found
  }

  /** `text`: a slug or a title. That of an unmerged category stays as it is. */
  async function resolveCategory(text: string, visibility: Visibility): Promise<string> {
    const named = await listNamed.all(text, text)
    const [merged] = named
    if (merged === undefined || named.some(({ isMerged }) => isMerged === 0)) return text
    const current = await categories.findCurrent(merged.id, visibility)
    return current === merged.id ? text : ((await findSlug.get(current))?.slug ?? text)
  }

  return async (filters) => {
    const { visibility, category, speakerIds, tagIds } = filters
    return {
      ...filters,
      ...(category === undefined ? {} : { category: await resolveCategory(category, visibility) }),
      ...(speakerIds === undefined ? {} : { speakerIds: await resolveIds(speakers, speakerIds, visibility) }),
      ...(tagIds === undefined ? {} : { tagIds: await resolveIds(tags, tagIds, visibility) }),
    }
  }
}
