import type { Database } from 'bun:sqlite'
import { recordParts } from '../../sql/record-parts.ts'
import type { Finding } from './finding.ts'

/** Rows of records that are not there, and of records that were erased. */
export function* checkLeftovers(db: Database): Generator<Finding> {
  for (const [table, column] of Object.entries(recordParts)) {
    const rows = db.query<{ id: number }, []>(
      `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} NOT IN (SELECT id FROM record)`,
    )
    for (const { id } of rows.iterate()) yield { id, what: `${table} has rows of it, but there is no such record` }
  }
  const erased = db.query<{ id: number }, []>('SELECT id FROM record WHERE id IN (SELECT record_id FROM tombstone)')
  for (const { id } of erased.iterate()) yield { id, what: 'it was erased, and is there' }
}

/** What the log says beside its bytes is what they say. */
export function* checkLog(db: Database): Generator<Finding> {
  const states = db.query<{ id: number; number: number }, []>(
    `SELECT record_id AS id, number FROM version
     WHERE json_valid(CAST(body AS TEXT)) AND state IS NOT CAST(body AS TEXT) ->> 'state'`,
  )
  for (const { id, number } of states.iterate())
    yield { id, what: `version ${number} has another state than its bytes` }
  const batches = db.query<{ id: number; records: number; found: number }, []>(
    `SELECT id, records, found FROM (
       SELECT id, records, (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id) AS found FROM batch
     ) WHERE records <> found`,
  )
  for (const { id, records, found } of batches.iterate()) {
    yield { id: null, what: `batch ${id} says that it changed ${records} records, but has versions of ${found}` }
  }
}
