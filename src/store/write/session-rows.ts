import type { SessionCommand } from '../../record/command.ts'
import { maxAgeMs, maxIdleMs } from '../../record/session.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { Outcome } from '../store.ts'

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
