import type { MaybePromise } from '../promises.ts'
import type { Role } from '../record/role.ts'
import type { Timestamp } from '../record/timestamp.ts'

export interface AccessToken {
  readonly id: number
  readonly name: string
  readonly role: Role
  /** Null: never. */
  readonly expires: Timestamp | null
  /** Whether it is limited to events. */
  readonly isLimited: boolean
}

/** A session as the store has it; it may be over. */
export interface StoredSession {
  /** Hash of the key that opened it. */
  readonly tokenHash: Uint8Array
  readonly created: Timestamp
  readonly lastUsed: Timestamp
  /** The token of that key; null if it was revoked, or if the key is `ROSTRUM_ADMIN_TOKEN`. */
  readonly token: AccessToken | null
}

/** The sessions of the owner of a key. */
export interface SessionsQuery {
  /** The name of the token. */
  readonly name: string
  /** The session of the caller, as in `SessionLine`. */
  readonly own: string
  readonly at: Timestamp
}

export interface SessionLine {
  /** Base64url. */
  readonly hash: string
  readonly created: Timestamp
  readonly lastUsed: Timestamp
  readonly agent: string
}

/** Tokens and sessions, which identify callers. On SQLite, lookups return synchronously. */
export interface AccessStore {
  /** The token with this SHA-256, unless revoked. It may have expired. */
  findToken(hash: Uint8Array): MaybePromise<AccessToken | null>
  /** Records the use of a token. Written with the next group, so a crash may lose it. */
  recordTokenUse(id: number): void
  /** Changes whenever tokens may have changed. */
  tokensCounter(): number
  /** The session with this SHA-256. */
  findSession(hash: Uint8Array): MaybePromise<StoredSession | null>
  /** As `recordTokenUse`. */
  recordSessionUse(hash: Uint8Array): void
  /** Changes whenever sessions or tokens may have begun or ended. */
  sessionsCounter(): number
}
