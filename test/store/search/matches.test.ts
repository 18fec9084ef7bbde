import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/generated/random.ts'
import { createMatches, FoundMatches } from '../../../src/store/search/matches.ts'

const isBefore = (slot: number, other: number) => slot < other

/** Few different scores, so that many are equal. */
function createScored(count: number): { readonly slot: number; readonly score: number }[] {
  const random = createRandom(7)
  return Array.from({ length: count }, (_, i) => ({ slot: count - i, score: random.below(50) }))
}

test.each([
  { limit: 20, offset: 0 },
  { limit: 2_000, offset: 1_980 },
  { limit: 2_001, offset: 0 },
  { limit: 7_000, offset: 3_000 },
  { limit: Number.POSITIVE_INFINITY, offset: 9_990 },
  { limit: Number.POSITIVE_INFINITY, offset: 12_000 },
])('matches are taken in order: the best $limit, from $offset', ({ limit, offset }) => {
  const scored = createScored(10_000)
  const matches = createMatches(limit, isBefore)
  for (const { slot, score } of scored) {
    matches.add(slot)
    if (score >= matches.threshold()) matches.offer(slot, score)
  }
  const sorted = scored.toSorted((a, b) => b.score - a.score || a.slot - b.slot).map(({ slot }) => slot)
  expect(matches.count()).toBe(10_000)
  expect(matches.take(offset, 20)).toEqual(sorted.slice(offset, offset + 20))
})

/** Slots by score, each with the number of words that the record lacks. */
const judged = [
  { slot: 1, missing: 0, score: 90 },
  { slot: 2, missing: 2, score: 95 },
  { slot: 3, missing: 1, score: 30 },
  { slot: 4, missing: 0, score: 40 },
  { slot: 5, missing: 1, score: 10 },
]

function findWidened(limit: number, enough: number, records = judged) {
  const found = new FoundMatches(() => createMatches(limit, isBefore), enough)
  for (const { slot, missing, score } of records) {
    if (score >= found.add(slot, missing, true)) found.offer(slot, score, true)
  }
  return found.findWidened()
}

test.each([1, 3, 2_001])(
  'few matches with all words, and one that is as good without one: those that lack one (limit %i)',
  (limit) => {
    const widened = findWidened(limit, 3)
    expect([...(widened?.slots() ?? [])]).toEqual([1, 3, 4, 5])
    expect(widened?.take(0, 1)).toEqual([1])
  },
)

test('enough matches with all words, or none that is as good without one, are not widened', () => {
  expect(findWidened(20, 2)).toBeNull()
  expect(
    findWidened(
      20,
      3,
      judged.filter(({ slot }) => slot !== 3),
    ),
  ).toBeNull()
})

test('without matches that have all words, those with some are found', () => {
  const widened = findWidened(
    20,
    1,
    judged.filter(({ missing }) => missing > 0),
  )
  expect(widened?.take(0, 20)).toEqual([2, 3, 5])
})
