import { type Timestamp, toMs } from './timestamp.ts'

/** A session ends after this long without use. */
export const maxIdleMs = 12 * 3_600_000
export const maxAgeMs = 30 * 24 * 3_600_000

/** The times of a session; each is a moment of the wall clock. */
export interface SessionTimes {
  readonly createdMs: number
  readonly usedMs: number
}

export function toSessionTimes(row: { readonly created: Timestamp; readonly lastUsed: Timestamp }): SessionTimes {
  return { createdMs: toMs(row.created), usedMs: toMs(row.lastUsed) }
}

/** Whether a session is too old, or unused for too long. A time that cannot be parsed is NaN, which counts as past. */
export function isSessionOver({ createdMs, usedMs }: SessionTimes, nowMs: number): boolean {
  return !(nowMs < createdMs + maxAgeMs && nowMs < usedMs + maxIdleMs)
}

/** The store keeps only this hash of a session's cookie, which has 256 random bits. */
export function toSessionHash(secret: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(secret).digest()
}
