import { afterEach, expect, test } from 'bun:test'
import { createHealth, type Health } from '../../src/serve/writer/health.ts'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import type { Outcome } from '../../src/store/store.ts'

const stored: Outcome = {
  is: 'stored',
  stored: {
    id: 1,
    version: 1,
    versionTag: '1-00000000',
    state: 1,
    updated: '2026-01-01T00:00:00.000',
    body: new Uint8Array(),
  },
  changed: [],
}
/** None of these writes anything. */
const idle: readonly Outcome[] = [
  { is: 'refused', refusal: { code: 'stale' } },
  { is: 'unchanged', stored: stored.stored },
  { is: 'dry run', body: new Uint8Array() },
  { is: 'batch', batch: null, ids: [] },
  { is: 'failed', failure: 'bug' },
  { is: 'failed', failure: 'busy' },
]

let health: Health
afterEach(() => health.end())

function start() {
  const counters = createCounters(createCountersBuffer())
  health = createHealth(counters, async () => false)
  return counters
}

for (const failure of ['full', 'down', 'unknown'] as const) {
  test(`a store whose last write was "${failure}" is not called ready because of what writes nothing`, () => {
    const counters = start()
    health.note({ is: 'failed', failure })
    for (const outcome of idle) health.note(outcome)
    expect(counters.writesFail()).toBe(true)
    health.note(stored)
    expect(counters.writesFail()).toBe(false)
  })
}

test('what writes nothing is no trouble either', () => {
  const counters = start()
  for (const outcome of idle) health.note(outcome)
  expect(counters.writesFail()).toBe(false)
})
