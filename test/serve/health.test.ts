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
  const versions = createCounters(createCountersBuffer())
  health = createHealth(versions, async () => false)
  return versions
}

for (const failure of ['full', 'down', 'unknown'] as const) {
  test(`a store whose last write was "${failure}" is not called ready because of what writes nothing`, () => {
    const versions = start()
    health.note({ is: 'failed', failure })
    for (const outcome of idle) health.note(outcome)
    expect(versions.isTroubled()).toBe(true)
    health.note(stored)
    expect(versions.isTroubled()).toBe(false)
  })
}

test('what writes nothing is no trouble either', () => {
  const versions = start()
  for (const outcome of idle) health.note(outcome)
  expect(versions.isTroubled()).toBe(false)
})
