import type { Database } from '../database.ts'
import { insertRecords } from '../derive/rebuild.ts'
import { type BulkInsert, createBulkInsert, type InsertValue } from '../write/insert-many.ts'
import { isChecksum, lastSeqSql } from '../write/version-rows.ts'
import { type CheckListener, createSteps } from './check/problem.ts'

/**
 * The copied tables in the order of their references, each with its key, which both engines sort alike. Everything else
 * is derived from them, except sessions, which end.
 */
export const movedTables = {
  category: 'id',
  category_version: 'category_id, number',
  category_origin: 'source, path',
  batch: 'id',
  batch_note: 'batch, kind, record_id, why',
  version: 'seq',
  tombstone: 'record_id',
  erased_origin: 'digest',
  token: 'id',
  idempotency: 'author, key',
  origin: 'record_id',
  origin_alias: 'source, path',
  extras: 'record_id',
  companion: 'record_id, name, number',
  companion_trait: 'trait, record_id',
  // Derived from records, but clients know their ids and slugs.
  speaker: 'id',
  tag: 'id',
  speaker_version: 'speaker_id, number',
  retired_name: 'kind, id',
  dismissed_variant: 'kind, ids',
  accepted_finding: 'record_id, code',
  hidden_finding: 'code',
  distinct_pair: 'low_id, high_id',
  merged_record: 'record_id',
  token_category: 'token_id, category_id',
  scheduled_publish: 'record_id',
  // States of addresses. Which records have them is derived.
  link: 'id',
  link_host: 'host',
  link_run: 'number',
} as const

type MovedTable = keyof typeof movedTables

export const movedTableNames = Object.keys(movedTables) as MovedTable[]

/** The tables that are rebuilt from versions; `record` must be the same as before. */
export const rebuiltTables = [
  'record',
  'listing',
  'search',
  'record_speaker',
  'record_tag',
  'speaker_piece',
  'tag_piece',
  'link_use',
  'moment_due',
  'moment_transcript',
  'moment_posting',
] as const

/** Why a store was not moved. Nothing has been changed. */
export class MoveError extends Error {}

/** The number of rows of each table, and a digest of them. */
export type MoveDigests = { readonly [table: string]: { readonly rows: number; readonly digest: string } }

/** Whether the store is empty, without even a token. */
export async function isBlankStore(db: Database): Promise<boolean> {
  for (const table of movedTableNames) {
    if ((await db.query(`SELECT 1 FROM ${table} LIMIT 1`).get()) !== null) return false
  }
  return true
}

/**
 * Copies a store to an empty one of any engine, and reads everything back. Runs in a read transaction of the caller on
 * `from` and a write transaction on `to`.
 */
export async function moveStore(
  from: Database,
  to: Database,
  { onStage, onStep }: CheckListener,
): Promise<MoveDigests> {
  onStage('Copying')
  const step = createSteps(await countAll(from), onStep)
  const sums: Record<string, MoveDigests[string]> = {}
  for (const table of movedTableNames) sums[table] = await copyTable(from, to, table, step)
  onStage('Rebuilding the records from their versions, and the indexes of lists and searches')
  const records = await countRecords(from)
  const made = await insertRecords(to, createSteps(records, onStep))
  if (made !== records) throw new MoveError(`it has ${records} records, but versions of ${made}`)
  sums.record = await sum(from, 'record', 'id')
  onStage('Reading it back')
  await compare(from, to, sums, createSteps(await countAll(to), onStep))
  return sums
}

async function copyTable(from: Database, to: Database, table: MovedTable, onRow: () => void) {
  const digest = createRowDigest()
  let bulk: BulkInsert | null = null
  // The keys of speakers and tags are also in the trigram index.
  const pieces =
    table === 'speaker' || table === 'tag' ? createBulkInsert(to, `${table}_piece`, ['rowid', 'key']) : null
  for await (const row of read(from, table, movedTables[table])) {
    if (table === 'version') checkVersion(row)
    digest.add(row)
    bulk ??= createBulkInsert(to, table, Object.keys(row))
    await bulk.add(Object.values(row))
    await pieces?.add([row.id ?? null, row.key ?? null])
    onRow()
  }
  await bulk?.flush()
  await pieces?.flush()
  return digest.finish()
}

async function compare(from: Database, to: Database, sums: MoveDigests, onRow: () => void): Promise<void> {
  for (const table of movedTableNames)
    differIf(!Bun.deepEquals(await sum(to, table, movedTables[table], onRow), sums[table]), table)
  differIf(!Bun.deepEquals(await sum(to, 'record', 'id'), sums.record), 'record')
  for (const [table, { rows }] of Object.entries(sums)) differIf((await count(from, table)) !== rows, table)
  for (const table of ['listing', 'search']) differIf((await count(to, table)) !== sums.record?.rows, table)
  differIf((await readLastSeq(from)) !== (await readLastSeq(to)), 'version')
}

function differIf(isOther: boolean, table: string): void {
  if (isOther) throw new MoveError(`after writing, "${table}" was not what it had been`)
}

async function sum(db: Database, table: string, key: string, onRow?: () => void) {
  const digest = createRowDigest()
  for await (const row of read(db, table, key)) {
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
  if (!isWhole) throw new MoveError(`version ${number} of record ${id} does not match its checksum`)
}

async function countAll(db: Database): Promise<number> {
  let total = 0
  for (const table of movedTableNames) total += await count(db, table)
  return total
}

const countRecords = (db: Database) => count(db, 'record')

async function count(db: Database, table: string): Promise<number> {
  return (await db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get())?.n ?? 0
}

const readLastSeq = async (db: Database) => (await db.query<{ seq: number | null }, []>(lastSeqSql).get())?.seq ?? 0

type Row = { readonly [column: string]: InsertValue }

/** A digest of rows that does not depend on the engine. */
interface RowDigest {
  add(row: Row): void
  finish(): { readonly rows: number; readonly digest: string }
}

function createRowDigest(): RowDigest {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  let columns: readonly string[] | null = null
  return {
    add(row) {
      columns ??= Object.keys(row).sort()
      for (const name of columns) addValue(hash, name, row[name] ?? null)
      rows++
    },
    finish: () => ({ rows, digest: hash.digest('hex') }),
  }
}

/** Includes name, type and length, so that different rows never have the same input. */
function addValue(hash: Bun.CryptoHasher, name: string, value: InsertValue): void {
  if (value === null || typeof value === 'number') hash.update(`${name}=${value};`)
  else if (typeof value === 'string') hash.update(`${name}:${Buffer.byteLength(value)}"${value};`)
  else hash.update(`${name}:${value.length}#`).update(value).update(';')
}
