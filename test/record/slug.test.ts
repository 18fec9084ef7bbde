import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { listSlugs, toSlug } from '../../src/record/text/slug.ts'
import { findFreeSlug } from '../../src/store/write/slugs.ts'
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

test('a taken slug is tried with one number after the other, from any number on', () => {
  const take = (from?: number) => [...listSlugs('talk', from).take(3)]
  expect(take()).toEqual([
    { slug: 'talk', number: 1 },
    { slug: 'talk-2', number: 2 },
    { slug: 'talk-3', number: 3 },
  ])
  expect(take(7).map(({ slug }) => slug)).toEqual(['talk', 'talk-7', 'talk-8'])
})

test('a taken slug gets the first free number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 2, max: 30 })), async (numbers) => {
      const taken = new Set(['talk', ...numbers.map((number) => `talk-${number}`)])
      let first = 2
      while (numbers.includes(first)) first++
      const isTaken = async (slug: string) => taken.has(slug)
      expect(await findFreeSlug('talk', isTaken)).toEqual({ slug: `talk-${first}`, number: first })
      expect(await findFreeSlug('talk', isTaken, first)).toEqual({ slug: `talk-${first}`, number: first })
      expect(await findFreeSlug('other', isTaken)).toEqual({ slug: 'other', number: 1 })
    }),
  )
})
