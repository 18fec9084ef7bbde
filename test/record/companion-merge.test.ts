import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { chapters } from '../../src/record/companion/chapters.ts'
import { anyRecord } from '../../src/record/companion/companion.ts'
import { mergeCompanion } from '../../src/record/companion/version.ts'

/** `a b:paper` -> two links; the word after the colon is a label. */
const toLinks = (text: string) => ({
  links: text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name, label] = word.split(':')
      return { url: `https://example.org/${name}`, ...(label === undefined ? {} : { label }), kind: 'other' }
    }),
})
/** `0:a 5:b` -> two chapters. */
const toChapters = (text: string) => ({
  chapters: text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ start: Number(word.split(':')[0]), title: word.split(':')[1] ?? '' })),
})

describe('Two changes of links', () => {
  test.each([
    ['', 'a', 'b', 'b a'],
    ['a', 'a b', 'a c', 'a c b'],
    ['a b c', 'a c', 'a b c d', 'a c d'],
    ['a b', 'a:x b', 'a b:y', 'a:x b:y'],
    ['a', 'a:x', 'a:x', 'a:x'],
    ['a b', 'b', 'a', ''],
    ['a', '', '', ''],
    ['a b c', 'c a b', 'a b c d', 'c d a b'],
    ['a b c', 'a b c d', 'c a b', 'c d a b'],
    ['a b c', 'c a b', 'c a b', 'c a b'],
    ['a a:x', 'a a:x b', 'a:x', 'a:x b'],
  ])('of %p to %p and %p are %p', (base, theirs, yours, merged) => {
    const sides = { base: toLinks(base), theirs: toLinks(theirs), yours: toLinks(yours) }
    expect(mergeCompanion('related', sides)).toEqual({ content: toLinks(merged), conflicts: [] })
  })

  test.each([
    ['a b', 'a:x b c', 'a:y b d', 'a:y b d c', ['a', 'a:x', 'a:y']],
    ['a b', 'b', 'a:y b', 'a:y b', ['a', '', 'a:y']],
    ['a b', 'a:x b', 'b', 'b', ['a', 'a:x', '']],
    ['', 'a:x', 'a:y', 'a:y', ['', 'a:x', 'a:y']],
  ])(
    'of %p to %p and %p conflict, and yours would be %p',
    (base, theirs, yours, merged, [was = '', now = '', own = '']) => {
      const sides = { base: toLinks(base), theirs: toLinks(theirs), yours: toLinks(yours) }
      const conflict = {
        keys: ['https://example.org/a'],
        base: toLinks(was),
        theirs: toLinks(now),
        yours: toLinks(own),
      }
      expect(mergeCompanion('related', sides)).toEqual({ content: toLinks(merged), conflicts: [conflict] })
    },
  )

  test('of their order conflict if they differ', () => {
    const sides = { base: toLinks('a b c'), theirs: toLinks('c a b'), yours: toLinks('b a c') }
    const merged = mergeCompanion('related', sides)
    expect([merged?.content, merged?.conflicts.length]).toEqual([sides.yours, 1])
  })
})

test('Chapters are known by their starts, and stay in order', () => {
  const base = toChapters('0:a 10:b')
  const merge = (theirs: string, yours: string) =>
    mergeCompanion('chapters', { base, theirs: toChapters(theirs), yours: toChapters(yours) })
  expect(merge('0:a 5:x 10:b', '0:a 3:y 10:b 12:z')).toEqual({
    content: toChapters('0:a 3:y 5:x 10:b 12:z'),
    conflicts: [],
  })
  expect(merge('0:a 5:x 10:b', '0:a 5:y 11:b')).toMatchObject({
    content: toChapters('0:a 5:y 11:b'),
    conflicts: [{ keys: [5], base: { chapters: [] }, theirs: toChapters('5:x'), yours: toChapters('5:y') }],
  })
})

test('A transcript is one whole', () => {
  const transcript = { origin: 'human', cues: [] }
  expect(mergeCompanion('transcripts/en', { base: transcript, theirs: transcript, yours: transcript })).toBeNull()
})

const anyChapters = fc
  .uniqueArray(fc.record({ start: fc.nat(6), title: fc.constantFrom('a', 'b') }), { selector: ({ start }) => start })
  .map((all) => ({ chapters: all.toSorted((one, other) => one.start - other.start) }))

test('Whatever two people make of chapters, nothing of either is lost, and the result is valid', () => {
  fc.assert(
    fc.property(anyChapters, anyChapters, anyChapters, (base, theirs, yours) => {
      const { content, conflicts } = mergeCompanion('chapters', { base, theirs, yours }) ?? {
        content: {},
        conflicts: [],
      }
      expect(chapters.parse(content, anyRecord)).toEqual({ ok: true, content: content as never })
      const find = (all: { readonly chapters?: unknown }, start: number) =>
        (all.chapters as { start: number; title: string }[]).find((each) => each.start === start)?.title
      for (let start = 0; start <= 6; start++) {
        const [was, their, your] = [find(base, start), find(theirs, start), find(yours, start)]
        const isConflict = their !== was && your !== was && their !== your
        expect(conflicts.some(({ keys }) => keys.includes(start))).toBe(isConflict)
        expect(find(content, start)).toBe(your === was ? their : your)
      }
    }),
  )
})
