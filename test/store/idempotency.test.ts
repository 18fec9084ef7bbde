import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { createIdempotencyRows } from '../../src/store/write/idempotency-rows.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 0, 1)
const author = { name: 'a', role: 'admin' } as const
const wish = (key: string) => ({ author: 'a', key, request: new Uint8Array(32) })

/** Keys of a store with one record, by a clock and by the time that has really passed. */
async function withKeys(work: (keys: ReturnType<typeof createKeys>) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-keys-'))
  const path = join(folder, 'records.db')
  await createDatabase(path)
  const db = openForWriting(path, 1_000)
  try {
    const writer = createWriter({ db, now: () => start, onError: (error) => expect(error).toBeUndefined() })
    await writer.run([{ kind: 'create', author, changes: { category: 'c', title: 't' } }], new Set())
    await work(createKeys(db))
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function createKeys(db: ReturnType<typeof openForWriting>) {
  const read = db.query<{ state: number }, [number]>('SELECT * FROM record WHERE id = ?')
  let elapsedMs = 0
  let clockMs = start
  // The row has all that a stored record has.
  const rows = createIdempotencyRows(
    createSqliteDatabase(db),
    async (id) => read.get(id) as never,
    () => elapsedMs,
  )
  return {
    pass(hours: number) {
      elapsedMs += hours * hourMs
      clockMs += hours * hourMs
    },
    jump(hours: number) {
      clockMs += hours * hourMs
    },
    isKnown: async (key: string) => (await rows.find(wish(key), toTimestamp(clockMs))) !== null,
    remember: (key: string) => rows.remember(wish(key), 1, toTimestamp(clockMs)),
  }
}

test('a key counts for a day', () =>
  withKeys(async ({ pass, isKnown, remember }) => {
    remember('a')
    pass(23)
    expect(await isKnown('a')).toBe(true)
    pass(2)
    expect(await isKnown('a')).toBe(false)
  }))

test('a clock that jumps ahead and back forgets no key of today', () =>
  withKeys(async ({ pass, jump, isKnown, remember }) => {
    remember('a')
    jump(1_000)
    remember('b')
    expect([await isKnown('a'), await isKnown('b')]).toEqual([true, true])
    jump(-1_000)
    expect([await isKnown('a'), await isKnown('b')]).toEqual([true, true])
    pass(25)
    expect(await isKnown('a')).toBe(false)
  }))

test('a key made while the clock was far ahead does not count until it gets there', () =>
  withKeys(async ({ pass, jump, isKnown, remember }) => {
    jump(1_000)
    remember('a')
    jump(-1_000)
    remember('b')
    expect(await isKnown('a')).toBe(true)
    pass(25)
    expect(await isKnown('a')).toBe(false)
  }))
