import { describe, expect, test } from 'bun:test'
import { type AuthDeps, createAuth, toFormToken } from '../../src/http/auth/auth.ts'
import { maxAgeMs, maxIdleMs, toAccessTokenHash, toSessionHash } from '../../src/record/credentials.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import type { StoredSession } from '../../src/store/access.ts'

const secret = 's'.repeat(43)
const startMs = Date.UTC(2030, 0, 1)
const start = toTimestamp(startMs)
const minuteMs = 60_000

/** One session in a store that counts lookups, and a clock that can be moved. */
function createFixture(isAsync: boolean) {
  const token = { id: 7, name: 'ann', role: 'editor', expires: null, isLimited: false } as const
  const first: StoredSession = { tokenHash: toAccessTokenHash('a-key'), created: start, lastUsed: start, token }
  const state = { session: first as StoredSession | null, nowMs: startMs, counter: 0 }
  const seen = { lookups: [] as string[], uses: [] as string[], tokens: [] as number[] }
  const deps = {
    store: {
      findToken: () => null,
      recordTokenUse: (id: number) => void seen.tokens.push(id),
      tokensCounter: () => 0,
      findSession(hash: Uint8Array) {
        seen.lookups.push(Buffer.from(hash).toString('hex'))
        return isAsync ? Promise.resolve(state.session) : state.session
      },
      recordSessionUse: (hash: Uint8Array) => void seen.uses.push(Buffer.from(hash).toString('hex')),
      sessionsCounter: () => state.counter,
    },
    adminKeyHash: toAccessTokenHash('the-key-of-the-environment'),
    localMode: null,
    wrongTokens: { take: () => 0 },
    logRefusal: () => undefined,
    uptimeMs: () => state.nowMs - startMs,
    now: () => state.nowMs,
  } satisfies AuthDeps
  const auth = createAuth(deps)
  return { state, seen, first, identify: async (given = secret) => await auth.identifySession(given) }
}

describe.each([false, true])('A session (asynchronous store: %p)', (isAsync) => {
  test('is looked up once, by the hash of its secret, and has the token of its forms', async () => {
    const { seen, identify } = createFixture(isAsync)
    const caller = await identify()
    expect(caller).toEqual({
      ...{ name: 'ann', role: 'editor', tokenId: 7, isLimited: false, expiresMs: null },
      session: { hash: toSessionHash(secret).toString('base64url'), formToken: toFormToken(secret) },
    })
    expect(await identify()).toEqual(caller)
    expect([seen.lookups, seen.tokens]).toEqual([[toSessionHash(secret).toString('hex')], [7]])
    expect(JSON.stringify(caller)).not.toContain(secret)
  })

  test('ends when it is idle for too long, even if it is cached', async () => {
    const { state, identify } = createFixture(isAsync)
    await identify()
    state.nowMs += maxIdleMs - 1
    expect(await identify()).not.toBeNull()
    state.nowMs += maxIdleMs
    expect(await identify()).toBeNull()
  })

  test('continues if another thread has seen it in use', async () => {
    const { state, first, seen, identify } = createFixture(isAsync)
    await identify()
    state.nowMs += maxIdleMs + minuteMs
    state.session = { ...first, lastUsed: toTimestamp(state.nowMs - minuteMs) }
    expect(await identify()).not.toBeNull()
    expect(seen.lookups).toHaveLength(2)
  })

  test('ends when it is too old, though it is used', async () => {
    const { state, identify } = createFixture(isAsync)
    for (let ageMs = 0; ageMs < maxAgeMs; ageMs += maxIdleMs / 2) {
      state.nowMs = startMs + ageMs
      expect(await identify()).not.toBeNull()
    }
    state.nowMs = startMs + maxAgeMs
    expect(await identify()).toBeNull()
  })

  test('ends when the counter moves and the store has it no more, or its token', async () => {
    const { state, first, identify } = createFixture(isAsync)
    for (const session of [null, { ...first, token: null }]) {
      state.session = first
      state.counter++
      expect(await identify()).not.toBeNull()
      state.session = session
      expect(await identify()).not.toBeNull()
      state.counter++
      expect(await identify()).toBeNull()
    }
  })

  test('ends when its token expires, which is not recorded as a use', async () => {
    const { state, first, seen, identify } = createFixture(isAsync)
    const token = first.token && { ...first.token, expires: toTimestamp(startMs + minuteMs) }
    state.session = { ...first, token }
    expect(await identify()).not.toBeNull()
    state.nowMs += minuteMs
    expect([await identify(), seen.uses]).toEqual([null, []])
  })

  test('belongs to the key of the environment only while that key is set', async () => {
    const { state, first, identify } = createFixture(isAsync)
    state.session = { ...first, token: null, tokenHash: toAccessTokenHash('the-key-of-the-environment') }
    expect(await identify()).toMatchObject({ name: 'ROSTRUM_ADMIN_TOKEN', role: 'admin', tokenId: null })
    state.session = { ...first, token: null, tokenHash: toAccessTokenHash('its-former-key') }
    state.counter++
    expect(await identify()).toBeNull()
  })

  test('has its use stored at most once a minute, also when the clock goes back', async () => {
    const { state, seen, identify } = createFixture(isAsync)
    for (const ms of [0, 1, minuteMs - 1, minuteMs, minuteMs + 1, 2 * minuteMs - 1, 2 * minuteMs, -minuteMs]) {
      state.nowMs = startMs + ms
      await identify()
    }
    expect(seen.uses).toEqual(Array(3).fill(toSessionHash(secret).toString('hex')))
  })

  test('is not kept while the counter is unknown', async () => {
    const { state, seen, identify } = createFixture(isAsync)
    state.counter = Number.NaN
    await identify()
    await identify()
    expect(seen.lookups).toHaveLength(2)
  })
})
