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

  test('have one of three title words misspelled, or in its other number', () => {
    const title = toSearchWords(tides.title)
    for (const kind of ['typo', 'forms']) {
      const found = findQueries(kind, 1)
      expect(found.length).toBeGreaterThan(5)
      for (const words of found) {
        expect(words).toHaveLength(3)
        expect(words.filter((word) => !title.includes(word))).toHaveLength(1)
      }
    }
    expect(findQueries('forms', 1).flat()).toContain('Table')
  })

  test('have two words of the title written as one', () => {
    const found = findQueries('joined', 1)
    expect(found.length).toBeGreaterThan(2)
    expect(
      found.every(([joined = '', third = '']) => !tides.title.includes(joined) && tides.title.includes(third)),
    ).toBe(true)
    expect(found.map(([joined]) => joined)).toContain('Tidetables')
  })

  test('are a misspelled surname and a title word', () => {
    for (const [surname = '', word = ''] of findQueries('misspelt', 1)) {
      expect(['Lindqvist', 'Holm']).not.toContain(surname)
      expect(tides.title).toContain(word)
    }
    expect(findQueries('misspelt', 1).length).toBeGreaterThan(2)
  })

  test('are a speaker and an event, and mean all their talks there', () => {
    const [other, elsewhere] = [
      { ...tides, id: 8, title: 'Other' },
      { ...tides, id: 9, title: 'Else', category: 'Y' },
    ]
    const [item] = createQueries([tides], { queries: 1, seed: 1, kind: 'speaker' }, [tides, other, elsewhere, knitting])
    expect(item?.q).toMatch(/^(?:Perpetua Lindqvist|Tobias Holm) Some Conf$/)
    expect(item?.ids).toEqual(new Set([1, 8]))
  })

  test('are words in a row, an event with title words, and a question', () => {
    for (const words of findQueries('row', 1)) {
      expect(words).toHaveLength(6)
      expect(tides.description.replaceAll(/[,.]/g, '')).toContain(words.join(' '))
    }
    expect(findQueries('event', 1).every((words) => words.length === 4 && words[0] === 'Some')).toBe(true)
    expect(findQueries('question', 1).every((words) => /^what was the talk about .+\?$/.test(words.join(' ')))).toBe(
      true,
    )
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
  expect(parseOptions(['--misses', 'typo'])).toMatchObject({ halves: ['tuning'] })
  expect(parseOptions(['--misses', 'typo', '--half', 'both'])).toMatchObject({ halves: ['tuning', 'report'] })
  for (const args of [['--misses', 'all'], ['--half', 'none'], ['--queries', '0'], ['--seed'], ['--date', 'x']]) {
    expect(parseOptions(args)).toBeNull()
  }
})
