import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { SlowReads, StoredRecord } from '../store.ts'
import { toVersionTag } from './version-rows.ts'

const dayMs = 86_400_000

/** A request with an Idempotency-Key, which belongs to its author. */
interface IdempotentRequest {
  readonly author: string
  readonly key: string
  readonly request: Uint8Array
}

export interface IdempotencyRows {
  /** The record that the same request created within a day, in its first version; `other` if the request differs. */
  find(request: IdempotentRequest, at: Timestamp): Promise<StoredRecord | 'other' | null>
  remember(request: IdempotentRequest, recordId: number, at: Timestamp): void
  /** The id of the category that the same request created. */
  findCategory(request: IdempotentRequest, at: Timestamp): Promise<number | 'other' | null>
  rememberCategory(request: IdempotentRequest, categoryId: number, at: Timestamp): void
  /** Whether the same request was made within a day; for requests that create neither record nor category. */
  has(request: IdempotentRequest, at: Timestamp): Promise<boolean | 'other'>
  rememberAlone(request: IdempotentRequest, at: Timestamp): void
}

/** What a request created. */
interface Made {
  readonly request: Uint8Array
  readonly record_id: number | null
  readonly category_id: number | null
}

export function createIdempotencyRows(
  db: Database,
  readRecord: (id: number) => Promise<StoredRecord | null>,
  elapsedMs = () => performance.now(),
): IdempotencyRows {
  const findByKey = db.query<Made, [string, string, Timestamp]>(
    'SELECT request, record_id, category_id FROM idempotency WHERE author = ? AND key = ? AND at > ?',
  )
  const remember = db.query(
    `INSERT INTO idempotency (author, key, request, record_id, category_id, at)
     VALUES ($author, $key, $request, $recordId, $categoryId, $at)
     ON CONFLICT (author, key) DO UPDATE SET request = excluded.request, record_id = excluded.record_id,
       category_id = excluded.category_id, at = excluded.at`,
  )
  const forget = db.query<null, [Timestamp]>('DELETE FROM idempotency WHERE at <= ?')
  const bringBack = db.query<null, [Timestamp, Timestamp]>('UPDATE idempotency SET at = ? WHERE at > ?')
  const readFirst = db.query<{ body: Uint8Array; at: Timestamp; checksum: Uint8Array }, [number]>(
    'SELECT body, at, checksum FROM version WHERE record_id = ? AND number = 1',
  )

  async function readFirstAnswer(id: number): Promise<StoredRecord | null> {
    const first = await readFirst.get(id)
    const now = await readRecord(id)
    if (first === null || now === null) return null
    return {
      id,
      version: 1,
      versionTag: toVersionTag(1, first.checksum),
      state: now.state,
      updated: first.at,
      body: first.body,
    }
  }

  /** Keys age by elapsed time, so a clock that jumps ahead does not expire them. */
  const toDayBefore = createDayBefore(elapsedMs)

  async function find({ author, key, request }: IdempotentRequest, at: Timestamp): Promise<Made | 'other' | null> {
    const row = await findByKey.get(author, key, toDayBefore(at))
    return row === null || Buffer.from(row.request).equals(request) ? row : 'other'
  }

  function save(request: IdempotentRequest, recordId: number | null, categoryId: number | null, at: Timestamp): void {
    forget.send(toDayBefore(at))
    // Keys stored while the clock was more than a day ahead would stay valid until the clock gets there.
    bringBack.send(at, toTimestamp(toMs(at) + dayMs))
    remember.send({ ...request, recordId, categoryId, at })
  }

  return {
    async find(request, at) {
      const made = await find(request, at)
      if (made === null || made === 'other') return made
      return made.record_id === null ? 'other' : await readFirstAnswer(made.record_id)
    },
    remember: (request, recordId, at) => save(request, recordId, null, at),
    async findCategory(request, at) {
      const made = await find(request, at)
      return made === null || made === 'other' ? made : (made.category_id ?? 'other')
    },
    rememberCategory: (request, categoryId, at) => save(request, null, categoryId, at),
    async has(request, at) {
      const made = await find(request, at)
      return made === 'other' ? made : made !== null
    },
    rememberAlone: (request, at) => save(request, null, null, at),
  }
}

function createDayBefore(elapsedMs: () => number): (at: Timestamp) => Timestamp {
  let startMs: number | null = null
  return (at) => {
    startMs ??= toMs(at) - elapsedMs()
    return toTimestamp(Math.min(toMs(at), startMs + elapsedMs()) - dayMs)
  }
}

/** Equal requests have the same hash. */
export function toRequestHash(request: unknown): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(request)).digest()
}

/** Finds the record that a form has created. */
export function createIdempotencyLookup(db: Database): SlowReads['findByIdempotencyKey'] {
  const find = db.query<{ id: number }, [string, string]>(
    'SELECT record_id AS id FROM idempotency WHERE author = ? AND key = ? AND record_id IS NOT NULL',
  )
  return ({ author, key }) => find.get(author, key)
}
