import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { createDatabase, openForReading } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createList } from '../../src/store/sqlite/list.ts'

// Runner: long, slow

const records = 5_000
const walks = 6
/** One walk reads about 15 MB of records: kept, they would show after two. */
const maxGrowthBytes = 20_000_000
const timeoutMs = 120_000

test(
  'walking through all records again and again keeps none of them',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rostrum-memory-'))
    try {
      const path = join(folder, 'store.db')
      await createDatabase(path)
      await fill(path, records, () => undefined)
      const db = openForReading(path)
      const list = createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })
      const walk = async () => {
        expect(await walkAll(list)).toBe(records)
        Bun.gc(true)
        return process.memoryUsage().rss
      }
      await walk()
      const before = await walk()
      let after = 0
      for (let times = 0; times < walks; times++) after = await walk()
      expect(after - before).toBeLessThan(maxGrowthBytes)
      db.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  timeoutMs,
)

/** How many records the pages have together. */
async function walkAll(list: ReturnType<typeof createList>): Promise<number> {
  let seen = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const parsed = parseListQuery(new URLSearchParams({ cursor, page_size: '100' }), 'all')
    if (!parsed.ok) throw new Error('a cursor was not understood')
    const page = await list(parsed.query)
    seen += page.records?.length ?? 0
    cursor = page.nextCursor
  }
  return seen
}
