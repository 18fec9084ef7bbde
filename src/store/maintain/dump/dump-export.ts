import type { Database } from '../../database.ts'
import { sqliteMigrations } from '../../schema/migrations.ts'

/** The beginning of every dump, which distinguishes it from a file of records. */
export const dumpStart = '{"rostrum":"dump"'
/** Raised when older programs could not read a dump whatever its schema. Builds before the first release wrote 1. */
export const dumpFormat = 2

interface VersionRow {
  readonly seq: number
  readonly body: Uint8Array
  readonly checksum: Uint8Array
  readonly changed: string
}

interface ContentRow {
  readonly body: Uint8Array
  readonly checksum: Uint8Array
}

interface OriginRow {
  readonly id: number
  readonly source: string | null
  readonly path: string | null
  readonly imported: string | null
  readonly body: Uint8Array | null
  readonly basis: Uint8Array | null
}

/** Everything except tokens, as lines of JSON in the order in which they can be imported. */
export async function* exportDump(db: Database): AsyncIterable<string> {
  yield `${dumpStart},"format":${dumpFormat},"schema":${sqliteMigrations.length}}`
  yield* toLines(db, 'category', 'SELECT * FROM category ORDER BY id')
  yield* toLines(db, 'category_version', 'SELECT * FROM category_version ORDER BY category_id, number')
  for await (const { body, basis, ...row } of iterate<OriginRow>(
    db,
    'SELECT * FROM category_origin ORDER BY source, path',
  )) {
    yield `{"category_origin":${JSON.stringify({ ...row, body: toText(body), basis: toText(basis) })}}`
  }
  yield* toLines(db, 'batch', 'SELECT * FROM batch ORDER BY id')
  yield* toLines(db, 'batch_note', 'SELECT * FROM batch_note ORDER BY batch, kind, record_id, why')
  let versions = 0
  for await (const { body, checksum, changed, ...row } of iterate<VersionRow>(
    db,
    'SELECT * FROM version ORDER BY seq',
  )) {
    const known = { ...row, changed: JSON.parse(changed), checksum: Buffer.from(checksum).toString('hex') }
    // The body is JSON already.
    yield `{"version":${JSON.stringify(known).slice(0, -1)},"body":${toText(body)}}}`
    versions++
  }
  for await (const { body, checksum, ...row } of iterate<ContentRow>(
    db,
    'SELECT * FROM companion ORDER BY record_id, name, number',
  )) {
    const known = { ...row, checksum: Buffer.from(checksum).toString('hex'), body: toText(body) }
    yield `{"companion":${JSON.stringify(known)}}`
  }
  for await (const { body, basis, ...row } of iterate<OriginRow>(db, originSql)) {
    yield `{"origin":${JSON.stringify({ ...row, body: toText(body), basis: toText(basis) })}}`
  }
  yield* toLines(db, 'origin_alias', 'SELECT * FROM origin_alias ORDER BY source, path')
  yield* toLines(db, 'tombstone', 'SELECT * FROM tombstone ORDER BY record_id')
  for await (const { digest, at } of iterate<{ digest: Uint8Array; at: string }>(
    db,
    'SELECT digest, at FROM erased_origin ORDER BY digest',
  )) {
    yield `{"erased_origin":${JSON.stringify({ digest: Buffer.from(digest).toString('hex'), at })}}`
  }
  for (const kind of ['speaker', 'tag'] as const) {
    yield* toLines(db, kind, `SELECT id, name, slug, merged_into FROM ${kind} ORDER BY id`)
  }
  yield* toLines(db, 'speaker_version', 'SELECT * FROM speaker_version ORDER BY speaker_id, number')
  for await (const { digest, ...row } of iterate<{ kind: string; id: number; digest: Uint8Array }>(
    db,
    'SELECT kind, id, digest FROM retired_name ORDER BY kind, id',
  )) {
    yield `{"retired_name":${JSON.stringify({ ...row, digest: Buffer.from(digest).toString('hex') })}}`
  }
  yield* toLines(db, 'dismissed_variant', 'SELECT * FROM dismissed_variant ORDER BY kind, ids')
  for (const [table, key] of Object.entries(decisionKeys))
    yield* toLines(db, table, `SELECT * FROM ${table} ORDER BY ${key}`)
  yield `{"end":{"versions":${versions}}}`
}

/** What curators decided beside the records. */
const decisionKeys = {
  accepted_finding: 'record_id, code',
  hidden_finding: 'code',
  distinct_pair: 'low_id, high_id',
  merged_record: 'record_id',
  scheduled_publish: 'record_id',
} as const

const originSql = `
  SELECT coalesce(origin.record_id, extras.record_id) AS id, source, path, imported, version, body, basis
  FROM origin FULL JOIN extras ON extras.record_id = origin.record_id ORDER BY 1`

async function* toLines(db: Database, name: string, sql: string): AsyncIterable<string> {
  for await (const row of iterate<object>(db, sql)) yield `{"${name}":${JSON.stringify(row)}}`
}

const iterate = <Row>(db: Database, sql: string) => db.query<Row, []>(sql).iterate()

const toText = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString())
