import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import { isSessionOver, type SessionTimes, toSessionHash, toSessionTimes } from '../../record/session.ts'
import type { StoredSession } from '../../store/access.ts'
import type { Store } from '../../store/store.ts'
import { type Caller, hasExpired } from '../caller.ts'
import { toFormToken } from './form-token.ts'

export interface KnownSessionDeps {
  readonly store: Pick<Store, 'findSession' | 'recordSessionUse' | 'sessionsCounter'>
  /** The owner of the key that opened a session; null if it is no longer valid. */
  findOwner(session: StoredSession): Caller | null
  now(): number
}

interface KnownSession extends SessionTimes {
  readonly caller: Caller
  readonly hash: Uint8Array
  usedMs: number
  /** The last use that the store has. */
  notedMs: number
}

const useNoteMs = 60_000
const maxKnown = 1_000

/** The caller of a session by the secret in its cookie; null if it has ended. */
export type IdentifySession = (secret: string) => MaybePromise<Caller | null>

/**
 * Sessions that this thread has seen, until a session or token begins or ends on any thread or node. Judged at every
 * use. The store knows uses to within a minute, so a session may end that much earlier (decision 57).
 */
export function createKnownSessions({ store, findOwner, now }: KnownSessionDeps): IdentifySession {
  const known = new Map<string, KnownSession>()
  let counter = store.sessionsCounter()

  const isOver = (session: SessionTimes & { readonly caller: Caller }) =>
    isSessionOver(session, now()) || hasExpired(session.caller, now())

  function use(session: KnownSession): Caller {
    const nowMs = now()
    session.usedMs = nowMs
    // The clock may go back.
    if (Math.abs(nowMs - session.notedMs) >= useNoteMs) {
      session.notedMs = nowMs
      store.recordSessionUse(session.hash)
    }
    return session.caller
  }

  function load(secret: string, current: number): MaybePromise<Caller | null> {
    const hash = toSessionHash(secret)
    return andThen(store.findSession(hash), (found) => {
      const owner = found === null ? null : findOwner(found)
      if (found === null || owner === null) return null
      const times = toSessionTimes(found)
      const ids = { hash: hash.toString('base64url'), formToken: toFormToken(secret) }
      const session = { ...times, caller: { ...owner, session: ids }, hash, notedMs: times.usedMs }
      if (isOver(session)) return null
      // Not cached if sessions have changed since the lookup began.
      if (known.size < maxKnown && current === store.sessionsCounter()) known.set(secret, session)
      return use(session)
    })
  }

  return (secret) => {
    const current = store.sessionsCounter()
    if (current !== counter) known.clear()
    counter = current
    const session = known.get(secret)
    if (session !== undefined && !isOver(session)) return use(session)
    // Other threads may have noted a later use.
    known.delete(secret)
    return load(secret, current)
  }
}
