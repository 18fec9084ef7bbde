import type { Database } from '../../database.ts'

/** Lists the groups of names that are hidden from the variants; the ids of each in ascending order. */
export function createDismissalList(
  db: Database,
): (kind: 'speaker' | 'tag') => Promise<readonly (readonly number[])[]> {
  const list = db.query<{ ids: string }, [string]>('SELECT ids FROM dismissed_variant WHERE kind = ? ORDER BY ids')
  return async (kind) => (await list.all(kind)).map(({ ids }): number[] => JSON.parse(ids))
}
