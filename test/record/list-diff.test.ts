import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffLists } from '../../src/record/text/diff.ts'
import { runs } from '../harness/runs.ts'

const marks = { same: '', moved: '~', added: '+', removed: '-' } as const
const toText = (before: string, after: string) =>
  diffLists([...before], [...after])
    .map(({ is, text }) => marks[is] + text)
    .join(' ')

const cases: readonly (readonly [string, string, string])[] = [
  ['', '', ''],
  ['abc', 'abc', 'a b c'],
  ['', 'ab', '+a +b'],
  ['ab', '', '-a -b'],
  ['abc', 'ac', 'a -b c'],
  ['ac', 'abc', 'a +b c'],
  ['abc', 'axc', 'a +x -b c'],
  ['abcd', 'dabc', '~d a b c'],
  ['abcd', 'bcda', 'b c d ~a'],
  ['ab', 'ba', 'b ~a'],
  ['aba', 'baa', 'b ~a a'],
]

describe('The difference between two lists', () => {
  for (const [before, after, expected] of cases) {
    test(`${before} -> ${after} is ${expected}`, () => {
      expect(toText(before, after)).toBe(expected)
    })
  }
})

test('any two lists: the entries that are not removed are the second, the others make up the first', () => {
  const lists = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 })
  const property = fc.property(lists, lists, (before, after) => {
    const entries = diffLists(before, after)
    const textsOf = (...wanted: readonly string[]) =>
      entries.filter(({ is }) => wanted.includes(is)).map(({ text }) => text)
    expect(textsOf('same', 'moved', 'added')).toEqual(after)
    expect(textsOf('same', 'moved', 'removed').sort()).toEqual(before.toSorted())
    const stayed = textsOf('same', 'removed')
    // What stayed keeps its order: it is the first list without the entries that moved.
    let at = 0
    for (const text of before) if (text === stayed[at]) at++
    expect(at).toBe(stayed.length)
    const missing = after.filter((text) => !before.includes(text))
    expect(textsOf('added')).toEqual(expect.arrayContaining(missing))
  })
  fc.assert(property, { numRuns: runs(10_000) })
})
