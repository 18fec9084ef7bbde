import type { SessionCommand } from '../record/command.ts'
import { maxAgeMs, maxIdleMs } from '../record/credentials.ts'
import { isRole } from '../record/role.ts'
import { type Timestamp, toMs, toTimestamp } from '../record/timestamp.ts'
import type { SessionLine, SessionsQuery, StoredSession } from './access.ts'
import type { Database } from './database.ts'
import type { Outcome } from './store.ts'

/** To how many categories a token is limited. */
export const limitsSql = '(SELECT count(*) FROM token_category WHERE token_id = token.id)'

const columns = `session.hash, token_hash AS "tokenHash", session.created, session.last_used AS "lastUsed", agent,
  token.id AS "tokenId", token.name AS "tokenName", role, expires, ${limitsSql} AS limits`
/** A revoked token counts as missing. The key in `ROSTRUM_ADMIN_TOKEN` has no row. */
const joined = 'session LEFT JOIN token ON token.hash = token_hash AND revoked IS NULL'

/** For the synchronous and the asynchronous reader. */
export const sessionSql = `SELECT ${columns} FROM ${joined} WHERE session.hash = ?`

export interface SessionRow {
  readonly hash: Uint8Array
  readonly tokenHash: Uint8Array
  readonly created: Timestamp
  readonly lastUsed: Timestamp
  readonly agent: string
  readonly tokenId: number | null
  readonly tokenName: string | null
  readonly role: string | null
  readonly expires: Timestamp | null
  readonly limits: number
}

export function toStoredSession(row: SessionRow | null): StoredSession | null {
  if (row === null) return null
  const { tokenHash, created, lastUsed, tokenId: id, tokenName: name, role, expires, limits } = row
  const isToken = id !== null && name !== null && role !== null && isRole(role)
  return { tokenHash, created, lastUsed, token: isToken ? { id, name, role, expires, isLimited: limits > 0 } : null }
}

/**
 * The sessions of a name that can be valid, the last used first. Leaves out sessions whose key is
 * no longer valid. The key of the caller's own session counts as valid.
 */
export function createSessionList(db: Database): (query: SessionsQuery) => Promise<readonly SessionLine[]> {
  const list = db.query<SessionRow, [string]>(
    `SELECT ${columns} FROM ${joined} WHERE session.name = ? ORDER BY session.last_used DESC, session.hash`,
  )
  return async ({ name, own, at }) => {
    const rows = (await list.all(name)).map((row) => ({ ...row, hash: Buffer.from(row.hash).toString('base64url') }))
    const key = rows.find(({ hash }) => hash === own)?.tokenHash ?? new Uint8Array()
    const isValid = ({ tokenHash, tokenId, expires }: (typeof rows)[number]) =>
      Buffer.from(tokenHash).equals(key) || (tokenId !== null && (expires === null || expires > at))
    return rows.filter(isValid).map(({ hash, created, lastUsed, agent }) => ({ hash, created, lastUsed, agent }))
  }
}

/** How many sessions are neither too old nor unused for too long. */
export function createSessionCount(db: Database): (now: number) => Promise<number> {
  const count = db.query<{ count: number }, [Timestamp, Timestamp]>(
    'SELECT count(*) AS count FROM session WHERE created > ? AND last_used > ?',
  )
  return async (now) => Number((await count.get(toTimestamp(now - maxAgeMs), toTimestamp(now - maxIdleMs)))?.count ?? 0)
}

/** The writer's statements about sessions (decision 57). */
export interface SessionRows {
  run(command: SessionCommand, at: Timestamp): Promise<Outcome>
  recordUse(hash: Uint8Array, at: Timestamp): void
}

export function createSessionRows(db: Database): SessionRows {
  const insert = db.query(
    `INSERT INTO session (hash, token_hash, name, created, last_used, agent)
     VALUES ($hash, $tokenHash, $name, $at, $at, $agent)`,
  )
  const removeOld = db.query<null, [Timestamp, Timestamp]>('DELETE FROM session WHERE created <= ? OR last_used <= ?')
  const remove = db.query<null, [Uint8Array, string]>('DELETE FROM session WHERE hash = ? AND name = ?')
  const removeOthers = db.query<null, [string, Uint8Array]>('DELETE FROM session WHERE name = ? AND hash <> ?')
  // Never earlier than before: uses of two threads may arrive in another order.
  const use = db.query<null, [Timestamp, Uint8Array]>(
    'UPDATE session SET last_used = ?1 WHERE hash = ?2 AND last_used < ?1',
  )

  async function run(command: SessionCommand, at: Timestamp): Promise<Outcome> {
    const { kind, author, hash } = command
    switch (kind) {
      case 'open session': {
        const { tokenHash, agent } = command
        removeOld.send(toTimestamp(toMs(at) - maxAgeMs), toTimestamp(toMs(at) - maxIdleMs))
        await insert.run({ hash, tokenHash, name: author.name, at, agent })
        return { is: 'sessions', changed: 1 }
      }
      case 'end session':
        return { is: 'sessions', changed: (await remove.run(hash, author.name)).changes }
      case 'end other sessions':
        return { is: 'sessions', changed: (await removeOthers.run(author.name, hash)).changes }
    }
  }

  return { run, recordUse: (hash, at) => use.send(at, hash) }
}
