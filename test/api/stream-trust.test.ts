import { expect, test } from 'bun:test'
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
  const open = () => createFakeStreams(store).open(ask, 0, 0)
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
}, 60_000)
