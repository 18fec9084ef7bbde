import { andThen, type MaybePromise } from '../../promises.ts'
import {
  isSessionOver,
  type SessionTimes,
  toAccessTokenHash,
  toSessionHash,
  toSessionTimes,
} from '../../record/credentials.ts'
import { toMs } from '../../record/timestamp.ts'
import type { AccessToken, StoredSession } from '../../store/access.ts'
import type { Store } from '../../store/store.ts'
import { toNetwork } from '../host.ts'
import type { RateLimit } from '../limits.ts'
import type { RefusalLog } from '../logger.ts'
import type { Problem } from '../problem.ts'
import type { Caller, Head } from '../route.ts'
import type { LocalMode, SocketAddress } from './local-mode.ts'

export interface AuthDeps {
  readonly store: Pick<Store, 'findToken' | 'recordTokenUse' | 'tokensCounter'> & KnownSessionDeps['store']
  /** SHA-256 of the key in ROSTRUM_ADMIN_TOKEN, valid while it is set. */
  readonly adminKeyHash: Uint8Array | null
  /** Null without `--auth local`. */
  readonly localMode: LocalMode | null
  readonly wrongTokens: RateLimit
  readonly logRefusal: RefusalLog
  /** Monotonic, for durations. */
  uptimeMs(): number
  /** The wall clock. */
  now(): number
}

export interface Auth {
  /** The owner of the token in an Authorization header; null if it is not valid. */
  identify(authorization: string): MaybePromise<Caller | null>
  /** The owner of a session by the secret in its cookie; null if it has ended. */
  identifySession(secret: string): MaybePromise<Caller | null>
  /** Counts and logs a wrong key from this address. */
  refuseKey(event: 'token refused' | 'sign-in refused', address: string): Problem
  /** The caller of a request without Authorization. */
  identifyLocal(head: Head, findEnd: () => SocketAddress | null): LocalIdentity
}

/** The local admin, or why local mode does not apply; both null if it is off. */
export interface LocalIdentity {
  readonly caller: Caller | null
  readonly reason: string | null
}

const localAdmin: LocalIdentity = {
  caller: { name: 'local', role: 'admin', tokenId: null, expiresMs: null, session: null },
  reason: null,
}
const environment: Caller = {
  name: 'ROSTRUM_ADMIN_TOKEN',
  role: 'admin',
  tokenId: null,
  expiresMs: null,
  session: null,
}
const nobody: LocalIdentity = { caller: null, reason: null }
const useNoteMs = 60_000

export function createAuth(deps: AuthDeps): Auth {
  const { store, adminKeyHash, localMode, wrongTokens, logRefusal, uptimeMs, now } = deps
  /** Callers by header, so that a known token costs no hash and no lookup; cleared when tokens may have changed. */
  const known = new Map<string, Caller>()
  const noted = new Map<number, number>()
  let counter = store.tokensCounter()

  const isAdminKey = (hash: Uint8Array) =>
    adminKeyHash !== null && hash.length === adminKeyHash.length && crypto.timingSafeEqual(hash, adminKeyHash)

  const findOwner = ({ tokenHash, token }: StoredSession) =>
    isAdminKey(tokenHash) ? environment : token && toCaller(token)
  const findSessionCaller = createKnownSessions({ store, findOwner, now })

  function findCaller(key: string): MaybePromise<Caller | null> {
    const hash = toAccessTokenHash(key)
    if (isAdminKey(hash)) return environment
    return andThen(store.findToken(hash), (token) => (token === null ? null : toCaller(token)))
  }

  /** Records the use of the token and returns the caller; null once the token has expired. */
  function admit(caller: Caller): Caller | null {
    if (hasExpired(caller, now())) return null
    noteUse(caller)
    return caller
  }

  function noteUse({ tokenId }: Caller): void {
    if (tokenId === null || uptimeMs() - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) < useNoteMs) return
    noted.set(tokenId, uptimeMs())
    store.recordTokenUse(tokenId)
  }

  function identify(authorization: string): MaybePromise<Caller | null> {
    const current = store.tokensCounter()
    if (current !== counter) known.clear()
    counter = current
    const remembered = known.get(authorization)
    if (remembered !== undefined) return admit(remembered)
    const key = /^(?:token|bearer) +([A-Za-z0-9_-]+)$/i.exec(authorization)?.[1]
    return andThen(key === undefined ? null : findCaller(key), (caller) => {
      if (caller === null) return null
      // Not cached if tokens have changed since the lookup began.
      if (known.size < 1000 && current === store.tokensCounter()) known.set(authorization, caller)
      return admit(caller)
    })
  }

  function identifyLocal(head: Head, findEnd: () => SocketAddress | null): LocalIdentity {
    if (localMode === null) return nobody
    const reason = localMode(head, findEnd)
    return reason === null ? localAdmin : { caller: null, reason }
  }

  const identifySession = (secret: string) =>
    andThen(findSessionCaller(secret), (caller) => (caller === null ? null : admit(caller)))

  return {
    identify,
    identifySession,
    refuseKey(event, address) {
      const wait = wrongTokens.take(toNetwork(address), uptimeMs())
      logRefusal(wait === 0 ? event : 'too many wrong tokens', address)
      return wait === 0 ? { code: 'wrong_token' } : { code: 'too_many_wrong_tokens', retryAfterSeconds: wait }
    },
    identifyLocal,
  }
}

function toCaller({ id, name, role, expires, isLimited }: AccessToken): Caller {
  const expiresMs = expires === null ? null : toMs(expires)
  return { name, role, tokenId: id, isLimited, expiresMs, session: null }
}

/** A time that cannot be parsed is NaN, which counts as past. */
export function hasExpired({ expiresMs }: Pick<Caller, 'expiresMs'>, nowMs: number): boolean {
  return expiresMs !== null && !(nowMs < expiresMs)
}

interface KnownSessionDeps {
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

const maxKnown = 1_000

/** The caller of a session by the secret in its cookie; null if it has ended. */
type IdentifySession = (secret: string) => MaybePromise<Caller | null>

/**
 * Sessions that this thread has seen, until a session or token begins or ends on any thread or node. Every use checks
 * the times again. The store learns of uses within a minute, so a session may end that much earlier (decision 57).
 */
function createKnownSessions({ store, findOwner, now }: KnownSessionDeps): IdentifySession {
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

/** The token in every form, which only pages of the same session know. It does not reveal the cookie. */
export function toFormToken(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(`csrf ${secret}`).digest('base64url')
}

/** Compares in constant time. */
export function isFormToken(sent: string | null, expected: string): boolean {
  const [sentBytes, expectedBytes] = [Buffer.from(sent ?? ''), Buffer.from(expected)]
  return sentBytes.length === expectedBytes.length && crypto.timingSafeEqual(sentBytes, expectedBytes)
}
