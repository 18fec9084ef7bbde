import type { Database } from '../../database.ts'
import { insertRecords } from '../../derive/insert-records.ts'
import { type BulkInsert, createBulkInsert } from '../../write/bulk-insert.ts'
import { lastSeqSql } from '../../write/sequence-sql.ts'
import { isChecksum } from '../../write/version-rows.ts'
import { type CheckListener, createSteps } from '../check/finding.ts'
import { type MovedTable, movedNames, movedTables } from './moved-tables.ts'
import { createRowDigest, type Row } from './row-digest.ts'

/** Why a store was not moved; nothing of it was. */
export class MoveError extends Error {}

/** How many rows of each table there are, and their sums. */
export type MoveDigests = { readonly [table: string]: { readonly rows: number; readonly digest: string } }

/** Whether nothing was ever stored, not even a token. */
export function isBlankStore(db: Database): boolean {
  return movedNames.every((table) => db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() === null)
}

/**
 * Copies everything from one store to another that is empty, whatever their engines, and reads all of it back. Within a
 * transaction of the caller's on each side: one snapshot here, all or nothing there.
 */
export function moveStore(from: Database, to: Database, { onStage, onStep }: CheckListener): MoveDigests {
  onStage('Copying')
  const step = createSteps(countAll(from), onStep)
  const sums: Record<string, MoveDigests[string]> = {}
  for (const table of movedNames) sums[table] = copyTable(from, to, table, step)
  onStage('Making the records of their versions, with what lists and searches know')
  const records = countRecords(from)
  const made = insertRecords(to, createSteps(records, onStep))
  if (made !== records) throw new MoveError(`it has ${records} records, but versions of ${made}`)
  sums.record = sum(from, 'record', 'id')
  onStage('Reading it back')
  compare(from, to, sums, createSteps(countAll(to), onStep))
  return sums
}

function copyTable(from: Database, to: Database, table: MovedTable, onRow: () => void) {
  const digest = createRowDigest()
  let bulk: BulkInsert | null = null
  // The keys of speakers and tags stand in an index of their own, too.
  const pieces =
    table === 'speaker' || table === 'tag' ? createBulkInsert(to, `${table}_piece`, ['rowid', 'key']) : null
  for (const row of read(from, table, movedTables[table])) {
    if (table === 'version') checkVersion(row)
    digest.add(row)
    bulk ??= createBulkInsert(to, table, Object.keys(row))
    bulk.add(Object.values(row))
    pieces?.add([row.id ?? null, row.key ?? null])
    onRow()
  }
  bulk?.flush()
  pieces?.flush()
  return digest.finish()
}

function compare(from: Database, to: Database, sums: MoveDigests, onRow: () => void): void {
  for (const table of movedNames)
    differIf(!Bun.deepEquals(sum(to, table, movedTables[table], onRow), sums[table]), table)
  differIf(!Bun.deepEquals(sum(to, 'record', 'id'), sums.record), 'record')
  for (const [table, { rows }] of Object.entries(sums)) differIf(count(from, table) !== rows, table)
  for (const table of ['listing', 'search']) differIf(count(to, table) !== sums.record?.rows, table)
  differIf(readLastSeq(from) !== readLastSeq(to), 'version')
}

function differIf(isOther: boolean, table: string): void {
  if (isOther) throw new MoveError(`after writing, "${table}" was not what it had been`)
}

function sum(db: Database, table: string, key: string, onRow?: () => void) {
  const digest = createRowDigest()
  for (const row of read(db, table, key)) {
    if (table === 'version') checkVersion(row)
    digest.add(row)
    onRow?.()
  }
  return digest.finish()
}

const read = (db: Database, table: string, key: string) =>
  db.query<Row, []>(`SELECT * FROM ${table} ORDER BY ${key}`).iterate()

function checkVersion({ record_id: id, number, checksum, body }: Row): void {
  const isWhole = checksum instanceof Uint8Array && body instanceof Uint8Array && isChecksum(checksum, body)
  if (!isWhole) throw new MoveError(`version ${number} of record ${id} is not what its checksum says`)
}

const countAll = (db: Database) => movedNames.reduce((total, table) => total + count(db, table), 0)

const countRecords = (db: Database) => count(db, 'record')

function count(db: Database, table: string): number {
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
}

const readLastSeq = (db: Database) => db.query<{ seq: number | null }, []>(lastSeqSql).get()?.seq ?? 0
