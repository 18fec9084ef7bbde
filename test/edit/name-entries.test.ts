import { expect, test } from 'bun:test'
import { moveEntry, parseNameLines, withEntries } from '../../src/edit/script/names/name-entries.ts'

test('names are lines that are not blank', () => {
  expect(parseNameLines(' Ada \r\n\n Ben\rCy ')).toEqual(['Ada', 'Ben', 'Cy'])
  expect(parseNameLines(' \n')).toEqual([])
})

test('names are added once, at the end or where one was edited', () => {
  expect(withEntries(['Ada', 'Ben'], ['Cy', 'Ada', 'Cy'], null)).toEqual({
    names: ['Ada', 'Ben', 'Cy'],
    added: ['Cy'],
    repeated: ['Ada'],
  })
  expect(withEntries(['Ada', 'Ben'], ['Cy'], 0).names).toEqual(['Cy', 'Ada', 'Ben'])
})

test('names move to another place', () => {
  expect(moveEntry(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveEntry(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moveEntry(['a'], 4, 0)).toEqual(['a'])
})
