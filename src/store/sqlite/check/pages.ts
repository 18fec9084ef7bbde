import { Database } from 'bun:sqlite'
import { migrations } from '../../schema/migrations.ts'
import { migrate } from '../connection.ts'
import type { Finding } from './finding.ts'

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

/** Whether tables and indexes are those that this version makes. */
export function* checkSchema(db: Database): Generator<Finding> {
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (version !== migrations.length) {
    return yield { id: null, what: `the schema is number ${version}, not ${migrations.length}` }
  }
  const fresh = new Database(':memory:')
  try {
    migrate(fresh)
    const [wanted, found] = [readSchema(fresh), readSchema(db)]
    for (const [name, sql] of wanted) {
      if (found.get(name) !== sql) yield { id: null, what: `${name} is ${found.has(name) ? 'not as made' : 'missing'}` }
    }
  } finally {
    fresh.close()
  }
}

function readSchema(db: Database): ReadonlyMap<string, string | null> {
  const rows = db.query<{ name: string; sql: string | null }, []>('SELECT name, sql FROM sqlite_schema').all()
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}
