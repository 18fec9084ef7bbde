import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createRandom, type Random } from '../../bench/generated/random.ts'
import type { Command } from '../../src/record/command.ts'
import { emptyProfile } from '../../src/record/profile.ts'
import { countedFacets, parseListQuery } from '../../src/record/query/query.ts'
import { type VocabularyName, vocabularyKinds } from '../../src/record/query/vocabulary.ts'
import type { Visibility } from '../../src/record/state.ts'
import type { Database } from '../../src/store/database.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { createNameFinder } from '../../src/store/read/names/current-entries.ts'
import { createVocabulary } from '../../src/store/read/names/vocabulary.ts'
import type { MemoryIndexes } from '../../src/store/search/memory-indexes.ts'
import { isLong, longTest } from '../harness/runs.ts'
import { expectCounts } from './expect-counts.ts'
import { expectFindings } from './expect-findings.ts'
import { expectMoments } from './expect-moments.ts'
import { countedBySql, type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'
import { author, toAsk, toChanges, toCommand } from './random-talks.ts'

// Runner: slow

/** So few that all records fit on one page. */
const steps = isLong ? 120 : 20
const timeoutMs = 120_000
/** So small that the load of a few dozen records takes many steps. */
const chunkSize = 7
const byId = [{ field: 'id', isDescending: false }] as const

function toQuery(ask: string, visibility: Visibility) {
  const parsed = parseListQuery(new URLSearchParams(`${ask}&page_size=100&fields=id`), visibility)
  if (!parsed.ok) throw new Error(`not a list: ${ask}`)
  return parsed.query
}

const toIds = (records: readonly string[] | null) => (records ?? []).map((text): number => JSON.parse(text).id)

/** A field of a stored record, in the SQL of each engine. */
const toJsonText = (isPostgres: boolean, field: string) =>
  isPostgres ? `convert_from(body, 'UTF8')::json ->> '${field}'` : `CAST(body AS TEXT) ->> '${field}'`

/** Facets of these records, counted by SQL. */
async function countFacets(db: Database, ids: readonly number[], isPostgres: boolean) {
  const named = (kind: string) =>
    `SELECT name AS value, ${kind}.id, slug FROM record_${kind} JOIN ${kind} ON ${kind}.id = ${kind}_id WHERE record_id`
  const length = `CASE WHEN duration < 600 THEN '0-10' WHEN duration < 1800 THEN '10-30'
    WHEN duration < 3600 THEN '30-60' ELSE '60+' END`
  const files = ['mp4', 'webm', 'ogv', 'flv'].map(
    (kind) => `coalesce(${toJsonText(isPostgres, `video_${kind}_url`)}, '')`,
  )
  const values = {
    category: 'SELECT title AS value, slug FROM listing JOIN category ON category.id = category_id WHERE listing.id',
    speaker: named('speaker'),
    tag: named('tag'),
    language: `SELECT language AS value FROM listing WHERE language <> '' AND id`,
    year: 'SELECT substr(recorded, 1, 4) AS value FROM listing WHERE recorded IS NOT NULL AND id',
    length: `SELECT ${length} AS value FROM listing WHERE duration IS NOT NULL AND id`,
    download: `SELECT 'yes' AS value FROM record WHERE ${files.join(' || ')} <> '' AND id`,
  }
  const facets: { [name: string]: unknown } = {}
  for (const name of countedFacets) {
    const some = `${values[name]} IN (${['NULL', ...ids]})`
    const keys =
      name === 'speaker' || name === 'tag' ? 'value, id, slug' : name === 'category' ? 'value, slug' : 'value'
    const sql = `SELECT ${keys}, count(*) AS count FROM (${some}) AS found GROUP BY ${keys} ORDER BY count DESC, value`
    facets[name] = await db.query(sql).all()
  }
  return facets
}

/** The lists of names, as SQL counts them and as the columns do. */
async function expectVocabulary(db: Database, indexes: MemoryIndexes): Promise<void> {
  const changesCounter = () => Number.NaN
  const [bySql, inMemory] = [
    createVocabulary(db, changesCounter),
    createVocabulary(db, changesCounter, undefined, indexes),
  ]
  for (const kind of vocabularyKinds) {
    for (const visibility of ['all', 'live'] as const) {
      for (const prefix of ['', 'a', 'app', 'speaker', 'two', '\u{1f600}']) {
        const query = { kind, visibility, prefix, page: 1, pageSize: 3 } as const
        expect({ query, rows: await inMemory.list(query) }).toEqual({ query, rows: await bySql.list(query) })
      }
    }
  }
  for (const kind of ['speaker', 'tag'] as const) {
    for (const visibility of ['all', 'live'] as const) {
      const initials = await bySql.listInitials({ kind, visibility })
      expect(await inMemory.listInitials({ kind, visibility })).toEqual(initials)
      for (const { initial, count } of initials) {
        const query = { kind, visibility, prefix: '', initial, page: 1, pageSize: 3 } as const
        const found = await bySql.list(query)
        expect(await inMemory.list(query)).toEqual(found)
        expect(found.count).toBe(count)
      }
    }
  }
}

/** Each speaker and tag by id and by slug, counted by SQL; null if the caller sees no record with it. */
async function expectNames(db: Database, { columns }: MemoryIndexes, isLoaded: boolean): Promise<void> {
  const find = createNameFinder(db, isLoaded ? columns : { ...columns, isComplete: () => false })
  for (const kind of ['speaker', 'tag'] as const) {
    for (const visibility of ['all', 'live'] as const) {
      const sql = `SELECT ${kind}.id, name, slug, sum(CASE WHEN state <= ? THEN 1 ELSE 0 END) AS count
        FROM ${kind} JOIN record_${kind} ON ${kind}_id = ${kind}.id JOIN listing ON listing.id = record_id
        GROUP BY ${kind}.id, name, slug`
      const rows = await db.query<VocabularyName, [number]>(sql).all(visibility === 'all' ? 2 : 1)
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) {
        const profile = kind === 'tag' ? null : { version: 0, versionTag: null, updated: null, fields: emptyProfile }
        const expected = row.count === 0 ? null : { ...row, profile }
        expect(await find({ kind, visibility, id: row.id })).toEqual(expected)
        expect(await find({ kind, visibility, slug: row.slug })).toEqual(expected)
      }
      expect(await find({ kind, visibility, id: 999_999 })).toBeNull()
      expect(await find({ kind, visibility, slug: 'unheard-of' })).toBeNull()
    }
  }
}

const orderings = ['added', 'updated', 'recorded', 'title', 'duration', 'id']

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

describe.each(Object.keys(engines))('The columns on %s', (name) => {
  let store: ListStore
  beforeAll(async () => {
    store = await (engines[name] ?? openSqliteStore)()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  const write = async (...commands: Command[]) => void (await store.writer.run(commands, new Set()))

  async function expectSame(random: Random, indexes: MemoryIndexes): Promise<void> {
    const visibility = random.percent(50) ? 'all' : 'live'
    const asked = toQuery(toAsk(random), visibility)
    // Relevance is known in memory only.
    const query = asked.filters.search === undefined ? asked : { ...asked, order: byId }
    const [bySql, inMemory] = [store.createList(countedBySql(indexes)), store.createList(indexes)]
    const [expected, found] = [await bySql(query), await inMemory(query)]
    expect({ query, page: found }).toEqual({ query, page: expected })
    const { facets } = await inMemory({ ...query, facets: countedFacets })
    const counted = await countFacets(store.db, toIds(expected.records), name === 'PostgreSQL')
    expect<unknown>({ query, facets }).toEqual({ query, facets: counted })
  }

  test(
    'follow creations, changes, withdrawals, erasures, renames and undos, while they are loaded and afterwards',
    async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      const random = createRandom(seed)
      try {
        await write(
          ...Array.from({ length: 30 }, (): Command => ({ kind: 'create', author, changes: toChanges(random) })),
        )
        let indexes = store.createIndexes({ chunkSize })
        for (let step = 0; step < steps; step++) {
          if (step % 40 === 0) indexes = store.createIndexes({ chunkSize })
          await write(...Array.from({ length: 1 + random.below(4) }, () => toCommand(random, 30 + step)))
          if (random.percent(20))
            await eraseRecord(store.writing, 1 + random.below(30 + step), '2026-01-01T00:00:00.000')
          if (random.percent(60)) await indexes.columns.loadSome()
          await expectSame(random, indexes)
          if (random.percent(20)) {
            for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
            await expectCounts(store.db, indexes.columns)
            await expectMoments(store.db, indexes.columns)
            await expectVocabulary(store.db, indexes)
            await expectNames(store.db, indexes, random.percent(50))
            await expectFindings(store, indexes)
          }
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    },
    timeoutMs,
  )

  test(
    'give the pages of long lists in every order, by number and by cursor',
    async () => {
      const random = createRandom(7)
      for (let i = 0; i < 800; i += 100) {
        // From 300 on, more than SQL sorts have no day.
        const withoutDay = i < 300 ? {} : { recorded: null }
        const changes = () => ({ ...toChanges(random), language: 'Welsh', ...withoutDay })
        await write(...Array.from({ length: 100 }, (): Command => ({ kind: 'create', author, changes: changes() })))
      }
      const indexes = store.createIndexes()
      while (await indexes.columns.loadSome());
      const [bySql, inMemory] = [store.createList(countedBySql(indexes)), store.createList(indexes)]
      const all = ['', ...orderings.flatMap((field) => [field, `-${field}`]), 'duration,-title', 'recorded,-title']
      for (const [number, ordering] of all.entries()) {
        const filters = ['', 'language=Welsh', 'q=-unheard'].filter((_, place) => isLong || place === number % 3)
        for (const filter of filters) {
          for (const page of ['page=1', 'page=4', 'page=last']) {
            const query = toQuery(`${filter}&${page}&page_size=30&ordering=${ordering}`, 'all')
            expect({ query, page: await inMemory(query) }).toEqual({ query, page: await bySql(query) })
          }
          const ids: number[] = []
          for (let cursor: string | null = ''; cursor !== null; ) {
            const query = toQuery(`${filter}&cursor=${cursor}&page_size=100&ordering=${ordering}`, 'all')
            const page = await inMemory(query)
            ids.push(...toIds(page.records))
            cursor = page.nextCursor
            if (cursor === null) expect(ids.length).toBe(page.count)
          }
          const numbered = toQuery(`${filter}&page=2&page_size=100&ordering=${ordering}`, 'all')
          expect(ids.slice(100, 200)).toEqual(toIds((await inMemory(numbered)).records))
          expect(new Set(ids).size).toBe(ids.length)
        }
      }
    },
    timeoutMs,
  )

  test('show the public no draft and no value that only drafts have', async () => {
    const draft = { category: 'Secret', title: 'Secret', tags: ['secret'], speakers: ['Secret'], language: 'Zulu' }
    await write({ kind: 'create', author, changes: { ...draft, recorded: '1951-01-01', state: 2 } })
    const indexes = store.createIndexes()
    const list = store.createList(indexes)
    const query = { ...toQuery('', 'live'), facets: countedFacets }
    const page = await list(query)
    expect(page.count).toBe((await list(toQuery('state=1', 'all'))).count)
    expect(JSON.stringify(page.facets)).not.toMatch(/Secret|secret|Zulu|1951/)
    expect((await list(toQuery('q=secret', 'live'))).count).toBe(0)
    expect((await list(toQuery('category=secret', 'live'))).count).toBe(0)
    expect((await list(toQuery('category=secret', 'all'))).count).toBe(1)
  })

  test('are loaded again if the store lost changes, or if its derived data was rebuilt', async () => {
    await write({ kind: 'create', author, changes: { category: 'Alpha', title: 'Last', state: 1 } })
    let rebuilds = 0
    const indexes = store.createIndexes({ rebuildCounter: () => rebuilds })
    const count = async () => (await store.createList(indexes)(toQuery('language=Zulu', 'all'))).count
    while (await indexes.columns.loadSome());
    const before = await count()
    const last = 'SELECT max(seq) FROM version'
    // As another history would have it: another time of the last change, and a record that it does not name.
    await store.writing.script(`UPDATE version SET at = '2001-01-01T00:00:00.000' WHERE seq = (${last})`)
    await store.writing.script(`UPDATE listing SET language = 'Zulu' WHERE id = (SELECT min(id) FROM listing)`)
    expect(await count()).toBe(before + 1)
    while (await indexes.columns.loadSome());
    expect(await count()).toBe(before + 1)
    await store.writing.script(`UPDATE listing SET language = 'Zulu'`)
    rebuilds++
    while (await indexes.columns.loadSome());
    expect(await count()).toBe((await store.createList(indexes)(toQuery('', 'all'))).count)
  })

  // On PostgreSQL it takes long to create so many.
  const testLarge = name === 'SQLite' ? test : longTest
  testLarge(
    'apply more changes than a list has time for in the background, and count a thousand equally frequent names',
    async () => {
      const indexes = store.createIndexes({ chunkSize: 50 })
      while (await indexes.columns.loadSome());
      const changes = { category: 'Many', title: 'Many', state: 1 } as const
      const create = (i: number): Command => {
        return { kind: 'create', author, changes: { ...changes, speakers: [`Speaker ${(i * 7919) % 9973}`] } }
      }
      for (let i = 0; i < 1_200; i += 100) await write(...Array.from({ length: 100 }, (_, each) => create(i + each)))
      const list = store.createList(indexes)
      const total = (await list(toQuery('category=many', 'live'))).count
      expect(total).toBe(1_200)
      expect(indexes.columns.isComplete()).toBe(false)
      for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
      await expectVocabulary(store.db, indexes)
      const page = await list({ ...toQuery('category=many', 'live'), facets: ['speaker'] })
      expect(page.count).toBe(total)
      const names = Array.from({ length: 1_200 }, (_, i) => `Speaker ${(i * 7919) % 9973}`).sort()
      const found = page.facets?.speaker ?? []
      expect(found.map(({ value, count }) => ({ value, count }))).toEqual(
        names.slice(0, 100).map((value) => ({ value, count: 1 })),
      )
    },
    timeoutMs,
  )
})
