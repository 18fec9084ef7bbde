import { andThen, type MaybePromise } from '../maybe-promise.ts'
import { toAccessTokenHash } from '../record/access-token.ts'
import type { Role } from '../record/command.ts'
import type { Store } from '../store/store.ts'
import type { Head } from './head.ts'
import type { LocalMode } from './local-mode.ts'
import type { Problem } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'
import type { SocketAddress } from './socket-owner.ts'

/** Who is asking, as far as a token or the local mode says. */
export interface Caller {
  readonly name: string
  readonly role: Role
  readonly tokenId: number | null
}

export interface AuthNeeds {
  readonly store: Pick<Store, 'findToken' | 'recordTokenUse' | 'tokensCounter'>
  /** SHA-256 of the key in ROSTRUM_ADMIN_TOKEN, valid while it is set. */
  readonly adminKeyHash: Uint8Array | null
  /** Null without `--auth local`. */
  readonly localMode: LocalMode | null
  readonly wrongTokens: RateLimit
  /** For durations: it never jumps. */
  uptimeMs(): number
}

export interface Auth {
  /** Judges an Authorization header, which is always done when there is one. The address counts for wrong ones alone. */
  identify(authorization: string, toAddress: () => string): MaybePromise<Caller | Problem>
  /** Who a request without Authorization is: the local admin, or why not; null where local mode is off. */
  identifyLocal(head: Head, findEnd: () => SocketAddress | null): Caller | NotLocal | null
}

export interface NotLocal {
  /** Why local mode does not apply. */
  readonly reason: string
}

const localCaller: Caller = { name: 'local', role: 'admin', tokenId: null }
const useNoteMs = 60_000

export function createAuth({ store, adminKeyHash, localMode, wrongTokens, uptimeMs }: AuthNeeds): Auth {
  /** Header -> caller, so that a known token costs no hash and no look-up; emptied whenever tokens may have changed. */
  const known = new Map<string, Caller>()
  const noted = new Map<number, number>()
  let counter = store.tokensCounter()

  function findCaller(key: string): MaybePromise<Caller | null> {
    const hash = toAccessTokenHash(key)
    if (adminKeyHash !== null && crypto.timingSafeEqual(hash, adminKeyHash)) {
      return { name: 'ROSTRUM_ADMIN_TOKEN', role: 'admin', tokenId: null }
    }
    return andThen(store.findToken(hash), (token) =>
      token === null ? null : { name: token.name, role: token.role, tokenId: token.id },
    )
  }

  function noteUse({ tokenId }: Caller): void {
    if (tokenId === null || uptimeMs() - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) < useNoteMs) return
    noted.set(tokenId, uptimeMs())
    store.recordTokenUse(tokenId)
  }

  function identify(authorization: string, toAddress: () => string): MaybePromise<Caller | Problem> {
    const current = store.tokensCounter()
    if (current !== counter) known.clear()
    counter = current
    const remembered = known.get(authorization)
    if (remembered !== undefined) {
      noteUse(remembered)
      return remembered
    }
    const key = /^(?:token|bearer) +([A-Za-z0-9_-]+)$/i.exec(authorization)?.[1]
    return andThen(key === undefined ? null : findCaller(key), (caller) => {
      if (caller === null) return refuse(toAddress())
      // What was found before the tokens changed again is not remembered.
      if (known.size < 1000 && current === store.tokensCounter()) known.set(authorization, caller)
      noteUse(caller)
      return caller
    })
  }

  function refuse(address: string): Problem {
    const wait = wrongTokens.take(address, uptimeMs())
    return wait === 0 ? { code: 'wrong_token' } : { code: 'too_many_wrong_tokens', retryAfterSeconds: wait }
  }

  function identifyLocal(head: Head, findEnd: () => SocketAddress | null): Caller | NotLocal | null {
    if (localMode === null) return null
    const reason = localMode(head, findEnd)
    return reason === null ? localCaller : { reason }
  }

  return { identify, identifyLocal }
}
