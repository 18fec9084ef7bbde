import type { Filters } from '../../../record/query/query.ts'
import type { Visibility } from '../../../record/visibility.ts'
import type { Database } from '../../database.ts'
import { toEndSql } from '../../write/names/merges.ts'
import type { NameTable } from '../../write/names/retired-names.ts'

/**
 * Finds the entry that an alias stands for (decision 52). An alias that has records which the caller sees is an entry of its
 * own. A category that was hidden when it was merged stands for nothing to callers who do not see drafts: its slug and
 * title were never public (decision 72).
 */
export interface CurrentEntries {
  /** The id itself unless it is an alias. */
  findCurrent(id: number, visibility: Visibility): Promise<number>
}

export function createCurrentEntries(db: Database, table: NameTable): CurrentEntries {
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

function toRecordSql(table: NameTable, visibility: Visibility): string {
  const visible = visibility === 'all' ? '' : ' AND state = 1'
  if (table === 'category') return `SELECT 1 FROM listing WHERE category_id = ?${visible} LIMIT 1`
  return `SELECT 1 FROM record_${table} JOIN listing ON listing.id = record_id WHERE ${table}_id = ?${visible} LIMIT 1`
}

/** Makes filters by an alias filters by the entry that it stands for. */
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

  /** `text`: a slug or a title. One that an unmerged category has stays as it is. */
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
