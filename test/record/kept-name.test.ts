import { describe, expect, test } from 'bun:test'
import type { NameKind } from '../../src/record/name.ts'
import { findKeptName } from '../../src/record/variants/kept-name.ts'

type Used = readonly [name: string, count: number]
type Row = readonly [kind: NameKind, kept: Used, ...others: readonly Used[]]

/** The name to keep, then the others. */
const rows: readonly Row[] = [
  ['speaker', ['Andy McKay', 2], ['Andy Mckay', 9], ['andy mckay', 30]],
  ['speaker', ['Siobhan O’Brien', 1], ['Siobhan O’brien', 3]],
  ['speaker', ['Ann Lee', 1], ['ann lee', 12]],
  ['speaker', ['Ann Lee', 1], ['ANN LEEDS', 2], ['Ann lee', 12]],
  ['speaker', ['Jim Fulton', 1], ['JIm Fulton', 4]],
  ['speaker', ['Hiroki Kiyohara', 1], ['KIYOHARA Hiroki', 8]],
  ['speaker', ['John Smith', 1], ['Smith, John', 3]],
  ['speaker', ['Guido van Rossum', 3], ['Guido Van Rossum', 2]],
  ['speaker', ['Guido Van Rossum', 3], ['Guido van Rossum', 2]],
  ['speaker', ['Ann Lee', 1], ['Ann  Lee', 5], ['Ann\u00a0Lee', 7], [' Ann Lee', 9]],
  ['speaker', ['Alex', 1], ['"Alex"', 3]],
  ['speaker', ['Various speakers', 183], ['Various Speakers', 19]],
  ['speaker', ['aodag', 3], ['Aodag', 1]],
  ['speaker', ['山田太郎', 2], ['山田 太郎', 1]],
  ['speaker', ['Jesús Espino', 3], ['Jesus Espino', 1]],
  ['speaker', ['Jesus Espino', 3], ['Jesús Espino', 1]],
  ['speaker', ['Min-jun Kim', 2], ['Min-Jun Kim', 1]],
  ['tag', ['JavaScript', 4], ['Javascript', 20]],
  ['tag', ['javascript', 40], ['JavaScript', 4], ['Javascript', 20]],
  ['tag', ['Python', 900], ['PyThon', 1]],
  ['tag', ['SQLite', 3], ['sqlite', 2]],
  ['tag', ['APIs', 3], ['API', 2]],
  ['tag', ['micropython', 1], ['#MicroPython', 6]],
  ['tag', ['.NET', 2], ['.net', 1]],
  ['tag', ['lightning talks', 5], ['lightning talk', 3]],
]

describe('Of names that are the same', () => {
  for (const [kind, kept, ...others] of rows) {
    test(`"${kept[0]}" is kept, not ${others.map(([name]) => `"${name}"`).join(' or ')}`, () => {
      const names = [kept, ...others].map(([name, count]) => ({ name, count }))
      expect(findKeptName(kind, names)?.name).toBe(kept[0])
      expect(findKeptName(kind, names.toReversed())?.name).toBe(kept[0])
    })
  }

  test('the first stays where two are used and written alike', () => {
    expect(
      findKeptName('tag', [
        { name: 'tide', count: 1 },
        { name: 'tides', count: 1 },
      ])?.name,
    ).toBe('tide')
  })
})
