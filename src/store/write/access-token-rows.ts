import { toAccessTokenHash } from '../../record/credentials.ts'
import { isRole, type Role } from '../../record/role.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'

export interface TokenRow {
  readonly name: string
  readonly role: string
  readonly created: Timestamp
  readonly last_used: Timestamp | null
  /** Null: never. */
  readonly expires: Timestamp | null
  /** When another key replaced this one, which works until it expires. */
  readonly replaced: Timestamp | null
  readonly revoked: Timestamp | null
}

export interface RotateOptions {
  /** Whether all older keys end immediately. */
  readonly isNow: boolean
  /** When the new key expires; by default it has the lifetime of the old one. */
  readonly expires?: Timestamp | null
}

export interface RotatedToken {
  readonly key: string
  readonly role: Role
  readonly expires: Timestamp | null
  /** Until when the old key works; null if it has ended. */
  readonly oldExpires: Timestamp | null
}

type CurrentRow = Pick<TokenRow, 'role' | 'created' | 'expires'> & { readonly id: number }

/** How long a key works after it was replaced. */
const graceMs = 24 * 3_600_000

/** Tokens are managed on the command line; a running server notices changes within a second. */
export function createAccessTokenRows(db: Database, now: () => number) {
  const columns = 'name, role, created, last_used, expires, replaced, revoked'
  const isCurrent = 'revoked IS NULL AND replaced IS NULL'

  async function insert(name: string, role: Role, created: Timestamp, expires: Timestamp | null) {
    const key = createKey()
    const sql = 'INSERT INTO token (name, role, hash, created, expires) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'
    const { changes } = await db.query(sql).run(name, role, toAccessTokenHash(key), created, expires)
    return changes === 0 ? null : key
  }

  async function replace({ id, expires }: CurrentRow, atMs: number): Promise<Timestamp | null> {
    const limit = toTimestamp(atMs + graceMs)
    const end = expires === null || expires > limit ? limit : expires
    await db.query('UPDATE token SET replaced = ?, expires = ? WHERE id = ?').run(toTimestamp(atMs), end, id)
    return toMs(end) > atMs ? end : null
  }

  async function revoke(name: string, at: Timestamp): Promise<boolean> {
    return (await db.query('UPDATE token SET revoked = ? WHERE name = ? AND revoked IS NULL').run(at, name)).changes > 0
  }

  return {
    /** The new token's key; null if a token of this name has not expired. */
    create: (name: string, role: Role, expires: Timestamp | null): Promise<string | null> =>
      db.transaction('write', async () => {
        const at = toTimestamp(now())
        const replaceExpired = `UPDATE token SET replaced = ?1 WHERE name = ?2 AND ${isCurrent} AND expires <= ?1`
        await db.query(replaceExpired).run(at, name)
        return insert(name, role, at, expires)
      }),

    /** Another key for the token of this name; null if there is none. It may have expired. */
    rotate: (name: string, { isNow, expires }: RotateOptions): Promise<RotatedToken | null> =>
      db.transaction('write', async () => {
        const find = db.query<CurrentRow, [string]>(
          `SELECT id, role, created, expires FROM token WHERE name = ? AND ${isCurrent}`,
        )
        const current = await find.get(name)
        if (current === null || !isRole(current.role)) return null
        const atMs = now()
        const at = toTimestamp(atMs)
        const oldExpires = await replace(current, atMs)
        if (isNow) await revoke(name, at)
        const end = expires === undefined ? toSameLifetime(current, atMs) : expires
        const key = await insert(name, current.role, at, end)
        if (key === null) throw new Error('the old key was not replaced')
        return { key, role: current.role, expires: end, oldExpires: isNow ? null : oldExpires }
      }),

    list: (): Promise<TokenRow[]> => db.query<TokenRow, []>(`SELECT ${columns} FROM token ORDER BY id`).all(),
    /** Ends all keys of the name, replaced ones too. */
    revoke: (name: string): Promise<boolean> => revoke(name, toTimestamp(now())),
    /** Whether there has ever been a token. */
    hasAny: async (): Promise<boolean> => (await db.query('SELECT 1 FROM token LIMIT 1').get()) !== null,
  }
}

function toSameLifetime({ created, expires }: CurrentRow, atMs: number): Timestamp | null {
  return expires === null ? null : toTimestamp(atMs + toMs(expires) - toMs(created))
}

/** 192 random bits after a prefix that people and secret scanners recognise. Shown once, never stored. */
function createKey(): string {
  return `rst_${crypto.getRandomValues(Buffer.alloc(24)).toString('base64url')}`
}
