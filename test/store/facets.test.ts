import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import type { Command } from '../../src/record/command.ts'
import { facetNames, parseListQuery } from '../../src/record/query/query.ts'
import type { Changes } from '../../src/record/record.ts'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createList } from '../../src/store/sqlite/list.ts'
import { createWriter, type Writer } from '../../src/store/sqlite/writer.ts'
import { runs } from '../harness/runs.ts'

// Runner: slow

const author = { name: 'test', role: 'admin' } as const
const timeoutMs = 60_000
/** Each changes all records. */
const rounds = runs(25)

let folder = ''
let path = ''
let db: Database
let writer: Writer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-facets-'))
  path = join(folder, 'store.db')
  await createDatabase(path)
  await fill(path, 300, () => undefined)
  db = openForReading(path)
  writer = createWriter({ db: openForWriting(path, 0), now: Date.now, onError: (error) => expect(error).toBeNull() })
})
afterEach(async () => {
  db.close()
  await writer.close()
  rmSync(folder, { recursive: true })
})

async function write(...commands: Command[]): Promise<void> {
  const outcomes = await writer.run(commands, new Set())
  expect(outcomes).toHaveLength(commands.length)
}

const merge = (id: number, changes: Changes): Command => ({ kind: 'merge', id, author, precondition: {}, changes })

/** Remembers no answer, so that each is counted; drafts are seen. */
function createFacetReader() {
  let changes = 0
  const list = createList({ db: createSqliteDatabase(db), changesCounter: () => changes++ })
  return async (asks = '', maxFacetNames = 100) => {
    const parsed = parseListQuery(new URLSearchParams(`${asks}&facets=${facetNames.join(',')}`), 'all')
    if (!parsed.ok) throw new Error('not a list')
    return (await list({ ...parsed.query, maxFacetNames })).facets ?? {}
  }
}

/** Counted by SQLite, straight from the tables. */
function countNames(kind: 'speaker' | 'tag') {
  const sql = `SELECT name AS value, ${kind}.id, slug, count(*) AS count
    FROM record_${kind} JOIN ${kind} ON ${kind}.id = ${kind}_id GROUP BY ${kind}.id ORDER BY count DESC, value LIMIT 100`
  return db.query(sql).all()
}

test('facets are what SQLite counts in the tables', async () => {
  const { speaker, tag, year } = await createFacetReader()()
  expect<unknown>(speaker).toEqual(countNames('speaker'))
  expect<unknown>(tag).toEqual(countNames('tag'))
  const years = `SELECT substr(recorded, 1, 4) AS value, count(*) AS count FROM listing WHERE recorded IS NOT NULL
    GROUP BY 1 ORDER BY count DESC, value`
  expect<unknown>(year).toEqual(db.query(years).all())
})

test('the first names of a facet are those of all its names', async () => {
  const read = createFacetReader()
  for (const asks of ['', 'recorded_after=2012-01-01', 'state=1', 'language=Welsh']) {
    const all = await read(asks)
    for (const max of [1, 7, 99]) {
      const names = Object.entries(all).map(([name, values]) => [name, isNamed(name) ? values.slice(0, max) : values])
      expect(await read(asks, max)).toEqual(Object.fromEntries(names))
    }
  }
})

const isNamed = (facet: string) => ['category', 'speaker', 'tag'].includes(facet)

test('a reader who has followed every change counts as one who begins now', async () => {
  const read = createFacetReader()
  await read()
  const steps: readonly Command[][] = [
    [merge(1, { tags: ['new', 'newer'], speakers: [] })],
    [merge(1, { tags: [], recorded: null, language: '' }), merge(2, { recorded: '0001-02-03', language: 'Welsh' })],
    [{ kind: 'create', author, changes: { category: 'Fresh', title: 'Fresh', tags: ['new'], state: 1 } }],
    [merge(3, { category: 'Elsewhere' }), merge(4, { state: 2 })],
  ]
  for (const commands of steps) {
    await write(...commands)
    for (const asks of ['', 'state=1', 'tag=new', 'category=Fresh']) {
      expect(await read(asks)).toEqual(await createFacetReader()(asks))
    }
    expect<unknown>((await read()).tag).toEqual(countNames('tag'))
  }
})

test('records whose ids are far apart are counted too', async () => {
  await write({ kind: 'create', author, changes: { category: 'Fresh', title: 'Far', tags: ['far'], state: 1 } })
  const other = openForWriting(path, 0)
  const far = 9_000_000_000_000_000
  for (const table of ['listing', 'record']) other.run(`UPDATE ${table} SET id = ${far} WHERE id = 301`)
  for (const table of ['record_tag', 'version'])
    other.run(`UPDATE ${table} SET record_id = ${far} WHERE record_id = 301`)
  other.close()
  expect((await createFacetReader()('category=Fresh')).tag).toMatchObject([{ value: 'far', slug: 'far', count: 1 }])
})

test(
  'changes of all records, again and again, are followed too',
  async () => {
    const read = createFacetReader()
    await read()
    for (let round = 0; round < rounds; round++) {
      const toMerge = (id: number) => merge(id, { tags: [`round ${round}`, `of ${id % 7}`] })
      await write(...Array.from({ length: 300 }, (_, index) => toMerge(index + 1)))
      expect(await read()).toEqual(await createFacetReader()())
    }
    expect((await read()).tag?.[0]).toMatchObject({
      value: `round ${rounds - 1}`,
      slug: `round-${rounds - 1}`,
      count: 300,
    })
  },
  timeoutMs,
)
