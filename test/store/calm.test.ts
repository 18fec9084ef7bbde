import { expect, test } from 'bun:test'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createQuietPeriod } from '../../src/store/sqlite/quiet-period.ts'

test('it is calm at first, not while there are commits, and again a second after it has seen the last', () => {
  const versions = createCounters(createCountersBuffer())
  let nowMs = 5_000
  const isCalm = createQuietPeriod(versions, () => nowMs)
  const calm = [isCalm()]
  const pass = (ms: number, commit: boolean) => {
    nowMs += ms
    if (commit) versions.bump(7)
    calm.push(isCalm())
  }
  pass(1, true)
  pass(999, false)
  pass(0, true)
  pass(999, false)
  pass(1, false)
  pass(60_000, false)
  expect(calm).toEqual([true, false, false, false, false, true, true])
})
