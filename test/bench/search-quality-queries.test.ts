import { describe, expect, test } from 'bun:test'
import { parseOptions } from '../../bench/search-quality/options.ts'
import { createQueries } from '../../bench/search-quality/queries.ts'
import { type Talk, toHalf } from '../../bench/search-quality/talk.ts'
import { toSearchWords } from '../../bench/search-quality/words.ts'

const plain = { speakers: [], tags: [], category: 'Some Conf', summary: '', description: '' }
const tides: Talk = {
  ...plain,
  id: 1,
  title: 'What the Tide Tables Taught Harbour Masters',
  speakers: ['Perpetua Lindqvist', 'Tobias Holm'],
  description: 'A ferry waits, counted by clocks. The harbour sleeps.',
}
const knitting: Talk = { ...plain, id: 2, title: 'Knitting Patterns Are Secret Tide Programs' }
const openings: readonly Talk[] = [
  { ...plain, id: 3, title: 'Opening Words Today' },
  { ...plain, id: 4, title: 'opening words today ' },
]
const talks = [tides, knitting, ...openings]
const queries = createQueries(talks, { queries: 50, seed: 7 })
const findQueries = (kind: string, id: number) =>
  queries.filter((item) => item.kind === kind && item.ids.has(id)).map(({ q }) => q.split(' '))

const isInOrder = (words: readonly string[], text: readonly string[]) => {
  const places = words.map((word) => text.indexOf(word))
  return places.every((place, i) => place > (places[i - 1] ?? -1))
}

describe('Queries', () => {
  test('are words of the title in their order', () => {
    const title = toSearchWords(tides.title)
    for (const [kind, count] of [['title3', 3] as const, ['title2', 2] as const]) {
      const found = findQueries(kind, 1)
      expect(found.length).toBeGreaterThan(5)
      expect(found.filter((words) => words.length !== count || !isInOrder(words, title))).toEqual([])
    }
  })

  test('are a surname and a title word', () => {
    const found = findQueries('surname', 1)
    expect(new Set(found.map(([surname]) => surname))).toEqual(new Set(['Lindqvist', 'Holm']))
    expect(found.every(([, word = '', ...rest]) => tides.title.includes(word) && rest.length === 0)).toBe(true)
    expect(findQueries('surname', 2)).toEqual([])
  })

  test('are a title word and two others of the description', () => {
    const description = toSearchWords(tides.description)
    for (const [first = '', ...two] of findQueries('description', 1)) {
      expect(toSearchWords(tides.title)).toContain(first)
      expect(two.length === 2 && isInOrder(two, description) && !two.includes(first.toLowerCase())).toBe(true)
    }
    expect(findQueries('description', 2)).toEqual([])
  })

  test('have two letters swapped in one of three title words', () => {
    const title = toSearchWords(tides.title)
    for (const words of findQueries('swapped', 1)) {
      const wrong = words.filter((word) => !title.includes(word))
      expect(words).toHaveLength(3)
      expect(wrong).toHaveLength(1)
      expect(title.map(toLetters)).toContain(toLetters(wrong[0] ?? ''))
    }
  })

  test('have one word that the talk does not have, from another title', () => {
    const found = findQueries('absent', 2)
    expect(found.length).toBeGreaterThan(5)
    for (const words of found) {
      const absent = words.filter((word) => !knitting.title.includes(word))
      expect(words).toHaveLength(5)
      expect(absent).toHaveLength(1)
      expect(talks.some(({ id, title }) => id !== 2 && title.includes(absent[0] ?? ''))).toBe(true)
    }
  })

  test('count any talk with the same title', () => {
    const [item] = queries.filter(({ kind, ids }) => kind === 'title3' && ids.has(3))
    expect(item?.ids).toEqual(new Set([3, 4]))
  })

  test('are the same for the same seed, and no query of a talk occurs twice', () => {
    expect(createQueries(talks, { queries: 50, seed: 7 })).toEqual(queries)
    expect(createQueries(talks, { queries: 50, seed: 8 })).not.toEqual(queries)
    const keys = queries.map(({ kind, q, title }) => `${kind} ${q} ${title.toLowerCase().trim()}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('take every talk once before they take one again', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const few = createQueries([tides, knitting], { queries: 2, seed, kind: 'title2' })
      expect(new Set(few.map(({ title }) => title))).toEqual(new Set([tides.title, knitting.title]))
      expect(few.every(({ kind }) => kind === 'title2')).toBe(true)
    }
  })
})

test('Talks with the same title are in the same half, and both halves have talks', () => {
  expect(toHalf({ title: 'opening words today ' })).toBe(toHalf({ title: 'Opening Words Today' }))
  const halves = Array.from({ length: 200 }, (_, i) => toHalf({ title: `Talk ${i}` }))
  expect(halves.filter((half) => half === 'report').length).toBeWithin(60, 140)
})

test('Misses are of the tuning half unless a half is named', () => {
  expect(parseOptions([])).toMatchObject({ halves: ['report'], queries: 400, misses: null, data: null })
  expect(parseOptions(['--misses', 'swapped'])).toMatchObject({ halves: ['tuning'] })
  expect(parseOptions(['--misses', 'swapped', '--half', 'both'])).toMatchObject({ halves: ['tuning', 'report'] })
  for (const args of [['--misses', 'all'], ['--half', 'none'], ['--queries', '0'], ['--seed'], ['--date', 'x']]) {
    expect(parseOptions(args)).toBeNull()
  }
})

const toLetters = (word: string) => [...word.toLowerCase()].sort().join('')
