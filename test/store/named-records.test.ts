import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import type { Command } from '../../src/record/command.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { toFolded } from '../../src/record/text/fold.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { OutOfTime } from '../../src/store/read/statements.ts'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createList } from '../../src/store/sqlite/list.ts'
import { createWriter, type Writer } from '../../src/store/sqlite/writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-named-'))
const path = join(folder, 'store.db')
let db: Database
let writer: Writer

beforeAll(async () => {
  await createDatabase(path)
  await fill(path, 400, () => undefined)
  db = openForReading(path)
  writer = createWriter({ db: openForWriting(path, 0), now: Date.now, onError: (error) => expect(error).toBeNull() })
})
afterAll(async () => {
  db.close()
  await writer.close()
  rmSync(folder, { recursive: true })
})

const asks = [
  'speaker=a&speaker=e',
  'speaker=a&tag=o',
  'speaker=e&speaker=o&speaker=i&tag=a&tag=e',
  'tag=a&tag=e&tag=i&tag=o',
]

/** Remembers no count. */
function createReader(onStep?: () => void) {
  let changes = 0
  const list = createList({
    db: createSqliteDatabase(db),
    changesCounter: () => changes++,
    ...(onStep === undefined ? {} : { onStep }),
  })
  return async (ask: string) => {
    const parsed = parseListQuery(new URLSearchParams(`${ask}&page_size=100&ordering=id&fields=id`), 'all')
    if (!parsed.ok) throw new Error('not a list')
    const { count, records } = await list(parsed.query)
    const found: readonly { readonly id: number }[] = JSON.parse(`[${records}]`)
    return { count, ids: found.map(({ id }) => id) }
  }
}

/** One record after the other, by what stands in it. */
function toExpected(ask: string) {
  const wanted = new URLSearchParams(ask)
  const rows = db.query<{ id: number; body: string }, []>(
    'SELECT id, CAST(body AS TEXT) AS body FROM record ORDER BY id',
  )
  const matching = rows.all().filter(({ body }) => {
    const { speakers, tags }: { readonly speakers: string[]; readonly tags: string[] } = JSON.parse(body)
    const has = (names: readonly string[], piece: string) => names.some((name) => toFolded(name).includes(piece))
    return (
      wanted.getAll('speaker').every((piece) => has(speakers, piece)) &&
      wanted.getAll('tag').every((piece) => has(tags, piece))
    )
  })
  return { count: matching.length, ids: matching.slice(0, 100).map(({ id }) => id) }
}

async function read(reader: ReturnType<typeof createReader>) {
  const found: Awaited<ReturnType<typeof reader>>[] = []
  for (const ask of asks) found.push(await reader(ask))
  return found
}
const expectAll = () => asks.map(toExpected)

test('several pieces of names find the records that have a name for each, also after they have changed', async () => {
  const reader = createReader()
  expect(await read(reader)).toEqual(expectAll())
  const author = { name: 'test', role: 'admin' } as const
  const toChange = (id: number, speakers: string[], tags: string[]): Command => {
    return { kind: 'merge', id, author, precondition: {}, changes: { speakers, tags } }
  }
  await writer.run(
    [toChange(1, ['Eva Aioe'], ['aeio']), toChange(2, ['Bcd'], []), toChange(3, [], ['aeio'])],
    new Set(),
  )
  expect(await read(reader)).toEqual(expectAll())
  expect((await reader('speaker=eva&speaker=aio&tag=aei')).ids).toEqual([1])
})

test('a reading that was ended at any step leaves nothing behind that makes the next one wrong', async () => {
  let total = 0
  await read(createReader(() => void total++))
  expect(total).toBeGreaterThan(10)
  for (let last = 1; last <= total; last++) {
    let steps = 0
    const reader = createReader(() => {
      if (++steps === last) throw new OutOfTime()
    })
    let ended = 0
    for (const ask of asks) {
      try {
        await reader(ask)
      } catch (error) {
        expect(error).toBeInstanceOf(OutOfTime)
        ended++
      }
    }
    expect(ended).toBe(1)
    expect(await read(reader)).toEqual(expectAll())
  }
})

test('a record that is gone is neither listed nor counted', async () => {
  const reader = createReader()
  const [first] = await read(reader)
  const gone = first?.ids[0] ?? 0
  const other = createSqliteDatabase(openForWriting(path, 1_000))
  expect(await eraseRecord(other, gone, '2026-01-01T00:00:00.000')).toBe(true)
  await other.close()
  expect(await read(reader)).toEqual(expectAll())
  expect((await reader(asks[0] ?? '')).ids).not.toContain(gone)
})
