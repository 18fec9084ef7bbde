import { afterEach, describe, expect, test } from 'bun:test'
import { fromBodyText } from '../../../src/record/json/body-bytes.ts'
import { createSqliteEngine, outOfTime, type SearchEngine } from '../../search/engine.ts'
import { toCreate, toMerge } from '../../search/random-archive.ts'

let engine: SearchEngine | null = null
afterEach(() => engine?.close())

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
    ['Asycnio talks', { Asycnio: ['asyncio'] }],
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
