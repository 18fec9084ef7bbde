import { checkBody } from '../../../record/check-body.ts'
import { isWritableName } from '../../../record/fields.ts'
import type { Database } from '../../database.ts'
import { isBatchParts } from '../../write/names/name-change.ts'
import { recordParts } from '../erase.ts'
import { storeIdPattern } from '../new-store-id.ts'
import type { Finding } from './finding.ts'

/** Finds rows of records that do not exist, and records that were erased. */
export async function* checkLeftovers(db: Database): AsyncGenerator<Finding> {
  for (const [table, column] of Object.entries(recordParts)) {
    const rows = db.query<{ id: number }, []>(
      `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} NOT IN (SELECT id FROM record)`,
    )
    for await (const { id } of rows.iterate())
      yield { id, what: `${table} has rows of it, but there is no such record` }
  }
  const erased = db.query<{ id: number }, []>('SELECT id FROM record WHERE id IN (SELECT record_id FROM tombstone)')
  for await (const { id } of erased.iterate()) yield { id, what: 'it was erased, and is there' }
}

/** Checks that every version is a valid record and agrees with its columns. */
export async function* checkLog(db: Database): AsyncGenerator<Finding> {
  const versions = db.query<{ id: number; number: number; state: number; changed: string; body: Uint8Array }, []>(
    'SELECT record_id AS id, number, state, changed, body FROM version ORDER BY seq',
  )
  for await (const { id, number, state, changed, body } of versions.iterate()) {
    if (!isFieldNames(changed)) yield { id, what: `the changed fields of version ${number} are damaged` }
    const judged = checkBody(body)
    if (!judged.ok) yield { id, what: `of version ${number} ${judged.problem}` }
    else if (judged.record.state !== state) yield { id, what: `version ${number} has another state than its bytes` }
  }
  yield* checkBatches(db)
  const renames = db.query<{ id: number; names: string }, []>(
    'SELECT id, names FROM batch WHERE names IS NOT NULL ORDER BY id',
  )
  for await (const { id, names } of renames.iterate()) {
    if (!isBatchParts(names)) yield { id: null, what: `the changed names of batch ${id} are damaged` }
  }
}

/** Whether this is a JSON array of names of fields. */
function isFieldNames(text: string): boolean {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.every((name) => typeof name === 'string' && isWritableName(name))
  } catch {
    return false
  }
}

export async function* checkBatches(db: Database): AsyncGenerator<Finding> {
  const batches = db.query<{ id: number; records: number; found: number }, []>(
    `SELECT id, records, found FROM (
       SELECT id, records, (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id) AS found FROM batch
     ) AS counted WHERE records <> found`,
  )
  for await (const { id, records, found } of batches.iterate()) {
    yield { id: null, what: `batch ${id} says that it changed ${records} records, but has versions of ${found}` }
  }
}

/** Without an id, followers of the feed cannot tell this store from another (decision 37). */
export async function* checkStoreId(db: Database): AsyncGenerator<Finding> {
  const ids = await db.query<{ id: string }, []>('SELECT id FROM store').all()
  const isGood = ids.length === 1 && ids.every(({ id }) => storeIdPattern.test(id))
  if (!isGood) yield { id: null, what: 'it has no id that followers could know; make one with: rostrum store new-id' }
}
