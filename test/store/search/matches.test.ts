import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/generated/random.ts'
import { createMatches } from '../../../src/store/search/matches.ts'

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
