import type { Timestamp } from '../../../record/timestamp.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchKey } from './batch-rows.ts'

/** The Idempotency-Key of a command with the hash of its request; null without a key, and for a dry run. */
export function toBatchKey(
  command: { readonly idempotencyKey?: string; readonly isDryRun?: boolean },
  request: unknown,
): BatchKey | null {
  const { idempotencyKey: key, isDryRun = false } = command
  if (key === undefined || isDryRun) return null
  return { key, request: new Bun.CryptoHasher('sha256').update(JSON.stringify(request)).digest('hex') }
}

/** The earlier use of a key: a batch, the same request without a batch, or another request. */
type Earlier = number | 'no batch' | 'other'

/** Null for a new key. */
export async function findEarlier(
  rows: RecordRows,
  author: string,
  key: BatchKey,
  at: Timestamp,
): Promise<Earlier | null> {
  const known = await rows.idempotency.has(toRequest(author, key), at)
  if (known === false) return rows.batches.findByKey(author, key, at)
  return known === 'other' ? 'other' : 'no batch'
}

/** For a request that made no batch, for instance because there was nothing to change. */
export function rememberNoBatch(rows: RecordRows, author: string, key: BatchKey | null, at: Timestamp): void {
  if (key !== null) rows.idempotency.rememberAlone(toRequest(author, key), at)
}

function toRequest(author: string, { key, request }: BatchKey) {
  return { author, key, request: Buffer.from(request, 'hex') }
}
