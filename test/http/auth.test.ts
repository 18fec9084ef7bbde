import { describe, expect, test } from 'bun:test'
import { type AuthDeps, createAuth } from '../../src/http/auth/auth.ts'
import { toAccessTokenHash } from '../../src/record/credentials.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import type { AccessToken } from '../../src/store/access.ts'

const header = 'Token rst_a-key'
const dayMs = 24 * 3_600_000

/** One token in a store that counts its lookups, and clocks that can be moved. */
function createFixture(expires: string | null, isAsync = false) {
  const state = { token: { id: 7, name: 'ann', role: 'reader', expires } as AccessToken, nowMs: dayMs, uptimeMs: 0 }
  const seen = { lookups: 0, uses: [] as number[] }
  let counter = 0
  const deps = {
    store: {
      findToken() {
        seen.lookups++
        return isAsync ? Promise.resolve(state.token) : state.token
      },
      recordTokenUse: (id: number) => void seen.uses.push(id),
      tokensCounter: () => counter,
      findSession: () => null,
      recordSessionUse: () => undefined,
      sessionsCounter: () => counter,
    },
    adminKeyHash: toAccessTokenHash('the-admin-key_of-the-tests'),
    localMode: null,
    wrongTokens: { take: () => 0 },
    logRefusal: () => undefined,
    uptimeMs: () => state.uptimeMs,
    now: () => state.nowMs,
  } satisfies AuthDeps
  const auth = createAuth(deps)
  const change = (token: Partial<AccessToken>) => {
    state.token = { ...state.token, ...token }
    counter++
  }
  return { state, seen, change, identify: async (authorization = header) => await auth.identify(authorization) }
}

describe.each([false, true])('A token that expires (asynchronous store: %p)', (isAsync) => {
  test('is valid until that moment, and not from then on, though its caller is known', async () => {
    const { state, seen, identify } = createFixture(toTimestamp(2 * dayMs), isAsync)
    expect(await identify()).toMatchObject({ name: 'ann', role: 'reader' })
    state.nowMs = 2 * dayMs - 1
    expect(await identify()).toMatchObject({ name: 'ann' })
    state.nowMs = 2 * dayMs
    expect([await identify(), await identify(), seen.lookups]).toEqual([null, null, 1])
  })

  test('is not valid at its first use after that moment, which is not recorded as a use', async () => {
    const { seen, identify } = createFixture(toTimestamp(dayMs), isAsync)
    expect([await identify(), seen.uses]).toEqual([null, []])
  })

  test('has the new expiry of the store after it has changed', async () => {
    const { state, change, identify } = createFixture(null, isAsync)
    expect(await identify()).toMatchObject({ expiresMs: null })
    change({ expires: toTimestamp(3 * dayMs) })
    expect(await identify()).toMatchObject({ expiresMs: 3 * dayMs })
    state.nowMs = 4 * dayMs
    expect(await identify()).toBeNull()
    change({ expires: toTimestamp(5 * dayMs) })
    expect(await identify()).toMatchObject({ expiresMs: 5 * dayMs })
  })
})

test('a time that nobody can read is in the past', async () => {
  expect(await createFixture('next week').identify()).toBeNull()
})

test('a token without an expiry and the key of the environment are valid for ever', async () => {
  const { state, identify } = createFixture(null)
  state.nowMs = 1e15
  expect(await identify()).toMatchObject({ name: 'ann' })
  expect(await identify('Bearer the-admin-key_of-the-tests')).toMatchObject({ role: 'admin', expiresMs: null })
})

test('a use is recorded once a minute', async () => {
  const { state, seen, identify } = createFixture(toTimestamp(2 * dayMs))
  for (const uptimeMs of [0, 1, 59_999, 60_000, 60_001]) {
    state.uptimeMs = uptimeMs
    await identify()
  }
  expect(seen.uses).toEqual([7, 7])
})
