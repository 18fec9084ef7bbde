import { expect, test } from 'bun:test'
import type { Caller } from '../../src/http/route.ts'
import { createFakeStreams } from './fake-streams.ts'

function createFixture() {
  let tokens = 0
  const trust = { asked: 0, answer: async (): Promise<boolean> => true }
  const store = {
    tokensCounter: () => tokens,
    changesCounter: () => 0,
    listChanges: async () => ({ changes: [], last: 0, store: 'here' }),
  }
  const ask = () => {
    trust.asked++
    return trust.answer()
  }
  const clock = { nowMs: 1_000 }
  const open = (caller: Caller | null = null) => createFakeStreams(store, clock).open(ask, 0, 0, caller)
  return { trust, open, clock, revoke: () => tokens++ }
}

test('a token that cannot be looked up is looked up again until it can, and its stream ends then', async () => {
  const { trust, open, revoke } = createFixture()
  const reader = open().getReader()
  await reader.read()
  trust.answer = () => Promise.reject(new Error('the store is away'))
  revoke()
  while (trust.asked < 3) await Bun.sleep(5)
  trust.answer = async () => false
  expect(await reader.read()).toEqual({ done: true, value: undefined })
}, 180_000)

const ann: Caller = { name: 'ann', role: 'reader', tokenId: 1, expiresMs: 2_000, session: null }

test('the stream of a token ends when the token expires by the wall clock', async () => {
  const { trust, open, clock } = createFixture()
  const reader = open(ann).getReader()
  await reader.read()
  await Bun.sleep(100)
  expect(trust.asked).toBe(0)
  trust.answer = async () => false
  clock.nowMs = 2_000
  expect(await reader.read()).toEqual({ done: true, value: undefined })
}, 180_000)

test('a token whose expiry was extended keeps its stream', async () => {
  const { trust, open, clock } = createFixture()
  const reader = open(ann).getReader()
  await reader.read()
  clock.nowMs = 2_000
  while (trust.asked < 3) await Bun.sleep(5)
  expect(await Promise.race([reader.read(), Bun.sleep(100)])).toBeUndefined()
}, 180_000)
