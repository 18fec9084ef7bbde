import { expect, test } from 'bun:test'
import { createChangeStreams } from '../../src/api/change-streams.ts'

/** Only what the streams ask of each. */
function createFixture() {
  let tokens = 0
  const trust = { asked: 0, answer: async (): Promise<boolean> => true }
  const store = {
    tokensCounter: () => tokens,
    changesCounter: () => 0,
    listChanges: async () => ({ changes: [], last: 0 }),
  }
  const needs = {
    store,
    metrics: { set: () => undefined, sumOf: () => 0 },
    log: { error: (event: string) => expect(event).toBe('nothing goes wrong here') },
    maxStreams: 10,
    heartbeatSeconds: 60,
    stallSeconds: 60,
    now: Date.now,
  }
  const call = {
    request: null,
    peers: { timeout: () => undefined },
    isStillTrusted: () => {
      trust.asked++
      return trust.answer()
    },
  }
  // Fakes of what is used; the rest of the types is not asked for.
  const streams = createChangeStreams(needs as never)
  const open = () => streams.open(call as never, 'live', 0, 0) ?? expect.unreachable()
  return { trust, open, revoke: () => tokens++ }
}

test('a token that cannot be looked up is asked for again until it can, and its reader ended then', async () => {
  const { trust, open, revoke } = createFixture()
  const reader = open().getReader()
  await reader.read()
  trust.answer = () => Promise.reject(new Error('the store is away'))
  revoke()
  while (trust.asked < 3) await Bun.sleep(5)
  trust.answer = async () => false
  expect(await reader.read()).toEqual({ done: true, value: undefined })
}, 10_000)
