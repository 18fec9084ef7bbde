import { describe, expect, test } from 'bun:test'
import { createRandom } from '../../bench/generated/random.ts'
import { upgradeQuality } from '../../src/store/schema/upgrade-quality.ts'
import { openPostgresStore, openSqliteStore } from './list-stores.ts'
import { toChanges, toCommand } from './random-talks.ts'

const timeoutMs = 120_000
/** More than one chunk of the upgrade. */
const recordCount = 620

const engines = { SQLite: openSqliteStore, PostgreSQL: openPostgresStore }

describe.each(Object.keys(engines) as (keyof typeof engines)[])('An older store on %s', (engine) => {
  test(
    'gets the columns of work lists for all its records',
    async () => {
      const store = await engines[engine]()
      try {
        const random = createRandom(7)
        const author = { name: 'ann', role: 'admin' } as const
        const creates = Array.from({ length: recordCount }, () => {
          return { kind: 'create', author, changes: toChanges(random) } as const
        })
        await store.writer.run(creates, new Set())
        for (let i = 0; i < 30; i++) await store.writer.run([toCommand(random, recordCount)], new Set())
        const list = store.db.query<{ id: number; quality: number; host: string; author: string }, []>(
          'SELECT id, quality, host, author FROM listing ORDER BY id',
        )
        const before = await list.all()
        expect(before.length).toBeGreaterThanOrEqual(recordCount)
        expect(new Set(before.map((row) => row.author)).size).toBeGreaterThan(1)
        expect(before.some(({ host }) => host === 'youtube.com')).toBe(true)
        await store.writing.script(`UPDATE listing SET quality = 0, host = '', author = ''`)
        await store.writing.transaction('write', () => upgradeQuality(store.writing))
        expect(await list.all()).toEqual(before)
      } finally {
        await store.remove()
      }
    },
    timeoutMs,
  )
})
