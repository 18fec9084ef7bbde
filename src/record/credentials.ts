import { toFolded } from './text/fold.ts'
import { type Timestamp, toMs } from './timestamp.ts'

/** The store keeps only this hash of a key. Keys have at least 160 random bits, so a plain hash is enough. */
export function toAccessTokenHash(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest()
}

/** Whether a token may have this name, and so whether versions may have this author. */
export function isTokenName(name: string): boolean {
  return /^[^\u0000-\u001f]{1,100}$/.test(name)
}

/**
 * Why a new token may not have this name; null if it may. Authors are names of tokens, so people must be able to tell
 * them apart. Older names stay as they are.
 */
export function findBadTokenName(name: string): string | null {
  if (!isTokenName(name)) return 'must have 1 to 100 characters'
  const [found] = name.match(invisible) ?? []
  if (found !== undefined) return `must have visible characters only, not ${toCode(found)}`
  return name !== name.trim() || name.includes('  ') ? 'must not begin or end with a space, or have two in a row' : null
}

/** Another name that differs only in case, accents, character forms, dashes or invisible characters. */
export function findLookalike(name: string, names: readonly string[]): string | null {
  const shape = toShape(name)
  return names.includes(name) ? null : (names.find((other) => toShape(other) === shape) ?? null)
}

/** Controls, direction marks and other invisible characters, and spaces other than U+0020. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu
/** Hyphens, dashes and the minus sign. */
const dash = /[\p{Pd}\u2043\u2212]/gu

const toCode = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

function toShape(name: string): string {
  const visible = name.normalize('NFKC').replaceAll(invisible, '').replaceAll(dash, '-')
  return toFolded(visible).replaceAll(/ +/g, ' ').trim()
}

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
