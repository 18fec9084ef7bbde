import type { Timestamp } from '../../../record/timestamp.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchKey } from './new-batch.ts'

/** The Idempotency-Key of a command with the hash of its request; null without a key, and for a dry run. */
export function toBatchKey(
  command: { readonly idempotencyKey?: string; readonly isDryRun?: boolean },
  request: unknown,
): BatchKey | null {
  const { idempotencyKey: key, isDryRun = false } = command
  if (key === undefined || isDryRun) return null
  return { key, request: new Bun.CryptoHasher('sha256').update(JSON.stringify(request)).digest('hex') }
}

/** The batch that the same request started; `other` if the key belongs to another request, or to a new record. */
export async function findEarlier(
  rows: RecordRows,
  author: string,
  { key, request }: BatchKey,
  at: Timestamp,
): Promise<number | 'other' | null> {
  const asRecord = await rows.idempotency.find({ author, key, request: Buffer.from(request, 'hex') }, at)
  return asRecord === null ? await rows.batches.findByKey(author, { key, request }, at) : 'other'
}
