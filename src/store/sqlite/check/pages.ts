import { Database } from 'bun:sqlite'
import { migrations } from '../../schema/migrations.ts'
import type { Finding } from '../../sql/check/finding.ts'
import { closeAfter, migrate } from '../connection.ts'

/** More lines of one damage tell nobody more. */
const maxLines = 100

/** Whether the file's pages, rows and indexes fit together. */
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

/** Whether the store has seen every migration; before that it cannot be asked about what they make. */
export function* checkMigrations(db: Database): Generator<Finding> {
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (version === migrations.length) return
  const what = `its schema is number ${version}; serving it once, or --rebuild, brings it to ${migrations.length}`
  yield { id: null, what }
}

/** Whether tables and indexes are those that this version makes. */
export function* checkSchema(db: Database): Generator<Finding> {
  const [wanted, found] = [closeAfter(new Database(':memory:'), readFresh), readSchema(db)]
  for (const [name, sql] of wanted) {
    if (found.get(name) !== sql) yield { id: null, what: `${name} is ${found.has(name) ? 'not as made' : 'missing'}` }
  }
}

function readFresh(db: Database) {
  migrate(db)
  return readSchema(db)
}

function readSchema(db: Database): ReadonlyMap<string, string | null> {
  const rows = db.query<{ name: string; sql: string | null }, []>('SELECT name, sql FROM sqlite_schema').all()
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}
