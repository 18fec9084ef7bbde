import { expect } from 'bun:test'
import { createChangeStreams } from '../../src/api/feed/change-streams.ts'
import { createQuota, createQuotaBuffer } from '../../src/http/limits.ts'
import type { Caller } from '../../src/http/route.ts'
import type { ChangesPage } from '../../src/store/change-log.ts'

/** Of the store only what the streams ask of it. */
interface FakeStore {
  tokensCounter(): number
  changesCounter(): number
  listChanges(query: { readonly since: number; readonly limit: number }): Promise<ChangesPage>
}

const createFakeQuota = () => createQuota(createQuotaBuffer(1), 0, { max: 1_000, maxPerKey: 1_000 })

/** Streams of a feed that `store` makes up; whoever opens one says whether its token still holds. */
export function createFakeStreams(store: FakeStore, clock = { nowMs: 0 }) {
  const deps = {
    store,
    streamQuota: createFakeQuota(),
    waiting: createFakeQuota(),
    log: { error: (event: string) => expect(event).toBe('nothing goes wrong here') },
    maxStreams: 1_000,
    heartbeatSeconds: 60,
    stallSeconds: 60,
    uptimeMs: () => performance.now(),
    now: () => clock.nowMs,
  }
  // Fakes of what is used; the rest of the types is not asked for.
  const streams = createChangeStreams(deps as never)
  function open(
    isStillTrusted: () => boolean | Promise<boolean>,
    cursor: number,
    last: number,
    caller: Caller | null = null,
  ) {
    const filter = { visibility: 'live', by: null } as const
    const call = { setTimeout: () => undefined, caller: () => caller, clientAddress: () => '', isStillTrusted }
    const body = streams.open(call as never, { filter, cursor, store: 'here', isReset: false }, last)
    return typeof body === 'string' ? expect.unreachable(body) : body
  }
  return { open, close: () => streams.close() }
}
