import type { Database } from '../database.ts'
import type { NameIndex } from './name-index.ts'

/**
 * Keeps the titles of categories up to date. Renaming one may change its row after its records, or without any of them,
 * so all are read again after every change. There are a few hundred.
 */
export function createCategoryNames(db: Database, index: NameIndex, counters: readonly (() => number)[]) {
  const readAll = db.query<{ id: number; text: string; slug: string }, []>(
    'SELECT id, title AS text, slug FROM category',
  )
  let known: readonly number[] = []

  /** Within the caller's transaction. */
  return async (): Promise<void> => {
    // Loaded before the rows: a change meanwhile is noticed by the next call.
    const current = counters.map((load) => load())
    // NaN, which means unknown, equals nothing.
    if (known.length > 0 && current.every((each, i) => each === known[i])) return
    const rows = await readAll.all()
    const found = new Set(rows.map(({ id }) => id))
    for (const id of index.listIds('category')) if (!found.has(id)) index.remove('category', id)
    for (const row of rows) index.set({ kind: 'category', ...row })
    known = current
  }
}
