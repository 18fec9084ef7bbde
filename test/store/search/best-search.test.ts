import { describe, expect, test } from 'bun:test'
import type { VideoRecord } from '../../../src/record/record.ts'
import { toQueryWords } from '../../../src/record/text/words.ts'
import { createBestSearch } from '../../../src/store/search/best-search.ts'
import { createWordsIndex } from '../../../src/store/search/words-index.ts'

/** Searches an index without a store; records are named by their slots, from 1. */
function createSearch(titles: readonly string[], earlierWords: readonly string[] = []) {
  const index = createWordsIndex()
  for (const word of earlierWords) index.dictionary.ensure(word)
  for (const [i, title] of titles.entries()) index.put(i + 1, toRecord(title))
  const find = createBestSearch(
    index,
    { isVisible: () => true, toId: (slot) => slot, dayOf: () => 0, revision: () => 0 },
    () => undefined,
  )
  const flags = new Uint8Array(titles.length + 1).fill(1, 1)
  return (query: string) => {
    const accepted = { flags, count: titles.length }
    return find({
      words: toQueryWords(query),
      visibility: 'all',
      total: titles.length,
      accepted,
      isStrict: false,
      limit: 9,
    })
  }
}

function toRecord(title: string): VideoRecord {
  const empty = { speakers: [], tags: [], category: '', summary: '', description: '' }
  // The index reads only these fields.
  return { title, ...empty } as unknown as VideoRecord
}

describe('the order of matches', () => {
  const titles = ['testing python tests', 'tests python testing']

  test('does not depend on which word of the archive came first', () => {
    const orders = [['tests'], ['testing'], []].map((words) => createSearch(titles, words)('tested python').best)
    expect(orders).toEqual([orders[0] ?? [], orders[0] ?? [], orders[0] ?? []])
  })

  test('is by id where nothing else decides', () => {
    expect(createSearch(Array(12).fill('the same'))('same').best).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('has no matches for words that no record has', () => {
    expect(createSearch(titles)('zzzzzz').count).toBe(0)
    expect(createSearch([])('tests').count).toBe(0)
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
  ]
  test.each(cases)('%s', (query, corrected) => {
    expect(createSearch(['asyncio talk', 'database talks', '3.12 ipv6'])(query).corrected).toEqual(corrected)
  })
})
