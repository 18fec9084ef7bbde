import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import type { VideoRecord } from '../../src/record/record.ts'

/** What a store holds, read as another program would. */
type Stored = {
  readonly records: readonly VideoRecord[]
  readonly versions: number
  readonly batches: number
  readonly categories: readonly string[]
}

export function readStored(path: string): Stored {
  return withDatabase(path, (db) => ({
    records: db
      .query<{ body: Uint8Array }, []>('SELECT body FROM record ORDER BY id')
      .all()
      .map(({ body }) => JSON.parse(Buffer.from(body).toString())),
    versions: count(db, 'version'),
    batches: count(db, 'batch'),
    categories: db
      .query<{ title: string }, []>('SELECT title FROM category ORDER BY id')
      .all()
      .map(({ title }) => title),
  }))
}

/** How many records there are: cheap enough to ask while they come in. */
export function countStored(path: string): number {
  return withDatabase(path, (db) => count(db, 'record'))
}

/** The file is whole, and its parts agree. */
export function checkStored(path: string): void {
  withDatabase(path, (db) => {
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const records = count(db, 'record')
    expect([count(db, 'listing'), count(db, 'search')]).toEqual([records, records])
    const last = 'SELECT count(*) AS n FROM record JOIN version ON record_id = record.id AND number = record.version'
    expect(db.query<{ n: number }, []>(`${last} WHERE record.body = version.body`).get()?.n).toBe(records)
  })
}

/** Runs SQL on the file itself, where no command would do it. */
export function alterStored(path: string, sql: string, ...values: (string | number)[]): void {
  const db = new Database(path, { strict: true })
  db.query(sql).run(...values)
  db.close()
}

export function findByTitle({ records }: Stored, title: string): VideoRecord {
  const found = records.filter((record) => record.title === title)
  const [only] = found
  if (only === undefined || found.length > 1) throw new Error(`${found.length} records are called ${title}`)
  return only
}

function withDatabase<T>(path: string, use: (db: Database) => T): T {
  const db = new Database(path, { strict: true })
  try {
    // Whoever opens or leaves it at the same time may hold it for a moment.
    db.run('PRAGMA busy_timeout = 5000')
    return use(db)
  } finally {
    db.close()
  }
}

function count(db: Database, table: string): number {
  return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
}
