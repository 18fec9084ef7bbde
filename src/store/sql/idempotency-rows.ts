import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { StoredRecord } from '../store.ts'
import type { Database } from './database.ts'
import { toMark } from './version-rows.ts'

const dayMs = 86_400_000

/** One author's wish under a key of the author's own. */
export interface Wish {
  readonly author: string
  readonly key: string
  readonly request: Uint8Array
}

export interface IdempotencyRows {
  /** The record that the same wish made within the last day, as it was then; `other` where the key had another wish. */
  find(wish: Wish, at: Timestamp): StoredRecord | 'other' | null
  remember(wish: Wish, recordId: number, at: Timestamp): void
}

export function createIdempotencyRows(
  db: Database,
  readRecord: (id: number) => StoredRecord | null,
  elapsedMs = () => performance.now(),
): IdempotencyRows {
  const find = db.query<{ request: Uint8Array; record_id: number }, [string, string, Timestamp]>(
    'SELECT request, record_id FROM idempotency WHERE author = ? AND key = ? AND at > ?',
  )
  const remember = db.query<null, [string, string, Uint8Array, number, Timestamp]>(
    `INSERT INTO idempotency (author, key, request, record_id, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (author, key) DO UPDATE SET request = excluded.request, record_id = excluded.record_id, at = excluded.at`,
  )
  const forget = db.query<null, [Timestamp]>('DELETE FROM idempotency WHERE at <= ?')
  const bringBack = db.query<null, [Timestamp, Timestamp]>('UPDATE idempotency SET at = ? WHERE at > ?')
  const readFirst = db.query<{ body: Uint8Array; at: Timestamp; checksum: Uint8Array }, [number]>(
    'SELECT body, at, checksum FROM version WHERE record_id = ? AND number = 1',
  )

  function toFirstAnswer(id: number): StoredRecord | null {
    const first = readFirst.get(id)
    const now = readRecord(id)
    if (first === null || now === null) return null
    return { id, version: 1, mark: toMark(1, first.checksum), state: now.state, updated: first.at, body: first.body }
  }

  /** A clock that jumps ahead makes no key older: keys age by the time that has passed since the first question. */
  const toDayBefore = createDayBefore(elapsedMs)
  return {
    find({ author, key, request }, at) {
      const row = find.get(author, key, toDayBefore(at))
      if (row === null) return null
      return Buffer.from(row.request).equals(request) ? toFirstAnswer(row.record_id) : 'other'
    },
    remember({ author, key, request }, recordId, at) {
      forget.run(toDayBefore(at))
      // Made while the clock was ahead by more than keys last: they would count until it gets there.
      bringBack.run(at, toTimestamp(toMs(at) + dayMs))
      remember.run(author, key, request, recordId, at)
    },
  }
}

function createDayBefore(elapsedMs: () => number): (at: Timestamp) => Timestamp {
  let startMs: number | null = null
  return (at) => {
    startMs ??= toMs(at) - elapsedMs()
    return toTimestamp(Math.min(toMs(at), startMs + elapsedMs()) - dayMs)
  }
}
