import { type Role, toAccessTokenHash } from '../../record/command.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'

export interface TokenRow {
  readonly name: string
  readonly role: string
  readonly created: string
  readonly last_used: string | null
  readonly revoked: string | null
}

/** Tokens are managed on the command line; a running server notices changes within a second. */
export function createAccessTokenRows(db: Database, now: () => number) {
  return {
    /** The new token's key; null if an active token has this name. */
    async create(name: string, role: Role): Promise<string | null> {
      const key = createKey()
      const insert = db.query(
        'INSERT INTO token (name, role, hash, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      const values = [name, role, toAccessTokenHash(key), toTimestamp(now())] as const
      const { changes } = await db.transaction('write', () => insert.run(...values))
      return changes === 0 ? null : key
    },
    list: (): Promise<TokenRow[]> =>
      db.query<TokenRow, []>('SELECT name, role, created, last_used, revoked FROM token ORDER BY id').all(),
    async revoke(name: string): Promise<boolean> {
      const revoke = db.query('UPDATE token SET revoked = ? WHERE name = ? AND revoked IS NULL')
      return (await revoke.run(toTimestamp(now()), name)).changes > 0
    },
    /** Whether there has ever been a token. */
    hasAny: async (): Promise<boolean> => (await db.query('SELECT 1 FROM token LIMIT 1').get()) !== null,
  }
}

/** 192 random bits after a prefix that people and secret scanners recognise. Shown once, never stored. */
function createKey(): string {
  return `rst_${crypto.getRandomValues(Buffer.alloc(24)).toString('base64url')}`
}
