import type { Changes } from '../../src/record/record.ts'
import type { Database } from '../../src/store/database.ts'
import { createImporter } from '../../src/store/import/importer.ts'

/** Imports live talks of one category as batch 1; their ids count from 1. */
export async function importTalks(
  db: Database,
  count: number,
  category: string,
  others: Changes = {},
  ids: readonly number[] = [],
): Promise<void> {
  const options = { source: 'test', author: 'import', reason: null, state: 1, isDryRun: false } as const
  const importer = createImporter(db, { ...options, hasPath: () => true, now: Date.now })
  const talks = Array.from({ length: count }, (_, i) => ({
    path: `${i}`,
    id: ids[i] ?? null,
    slug: null,
    added: null,
    updated: null,
    isTakenDown: false,
    unfitNames: [],
    changes: { category, title: `Talk ${i}`, source_url: `https://www.youtube.com/watch?v=talk${i}`, ...others },
    toExtras: () => null,
  }))
  if ((await importer.run(talks, [])).length !== count) throw new Error('not all talks came in')
}
