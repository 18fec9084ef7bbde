import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Command } from '../../../src/record/command.ts'
import { parseListQuery } from '../../../src/record/query/query.ts'
import { fromBodyText } from '../../../src/record/record.ts'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import type { MemoryIndexes } from '../../../src/store/search/memory-indexes.ts'
import { createSqliteEngine, outOfTime, type SearchEngine } from '../../search/engine.ts'
import { toCreate, toMerge } from '../../search/random-archive.ts'
import { type ListStore, openSqliteStore } from '../list-stores.ts'

let engine: SearchEngine | null = null
afterEach(async () => {
  await engine?.close()
  engine = null
})

/** A new store with a record for each title. */
async function createStore(titles: readonly string[]): Promise<SearchEngine> {
  engine = await createSqliteEngine()
  await engine.write(...titles.map((title) => toCreate({ title, category: 'X', state: 1 })))
  return engine
}

async function search(store: SearchEngine, query: string) {
  const answer = await store.ask({ parameters: `match=best&q=${encodeURIComponent(query)}`, visibility: 'live' })
  if ('refused' in answer) throw new Error(answer.refused)
  const titles = answer.records?.map((text) => fromBodyText(text).title) ?? []
  return { titles, corrected: answer.corrected ?? {}, count: answer.count }
}

describe('the order of matches', () => {
  const titles = ['testing python tests', 'tests python testing']

  test.each([['tests'], ['testing']])('does not depend on which word came first: %s', async (word) => {
    const store = await createStore([word, 'x'])
    await search(store, 'x')
    await store.write(...titles.map((title, i) => toMerge(i + 1, { title })))
    expect((await search(store, 'tested python')).titles).toEqual(titles.toReversed())
  })

  test('has no matches for words that no record has', async () => {
    expect((await search(await createStore(titles), 'zzzzzz')).count).toBe(0)
  })
})

describe('corrected words', () => {
  const cases: readonly (readonly [query: string, corrected: { readonly [typed: string]: readonly string[] }])[] = [
    ['asycnio', { asycnio: ['asyncio'] }],
    ['Asycnio talks', { Asycnio: ['Asyncio'] }],
    ['asyncio', {}],
    ['async', {}],
    ['tkl', {}],
    ['databsae', { databsae: ['database'] }],
    ['datbsae', {}],
    ['3.21', {}],
    ['ipv7', {}],
    ['"asycnio"', {}],
    ['"asycnio talk" databsae', { databsae: ['database'] }],
    ['"asycnio" asycnio', { asycnio: ['asyncio'] }],
  ]
  test.each(cases)('%s', async (query, corrected) => {
    const store = await createStore(['asyncio talk', 'database talks', '3.12 ipv6'])
    expect((await search(store, query)).corrected).toEqual(corrected)
  })
})

describe('a word that many others contain', () => {
  const letters = 'abcdefghijklmnopqrst'
  const titles = [...letters].map((first) => [...letters].map((second) => `${first}${second}zation`).join(' '))

  async function ask(store: SearchEngine, maxSteps: number): Promise<number> {
    const answer = await store.ask({ parameters: 'match=best&q=zation', visibility: 'live' }, maxSteps)
    return 'refused' in answer ? 0 : answer.count
  }

  test('is looked for in a limited number of them', async () => {
    const store = await createStore(titles)
    await search(store, 'nothing')
    expect(await ask(store, 60)).toBeGreaterThan(0)
  })

  test('can be interrupted between them', async () => {
    const store = await createStore(titles)
    await search(store, 'nothing')
    await expect(ask(store, 10)).rejects.toThrow(outOfTime)
  })
})

describe('a compound', () => {
  const titles = [
    ...[
      'Datenbanksysteme',
      'Agile Softwareentwicklung',
      'Software Architektur',
      '데이터 분석',
      'Arbeitszeit',
      'database',
    ],
  ]
  const cases: readonly (readonly [query: string, found: string])[] = [
    ['Datenbank', 'Datenbanksysteme'],
    ['Datenbanken', 'Datenbanksysteme'],
    ['Entwicklung', 'Agile Softwareentwicklung'],
    ['Entwicklungen', 'Agile Softwareentwicklung'],
    ['Software Entwicklung', 'Agile Softwareentwicklung'],
    ['Softwarearchitektur', 'Software Architektur'],
    ['데이터분석', '데이터 분석'],
    ['data base', 'database'],
  ]
  test.each(cases)('%s', async (query, found) => {
    expect((await search(await createStore(titles), query)).titles[0]).toBe(found)
  })
})

describe('words and names that no record has any more', () => {
  let store: ListStore
  let indexes: MemoryIndexes
  beforeEach(async () => {
    store = await openSqliteStore()
    indexes = store.createIndexes()
  })
  afterEach(() => store.remove())

  async function write(...commands: readonly Command[]): Promise<void> {
    await store.writer.run(commands, new Set())
    await follow()
  }

  /** What a query thread does when it has nothing to answer. */
  async function follow(): Promise<void> {
    await store.db.transaction('read', indexes.columns.refresh)
    for (const each of [indexes.columns, indexes.nameLoader, indexes.ranked]) while (await each.loadSome());
  }

  async function findBest(query: string) {
    const parsed = parseListQuery(new URLSearchParams({ match: 'best', q: query }), 'live')
    if (!parsed.ok) throw new Error(parsed.problem)
    const { count, corrected = {} } = await store.createList(indexes)(parsed.query)
    return { count, corrected }
  }

  const toWordsOf = (round: number) => Array.from({ length: 2_000 }, (_, i) => `zebra${round}x${i}`)

  test('do not pile up in memory', async () => {
    await write(
      toCreate({ title: 'Asyncio', category: 'X', state: 1 }),
      toCreate({ title: 'Growing', category: 'X', state: 1 }),
    )
    for (let round = 0; round < 20; round++) {
      const tags = toWordsOf(round).slice(0, 200)
      await write(toMerge(2, { description: toWordsOf(round).join(' '), tags }))
    }
    expect(indexes.words.dictionary.size()).toBeLessThan(20_000)
    expect(indexes.names.end()).toBeLessThan(3_000)
    expect(indexes.names.dictionary.size()).toBeLessThan(3_000)
    expect(await findBest('asycnio')).toEqual({ count: 1, corrected: { asycnio: ['asyncio'] } })
    expect((await findBest('zebra19x77 growing')).count).toBe(1)
    expect((await findBest('zebra5x77')).count).toBe(0)
  })

  test('are no corrections, and those of an erased record are in memory no longer', async () => {
    await write(
      toCreate({ title: 'Testing', category: 'X', state: 1 }),
      toCreate({ title: 'Wanderdüne', speakers: ['Erika Mustermann'], category: 'X', state: 1 }),
      toCreate({ title: 'Quokkaland', category: 'X', state: 1 }),
    )
    expect((await findBest('wanderdunne')).corrected).toEqual({ wanderdunne: ['wanderdune'] })
    expect((await findBest('quokkalnad')).corrected).toEqual({ quokkalnad: ['quokkaland'] })
    await write(toMerge(3, { title: 'Something else' }))
    expect(await findBest('quokkalnad')).toEqual({ count: 0, corrected: {} })
    await eraseRecord(store.writing, 2, '2026-01-01T00:00:00.000')
    await follow()
    expect(await findBest('wanderdunne')).toEqual({ count: 0, corrected: {} })
    await store.db.transaction('read', indexes.nameLoader.catchUp)
    const known = [indexes.words, indexes.names].flatMap(({ dictionary }) =>
      ['wanderdune', 'erika', 'mustermann', 'quokkaland'].map(dictionary.find),
    )
    expect(known).toEqual(known.map(() => -1))
    expect((await findBest('tetsing')).corrected).toEqual({ tetsing: ['testing'] })
    expect((await findBest('something')).count).toBe(1)
  })
})
