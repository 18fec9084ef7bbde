import { describe, expect, test } from 'bun:test'
import { createRandom } from '../../bench/generated/random.ts'
import { findSurname, misspell, swapLetters, toOtherNumber, toSearchWords } from '../../bench/search-quality/words.ts'

describe('The words of a text that a person would search for', () => {
  const cases: readonly [text: string, ...words: string[]][] = [
    ['Deleting Code as a Team Sport', 'Deleting', 'Code', 'Team', 'Sport'],
    ['Tests, tests & more TESTS', 'Tests'],
    ["Don't Panic: it's 2018", 'Panic', '2018'],
    ['Éloge de la compilation lente', 'Éloge', 'compilation', 'lente'],
    ['Как мы научили самовар', 'Как', 'научили', 'самовар'],
    ['Authentica\u00adtion', 'Authentication'],
    ['See <a href="https://example.org/page">slides</a> at www.example.org/x&amp;y', 'See', 'slides'],
  ]
  for (const [text, ...words] of cases) test(text, () => expect(toSearchWords(text)).toEqual(words))
})

describe('The surname', () => {
  const cases: readonly [name: string, surname: string | null][] = [
    ['Guido van Rossum', 'Rossum'],
    ['Solveig Ødegård-Brún', 'Brún'],
    ['Harry Connick Jr.', 'Connick'],
    ['Plato', null],
    ['Various speakers', null],
  ]
  for (const [name, surname] of cases) test(`of ${name}`, () => expect(findSurname(name)).toBe(surname))
})

describe('A swap of letters', () => {
  test('changes two adjacent letters and nothing else', () => {
    const random = createRandom(1)
    const swaps = new Set(Array.from({ length: 100 }, () => swapLetters('asyncio', random)))
    expect([...swaps].sort()).toEqual(['asnycio', 'asycnio', 'asyncoi', 'asynico', 'aysncio', 'sayncio'])
  })

  test('is never one of equal letters', () => {
    const random = createRandom(1)
    const swaps = new Set(Array.from({ length: 100 }, () => swapLetters('aabb', random)))
    expect([...swaps]).toEqual(['abab'])
  })

  for (const word of ['web', 'aaaa', 'Aaaa', '2018', 'py35']) {
    test(`is not made in ${word}`, () => expect(swapLetters(word, createRandom(1))).toBeNull())
  }
})

test('A misspelling is one error behind the first letter', () => {
  const random = createRandom(1)
  const found = new Set(Array.from({ length: 200 }, () => misspell('tides', random)))
  expect(found.has('tides')).toBe(false)
  expect([...found]).toEqual(expect.arrayContaining(['tdies', 'tids', 'tiddes']))
  expect(misspell('web', random)).toBeNull()
})

describe('The other number of a word', () => {
  const cases: readonly [word: string, other: string | null][] = [
    ['Table', 'Tables'],
    ['tables', 'table'],
    ['Libraries', 'Library'],
    ['library', 'libraries'],
    ['class', null],
    ['Testing', null],
    ['самовар', null],
  ]
  for (const [word, other] of cases) test(word, () => expect(toOtherNumber(word)).toBe(other))
})
