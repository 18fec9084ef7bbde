import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toFreeSlug, toSlug } from '../../src/record/slug.ts'

test('a slug is lowercase ASCII words joined by single hyphens, at most 50 characters, for any title', () => {
  const title = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(title, (each) => {
      expect(toSlug(each)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(toSlug(each).length).toBeLessThanOrEqual(50)
    }),
    { numRuns: 3000 },
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

test('a taken slug gets the next number, at a cost that grows slowly', () => {
  for (const taken of [0, 1, 2, 3, 7, 8, 100, 9999]) {
    const slugs = new Set(Array.from({ length: taken }, (_, i) => (i === 0 ? 'talk' : `talk-${i + 1}`)))
    let looks = 0
    const free = toFreeSlug('talk', (slug) => {
      looks++
      return slugs.has(slug)
    })
    expect(free).toBe(taken === 0 ? 'talk' : `talk-${taken + 1}`)
    expect(looks).toBeLessThanOrEqual(30)
  }
})

test('whatever is taken, the slug found is free', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 60 })), (numbers) => {
      const taken = new Set(['talk', ...numbers.map((number) => `talk-${number}`)])
      const free = toFreeSlug('talk', (slug) => taken.has(slug))
      expect(taken.has(free)).toBe(false)
      expect(free).toMatch(/^talk-\d+$/)
    }),
  )
})
