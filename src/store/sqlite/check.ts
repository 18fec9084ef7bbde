import { Database } from 'bun:sqlite'
import { checkAliases } from '../maintain/check/aliases.ts'
import { checkCategories } from '../maintain/check/categories.ts'
import { checkNames } from '../maintain/check/derived.ts'
import { type CheckListener, type Finding, toFindings } from '../maintain/check/finding.ts'
import { checkLeftovers, checkLog, checkStoreId } from '../maintain/check/leftovers.ts'
import { checkMerges } from '../maintain/check/merges.ts'
import { checkOrigins } from '../maintain/check/origins.ts'
import { checkRecords } from '../maintain/check/records.ts'
import { checkBodies, checkVersions } from '../maintain/check/versions.ts'
import { sqliteMigrations } from '../schema/migrations.ts'
import { checkPieces, createWordCheck } from './check-words.ts'
import { closeAfter, migrate } from './connection.ts'
import { createSchemaReader, createSqliteDatabase } from './database.ts'

/** Everything that is wrong with a store, in one snapshot; works while the server is running. */
export async function* checkWhole(raw: Database, { onStage, onStep }: CheckListener): AsyncGenerator<Finding> {
  const db = createSqliteDatabase(raw)
  raw.run('BEGIN')
  try {
    onStage('Checking the file')
    yield* toFindings(() => checkPages(raw))
    if (createSchemaReader(raw)() !== sqliteMigrations.length) return yield* checkOlder(raw, { onStage, onStep })
    yield* toFindings(() => checkSchema(raw))
    onStage('Checking every version')
    yield* toFindings(() => checkVersions(db, onStep))
    onStage('Checking every record, and what lists and searches know of it')
    yield* toFindings(() => checkRecords(db, createWordCheck(raw), onStep))
    onStage('Checking the rest')
    yield* toFindings(() => checkForeignKeys(raw))
    for (const check of [
      checkLeftovers,
      checkLog,
      checkCategories,
      checkAliases,
      checkOrigins,
      checkMerges,
      checkStoreId,
    ])
      yield* toFindings(() => check(db))
    for (const table of ['speaker', 'tag'] as const) {
      yield* toFindings(() => checkNames(db, table, `SELECT id FROM ${table}_piece_docsize`))
      yield* toFindings(() => checkPieces(raw, table))
    }
  } finally {
    raw.run('ROLLBACK')
  }
}

/** Enough to judge the damage. */
const maxLines = 100

/** Whether pages, rows and indexes are consistent. */
export function* checkPages(db: Database): Generator<Finding> {
  const lines = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${maxLines})`)
  for (const { integrity_check: line } of lines.all()) {
    if (line !== 'ok') yield { id: null, what: `the file is damaged: ${line.replaceAll(/\s+/g, ' ')}` }
  }
}

export function* checkForeignKeys(db: Database): Generator<Finding> {
  const rows = db.query<{ table: string; rowid: number; parent: string }, []>('PRAGMA foreign_key_check')
  for (const { table, rowid, parent } of rows.iterate()) {
    yield { id: table === 'listing' ? rowid : null, what: `row ${rowid} of ${table} names a ${parent} that is missing` }
  }
}

/** What we expect of every schema; the other checks need the current one. */
async function* checkOlder(raw: Database, { onStage, onStep }: CheckListener): AsyncGenerator<Finding> {
  const db = createSqliteDatabase(raw)
  yield* toFindings(() => checkForeignCode(raw))
  onStage('Checking every version')
  yield* toFindings(() => checkVersions(db, onStep))
  yield* toFindings(() => checkBodies(db))
}

/** Compares tables and indexes with those of a new store: none missing, changed or added. */
export function* checkSchema(db: Database): Generator<Finding> {
  const [wanted, found] = [readFresh(), readSchema(db)]
  for (const [name, { sql }] of wanted) {
    const there = found.get(name)
    if (there?.sql !== sql) yield { id: null, what: `${name} is ${there === undefined ? 'missing' : 'not as made'}` }
  }
  for (const [name, { type }] of found) if (!wanted.has(name)) yield toForeign(type, name)
}

/** Triggers and views that are not ours: they could run at every write, or replace a table. */
export function* checkForeignCode(db: Database): Generator<Finding> {
  const wanted = readFresh()
  for (const [name, { type, sql }] of readSchema(db)) {
    const isCode = type === 'trigger' || type === 'view'
    if (isCode && wanted.get(name)?.sql !== sql) yield toForeign(type, name)
  }
}

const toForeign = (type: string, name: string): Finding => ({
  id: null,
  what: `the ${type} ${JSON.stringify(name)} is not Rostrum's`,
})

interface SchemaEntry {
  readonly type: string
  readonly sql: string | null
}

function readFresh(): ReadonlyMap<string, SchemaEntry> {
  return closeAfter(new Database(':memory:'), (db) => {
    migrate(db)
    return readSchema(db)
  })
}

function readSchema(db: Database): ReadonlyMap<string, SchemaEntry> {
  const rows = db.query<SchemaEntry & { readonly name: string }, []>('SELECT type, name, sql FROM main.sqlite_schema')
  return new Map(rows.all().map(({ name, ...entry }) => [name, entry]))
}
