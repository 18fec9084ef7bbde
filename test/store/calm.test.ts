import { expect, test } from 'bun:test'
import { createVersions, createVersionsBuffer } from '../../src/store/counters.ts'
import { createCalm } from '../../src/store/sqlite/quiet-period.ts'

test('it is calm at first, not while there are commits, and again a second after it has seen the last', () => {
  const versions = createVersions(createVersionsBuffer())
  let nowMs = 5_000
  const isCalm = createCalm(versions, () => nowMs)
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
