import { toErrorCode } from '../../../error-code.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../record/json.ts'
import type { NameKind } from '../../../record/name.ts'
import { toSortKey } from '../../../record/text/fold.ts'
import { adoptExtras } from '../../companion/adopt-extras.ts'
import { checkCompanions, rebuildTraits } from '../../companion/check-companions.ts'
import type { Database } from '../../database.ts'
import { parseAlias } from '../../derive/former-paths.ts'
import { insertRecords } from '../../derive/rebuild.ts'
import { sqliteMigrations } from '../../schema/migrations.ts'
import { addFirstVersions } from '../../write/category-rows.ts'
import { checkCategories, checkMerges, checkProfiles } from '../check/entries.ts'
import { checkBatches } from '../check/leftovers.ts'
import { dumpFormat } from './dump-export.ts'
import { type LineKind, parseDumpLine } from './dump-lines.ts'
import { createDumpOrder, createOriginCleaner } from './dump-order.ts'

/** Why a dump was not imported. Nothing has been changed. */
export class DumpError extends Error {}

interface DumpImport {
  /** Imports one line. All lines share one transaction of the caller. */
  take(line: Uint8Array): Promise<void>
  /** Creates the records and returns their number. Throws if the dump is incomplete or damaged. */
  finish(onRecord: () => void): Promise<number>
}

type Value = string | number | null | Uint8Array
type Row = { readonly [column: string]: Value }

/** Whether the store is empty, except for tokens. */
export async function isEmptyStore(db: Database): Promise<boolean> {
  for (const table of ['version', 'category', 'batch', 'tombstone']) {
    if ((await db.query(`SELECT 1 FROM ${table} LIMIT 1`).get()) !== null) return false
  }
  return true
}

/** A dump is untrusted input: every line is validated. */
export function createDumpImport(db: Database): DumpImport {
  const order = createDumpOrder(db)
  const cleanOrigin = createOriginCleaner(db)
  let number = 0
  let promised: number | null = null
  let isOlder = false

  /** The columns have been checked by dump-lines.ts. */
  async function insert(table: string, row: Row): Promise<void> {
    const columns = Object.keys(row)
    const marks = columns.map(() => '?').join(', ')
    // Not queued: an error must name this line.
    await db.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
  }

  async function insertOrigin(table: 'origin' | 'origin_alias' | 'category_origin', row: Row): Promise<void> {
    const clean = await cleanOrigin(table, row)
    if (clean !== null) await insert(table, clean)
  }

  async function addVersion(row: JsonObject, line: Uint8Array): Promise<void> {
    // The exact bytes of the body in the line: the checksum is computed from them.
    const body = line.subarray(Buffer.from(line).indexOf(bodyStart) + bodyStart.length, -2)
    const digest = new Bun.CryptoHasher('sha256').update(body).digest()
    if (digest.toString('hex') !== row.checksum) throw new DumpError('it does not match its checksum')
    refuseIf(order.judgeVersion(row, body))
    await insert('version', {
      ...toRow(row),
      changed: JSON.stringify(row.changed),
      checksum: digest,
      body: Buffer.from(body),
    })
  }

  async function addOrigin(row: JsonObject): Promise<void> {
    refuseIf(order.judgeOrigin(row))
    const { id, body, basis, ...origin } = toRow(row)
    if (origin.source !== null) await insertOrigin('origin', { record_id: id ?? null, ...origin })
    if (body === null) return
    const bytes = toBlob(body)
    await insert('extras', { record_id: id ?? null, body: bytes, basis: toBlob(basis), alias: parseAlias(bytes) })
  }

  async function addName(kind: NameKind, row: JsonObject): Promise<void> {
    const key = toSortKey(String(row.name))
    await insert(kind, { ...toRow(row), key })
    await insert(`${kind}_piece`, { rowid: Number(row.id), key })
  }

  async function add(kind: LineKind, row: JsonObject, line: Uint8Array): Promise<void> {
    switch (kind) {
      case 'version':
        return addVersion(row, line)
      case 'origin':
        return addOrigin(row)
      case 'companion':
        refuseIf(order.judgeCompanion(row))
        return insert(kind, { ...toRow(row), checksum: toDigest(row.checksum), body: toBlob(row.body) })
      case 'origin_alias':
        refuseIf(order.judgeMember(row.record_id))
        return insertOrigin(kind, toRow(row))
      case 'category_origin':
        return insertOrigin(kind, { ...toRow(row), body: toBlob(row.body), basis: toBlob(row.basis) })
      case 'erased_origin':
        return insert(kind, { ...toRow(row), digest: toDigest(row.digest) })
      case 'retired_name':
        return insert(kind, { ...toRow(row), digest: toDigest(row.digest) })
      case 'speaker':
      case 'tag':
        return addName(kind, row)
      case 'batch':
        return insert(kind, toEndedBatch(toRow(row)))
      case 'tombstone':
        refuseIf(await order.judgeTombstone(row))
        return insert(kind, toRow(row))
      case 'accepted_finding':
      case 'scheduled_publish':
        refuseIf(order.judgeMember(row.record_id))
        return insert(kind, toRow(row))
      case 'distinct_pair':
        refuseIf(order.judgeMember(row.low_id) ?? order.judgeMember(row.high_id))
        return insert(kind, toRow(row))
      case 'merged_record':
        refuseIf(order.judgeMember(row.record_id) ?? order.judgeMember(row.into_id))
        return insert(kind, toRow(row))
      case 'end':
        promised = Number(row.versions)
        return
      default:
        return insert(kind, toRow(row))
    }
  }

  async function takeParsed(line: Uint8Array): Promise<void> {
    const parsed = parseJson(line)
    if (!parsed.ok) throw new DumpError(parsed.problem)
    if (number === 1) {
      refuseIf(judgeHeader(parsed.value))
      isOlder = isBeforeCompanions(parsed.value)
      return
    }
    if (promised !== null) throw new DumpError('it comes after the end')
    const judged = parseDumpLine(parsed.value)
    if (!judged.ok) throw new DumpError(judged.problem)
    await add(judged.kind, judged.row, line)
  }

  return {
    async take(line) {
      number++
      try {
        await takeParsed(line)
      } catch (error) {
        throw toDumpError(error, `line ${number}: `)
      }
    },
    async finish(onRecord) {
      if (promised !== order.versions()) {
        throw new DumpError('it is cut short: its last line is missing or does not match')
      }
      try {
        if (isOlder) await adoptExtras(db)
        else await rebuildTraits(db)
        const records = await insertRecords(db, onRecord)
        await addFirstVersions(db)
        // Waits for queued writes: a dry run never reaches the COMMIT that would report their errors.
        await db.query('SELECT 1').get()
        for await (const { what } of checkBatches(db)) throw new DumpError(what)
        for await (const { what } of checkCategories(db)) throw new DumpError(what)
        for await (const { what } of checkProfiles(db)) throw new DumpError(what)
        for await (const { what } of checkMerges(db)) throw new DumpError(what)
        for await (const { id, what } of checkCompanions(db)) throw new DumpError(`record ${id}: ${what}`)
        return records
      } catch (error) {
        throw toDumpError(error, '')
      }
    },
  }
}

const bodyStart = ',"body":'

/** The newest schema of each format. Builds before the first release had 14 (decision 79). */
const knownSchemas: { readonly [format: number]: number } = { 1: 14, [dumpFormat]: sqliteMigrations.length }

function judgeHeader(header: JsonValue): string | null {
  if (!isJsonObject(header) || header.rostrum !== 'dump') return 'it is not the beginning of a dump'
  const { format, schema, ...others } = header
  const known = typeof format === 'number' ? knownSchemas[format] : undefined
  if (known === undefined) {
    return `its format is ${JSON.stringify(format)}, this Rostrum reads ${Object.keys(knownSchemas).join(' and ')}`
  }
  if (!Number.isSafeInteger(schema) || Number(schema) < 1) return 'its schema must be a number'
  if (Number(schema) > known) return `it was written by a newer Rostrum (schema ${schema}, this one knows ${known})`
  return Object.keys(others).length === 1 ? null : 'its header has members that this version does not know'
}

/** Links and recordings are still in the extras. */
function isBeforeCompanions(header: JsonValue): boolean {
  return !isJsonObject(header) || header.format !== dumpFormat || Number(header.schema) < 4
}

function refuseIf(problem: string | null): void {
  if (problem !== null) throw new DumpError(problem)
}

/** Constraint errors are errors of the dump: a duplicate name, a missing batch. Other errors are not. */
function toDumpError(error: unknown, where: string): unknown {
  const code = toErrorCode(error)
  const isRefused =
    error instanceof DumpError || /^(?:SQLITE_CONSTRAINT|SQLITE_MISMATCH|POSTGRES_2[23]|POSTGRES_54)/.test(code)
  return isRefused && error instanceof Error ? new DumpError(`${where}${error.message}`) : error
}

/** True because dump-lines.ts has checked every column, and callers replace those that are neither text nor number. */
const toRow = (row: object) => row as Row

const toDigest = (hex: JsonValue | undefined) => Buffer.from(String(hex), 'hex')

const toBlob = (text: JsonValue | Uint8Array | undefined) => Buffer.from(String(text))

/** A running batch is stopped in the new store. Dumps of older versions have no progress: their batches are done. */
function toEndedBatch(batch: Row): Row {
  if (!('state' in batch)) return { ...batch, total: batch.records ?? 0, done: batch.records ?? 0 }
  return batch.state === 'running' ? { ...batch, state: 'stopped', runner: null } : batch
}
