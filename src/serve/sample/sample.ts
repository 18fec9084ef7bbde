import { Database as SqliteDatabase } from 'bun:sqlite'
import type { JsonObject } from '../../record/json/json-value.ts'
import { parseFields } from '../../record/record.ts'
import type { Database } from '../../store/database.ts'
import * as postgres from '../../store/postgres/writer.ts'
import * as sqlite from '../../store/sqlite/writer.ts'
import { lastIdSql } from '../../store/write/sequence-sql.ts'
import records from './records.json'

/** Fills an empty store with our own examples, as one group; a store that has ever had a record is left alone. */
export function addSample(db: Database): void {
  if (db.query<{ id: number | null }, []>(lastIdSql).get()?.id !== null) return
  const needs = { now: Date.now, onError: rethrow }
  const writer =
    db instanceof SqliteDatabase ? sqlite.createWriter({ ...needs, db }) : postgres.createWriter({ ...needs, db })
  const commands = records.map((record, i) => ({ kind: 'create' as const, author, changes: toChanges(record, i) }))
  const outcomes = writer.run(commands, new Set())
  if (outcomes === 'busy') throw new Error('the store is busy')
  const failed = outcomes.findIndex((outcome) => outcome.is !== 'stored')
  if (failed >= 0) throw new Error(`sample record ${failed + 1} was not stored: ${JSON.stringify(outcomes[failed])}`)
}

const author = { name: 'sample', role: 'publisher' } as const

function toChanges(record: JsonObject, index: number) {
  const parsed = parseFields(record, 'whole', null)
  if (!parsed.ok) throw new Error(`sample record ${index + 1} is wrong: ${JSON.stringify([...parsed.errors])}`)
  return parsed.changes
}

function rethrow(error: unknown): never {
  throw error
}
