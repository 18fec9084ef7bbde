import { toAccessTokenHash } from '../../record/credentials.ts'
import { isRole, type Role } from '../../record/role.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { toEndSql } from './names/name-entries.ts'

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

/** With the slugs of the events that it is limited to; null for all events. */
export type ListedToken = TokenRow & { readonly events: readonly string[] | null }

interface RotateOptions {
  /** Whether all older keys end immediately. */
  readonly isNow: boolean
  /** When the new key expires; by default it has the lifetime of the old one. */
  readonly expires?: Timestamp | null
}

interface RotatedToken {
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

  const listLimits = db.query<{ category_id: number }, [number]>(
    'SELECT category_id FROM token_category WHERE token_id = ? ORDER BY category_id',
  )
  const listSlugs = db.query<{ token_id: number; slug: string | null }, []>(
    `SELECT token_id, slug FROM token_category LEFT JOIN category ON category.id = category_id
     ORDER BY token_id, slug`,
  )

  /** Limits the current token of a name to a category, in addition to others. */
  async function limit(name: string, categoryId: number): Promise<void> {
    const sql = `INSERT INTO token_category (token_id, category_id)
      SELECT id, ? FROM token WHERE name = ? AND ${isCurrent}`
    await db.query(sql).run(categoryId, name)
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
    create: (
      name: string,
      role: Role,
      expires: Timestamp | null,
      categories: readonly number[] = [],
    ): Promise<string | null> =>
      db.transaction('write', async () => {
        const at = toTimestamp(now())
        const replaceExpired = `UPDATE token SET replaced = ?1 WHERE name = ?2 AND ${isCurrent} AND expires <= ?1`
        await db.query(replaceExpired).run(at, name)
        const key = await insert(name, role, at, expires)
        if (key !== null) for (const id of categories) await limit(name, id)
        return key
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
        for (const { category_id: id } of await listLimits.all(current.id)) await limit(name, id)
        return { key, role: current.role, expires: end, oldExpires: isNow ? null : oldExpires }
      }),

    async list(): Promise<ListedToken[]> {
      const tokens = await db.query<TokenRow & { id: number }, []>(`SELECT id, ${columns} FROM token ORDER BY id`).all()
      const limits = Map.groupBy(await listSlugs.all(), ({ token_id }) => token_id)
      return tokens.map(({ id, ...token }) => ({
        ...token,
        events: limits.get(id)?.map(({ slug }) => slug ?? '(missing)') ?? null,
      }))
    },
    /** The category with this slug, or the one that it was merged into; null if there is none. */
    async findCategory(slug: string): Promise<number | null> {
      const start = await db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?').get(slug)
      if (start === null) return null
      return (await db.query<{ id: number }, [number]>(toEndSql('category')).get(start.id))?.id ?? null
    },
    /** Ends all keys of the name, replaced ones too. */
    revoke: (name: string): Promise<boolean> => revoke(name, toTimestamp(now())),
    /** Whether there has ever been a token. */
    hasAny: async (): Promise<boolean> => (await db.query('SELECT 1 FROM token LIMIT 1').get()) !== null,
  }
}

/** A category that a token is limited to. */
export interface LimitedCategory {
  readonly id: number
  readonly title: string
}

/** The categories of a token, and those that they were merged into: a rename or merge keeps the limit. */
export function createEventLimits(db: Database): (tokenId: number) => Promise<readonly LimitedCategory[]> {
  const list = db.query<LimitedCategory, [number]>(
    `WITH RECURSIVE chain (id, target) AS (
       SELECT id, merged_into FROM category WHERE id IN (SELECT category_id FROM token_category WHERE token_id = ?)
       UNION SELECT category.id, merged_into FROM category JOIN chain ON category.id = chain.target
     ) SELECT id, title FROM category WHERE id IN (SELECT id FROM chain)`,
  )
  return (tokenId) => list.all(tokenId)
}

function toSameLifetime({ created, expires }: CurrentRow, atMs: number): Timestamp | null {
  return expires === null ? null : toTimestamp(atMs + toMs(expires) - toMs(created))
}

/** 192 random bits after a prefix that people and secret scanners recognise. Shown once, never stored. */
function createKey(): string {
  return `rst_${crypto.getRandomValues(Buffer.alloc(24)).toString('base64url')}`
}
