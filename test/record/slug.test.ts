import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toFreeSlug, toSlug } from '../../src/record/text/slug.ts'
import { runs } from '../harness/runs.ts'

test('a slug is lowercase ASCII words joined by single hyphens, at most 50 characters, for any title', () => {
  const title = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(title, (each) => {
      expect(toSlug(each)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(toSlug(each).length).toBeLessThanOrEqual(50)
    }),
    { numRuns: runs(3000) },
  )
})

test.each([
  ['PyCon für Anfänger', 'pycon-fur-anfanger'],
  ["What's new, Doc?", 'whats-new-doc'],
  ['node.js & <b>C++</b>', 'node-js-b-c-b'],
  ['Москва', 'moskva'],
  ['東京', 'dongjing'],
  ['🎉🎉', 'video'],
  ['!!!', 'video'],
  ['', 'video'],
  [`${'a'.repeat(49)} bb`, 'a'.repeat(49)],
  ['a'.repeat(60), 'a'.repeat(50)],
  ['  --Many   spaces__and-hyphens--  ', 'many-spaces-and-hyphens'],
])('%p becomes %p', (title, slug) => {
  expect(toSlug(title)).toBe(slug)
})

test('a taken slug gets the first free number', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 30 })), (numbers) => {
      const taken = new Set(['talk', ...numbers.map((number) => `talk-${number}`)])
      let first = 2
      while (numbers.includes(first)) first++
      const isTaken = (slug: string) => taken.has(slug)
      expect(toFreeSlug('talk', isTaken)).toEqual({ slug: `talk-${first}`, number: first })
      expect(toFreeSlug('talk', isTaken, first)).toEqual({ slug: `talk-${first}`, number: first })
      expect(toFreeSlug('other', isTaken)).toEqual({ slug: 'other', number: 1 })
    }),
  )
})
