import type { Timestamp } from '../../../record/timestamp.ts'
import type { Activity, BatchActivity, CategoryActivity, DismissalActivity } from '../../change-log.ts'
import type { Database, Value } from '../../database.ts'

/** Which changes that are no versions of records: up to this time, from `since` on, of this author and category. */
export interface OtherFilter {
  readonly until: Timestamp
  readonly since: string
  readonly by: string | null
  readonly category: number | null
}

type CategoryRow = Omit<CategoryActivity, 'is' | 'changed'> & { readonly changed: string }
type DismissalRow = Omit<DismissalActivity, 'is' | 'names'> & { readonly ids: string }

/** Changes of categories, dismissed variants, and batches that changed no record. */
export function createOtherLines(db: Database) {
  const findName = {
    speaker: db.query<{ name: string }, [number]>('SELECT name FROM speaker WHERE id = ?'),
    tag: db.query<{ name: string }, [number]>('SELECT name FROM tag WHERE id = ?'),
  }

  async function readNames(of: 'speaker' | 'tag', ids: readonly number[]): Promise<(string | null)[]> {
    const names: (string | null)[] = []
    for (const id of ids) names.push((await findName[of].get(id))?.name ?? null)
    return names
  }

  async function listCategories(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const narrowed = filter.category === null ? '' : ' AND category_id = ?'
    const sql = `SELECT number AS version, at, author AS "by", reason, changed, slug, title
      FROM category_version JOIN category ON category.id = category_id
      WHERE ${where}${narrowed} ORDER BY at DESC, category_id, number DESC LIMIT ?`
    const category = filter.category === null ? [] : [filter.category]
    const rows = await db.query<CategoryRow, Value[]>(sql).all(...values, ...category, limit)
    return rows.map(({ changed, ...row }) => ({ is: 'category', ...row, changed: JSON.parse(changed) }))
  }

  async function listDismissals(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT at, author AS "by", kind AS "of", ids FROM dismissed_variant
      WHERE ${where} ORDER BY at DESC, kind, ids LIMIT ?`
    const lines: Activity[] = []
    for (const { ids, ...row } of await db.query<DismissalRow, Value[]>(sql).all(...values, limit)) {
      lines.push({ is: 'dismissal', ...row, names: await readNames(row.of, JSON.parse(ids)) })
    }
    return lines
  }

  async function listBatches(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT id, at, author AS "by", reason, kind, undoes, records FROM batch
      WHERE ${where} AND records = 0 ORDER BY at DESC, id DESC LIMIT ?`
    const rows = await db.query<Omit<BatchActivity, 'is'>, Value[]>(sql).all(...values, limit)
    return rows.map((row) => ({ is: 'batch', ...row }))
  }

  /** Newest first, always in the same order. */
  return async (filter: OtherFilter, limit: number): Promise<readonly Activity[]> => {
    const categories = await listCategories(filter, limit)
    if (filter.category !== null) return categories
    const lines = [...categories, ...(await listDismissals(filter, limit)), ...(await listBatches(filter, limit))]
    return lines.sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1)).slice(0, limit)
  }
}

function toWhere({ until, since, by }: OtherFilter): { readonly where: string; readonly values: readonly Value[] } {
  const times = 'at <= ? AND at >= ?'
  return by === null
    ? { where: times, values: [until, since] }
    : { where: `${times} AND author = ?`, values: [until, since, by] }
}
