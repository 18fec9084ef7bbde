import { Database } from 'bun:sqlite'
import type { NameKind } from '../../record/name.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toSortKey } from '../../record/text/fold.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import { otherChecks } from '../maintain/check/leftovers.ts'
import { type CheckListener, reportDamage, type StoreProblem } from '../maintain/check/problem.ts'
import { checkBodies, checkNames, checkRecords, checkVersions, type WordCheck } from '../maintain/check/records.ts'
import { sqliteMigrations } from '../schema/migrations.ts'
import { closeAfter, migrate } from './connection.ts'
import { createSchemaReader, createSqliteDatabase } from './database.ts'

/** Everything that is wrong with a store, in one snapshot; works while the server is running. */
export async function* checkWhole(raw: Database, { onStage, onStep }: CheckListener): AsyncGenerator<StoreProblem> {
  const db = createSqliteDatabase(raw)
  raw.run('BEGIN')
  try {
    onStage('Checking the file')
    yield* reportDamage(() => checkPages(raw))
    if (createSchemaReader(raw)() !== sqliteMigrations.length) return yield* checkOlder(raw, { onStage, onStep })
    yield* reportDamage(() => checkSchema(raw))
    onStage('Checking every version')
    yield* reportDamage(() => checkVersions(db, onStep))
    onStage('Checking every record, and its rows in lists and searches')
    yield* reportDamage(() => checkRecords(db, createWordCheck(raw), onStep))
    onStage('Checking the rest')
    yield* reportDamage(() => checkForeignKeys(raw))
    for (const check of otherChecks) yield* reportDamage(() => check(db))
    for (const table of ['speaker', 'tag'] as const) {
      yield* reportDamage(() => checkNames(db, table, `SELECT id FROM ${table}_piece_docsize`))
      yield* reportDamage(() => checkPieces(raw, table))
    }
  } finally {
    raw.run('ROLLBACK')
  }
}

/** Enough to judge the damage. */
const maxLines = 100

/** Whether pages, rows and indexes are consistent. */
export function* checkPages(db: Database): Generator<StoreProblem> {
  const lines = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${maxLines})`)
  for (const { integrity_check: line } of lines.all()) {
    if (line !== 'ok') yield { id: null, what: `the file is damaged: ${line.replaceAll(/\s+/g, ' ')}` }
  }
}

function* checkForeignKeys(db: Database): Generator<StoreProblem> {
  const rows = db.query<{ table: string; rowid: number; parent: string }, []>('PRAGMA foreign_key_check')
  for (const { table, rowid, parent } of rows.iterate()) {
    yield { id: table === 'listing' ? rowid : null, what: `row ${rowid} of ${table} names a ${parent} that is missing` }
  }
}

/** The checks that work on every schema; the others need the current one. */
async function* checkOlder(raw: Database, { onStage, onStep }: CheckListener): AsyncGenerator<StoreProblem> {
  const db = createSqliteDatabase(raw)
  yield* reportDamage(() => checkForeignCode(raw))
  onStage('Checking every version')
  yield* reportDamage(() => checkVersions(db, onStep))
  yield* reportDamage(() => checkBodies(db))
}

/** Compares tables and indexes with those of a new store: none missing, changed or added. */
function* checkSchema(db: Database): Generator<StoreProblem> {
  const [wanted, found] = [readFresh(), readSchema(db)]
  for (const [name, { sql }] of wanted) {
    const there = found.get(name)
    if (there?.sql !== sql)
      yield { id: null, what: `${name} is ${there === undefined ? 'missing' : 'not as it was created'}` }
  }
  for (const [name, { type }] of found) if (!wanted.has(name)) yield toForeign(type, name)
}

/** Triggers and views that are not ours: they could run at every write, or replace a table. */
export function* checkForeignCode(db: Database): Generator<StoreProblem> {
  const wanted = readFresh()
  for (const [name, { type, sql }] of readSchema(db)) {
    const isCode = type === 'trigger' || type === 'view'
    if (isCode && wanted.get(name)?.sql !== sql) yield toForeign(type, name)
  }
}

const toForeign = (type: string, name: string): StoreProblem => ({
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

/**
 * The search index can be read by token only, not by record. So the tokens of each record, with their positions, are
 * added up to one number, from the record and from the index; only that number is kept in memory.
 */
function createWordCheck(db: Database): WordCheck {
  const sums = new Map<number, number>()
  const add = (id: number, trace: number) => sums.set(id, ((sums.get(id) ?? 0) + trace) | 0)
  db.run(`CREATE VIRTUAL TABLE temp.search_instance USING fts5vocab ('main', 'search', 'instance')`)
  const read = db.query<{ term: string; id: number; col: string; place: number }, []>(
    'SELECT term, doc AS id, col, "offset" AS place FROM search_instance',
  )
  const readIds = db.query<{ id: number }, []>('SELECT id FROM search_docsize')

  function addAll(record: VideoRecord): void {
    const words = toSearchTokens(record)
    add(record.id, presence)
    for (const [column, name] of searched.entries()) {
      // A name without letters and digits has no tokens, and leaves two spaces in a row.
      const terms = words[name].split(' ').filter((term) => term !== '')
      for (const [place, term] of terms.entries()) add(record.id, toTrace(toHash(term), column, place))
    }
  }

  return {
    expect(records) {
      for (const record of records) addAll(record)
      return []
    },
    *compare() {
      const columns = new Map<string, number>(searched.map((name, column) => [name, column]))
      for (const { id } of readIds.iterate()) add(id, -presence)
      let [last, hash] = ['', toHash('')]
      for (const { term, id, col, place } of read.iterate()) {
        if (term !== last) [last, hash] = [term, toHash(term)]
        add(id, -toTrace(hash, columns.get(col) ?? -1, place))
      }
      for (const [id, sum] of sums)
        if (sum !== 0) yield { id, what: 'the search index has different words than the record' }
    },
  }
}

/** Stands for a record in the index, even one without tokens. */
const presence = 0x5bd1e995

/** FTS5 truncates very long tokens. */
const maxHashed = 1000

const toHash = (term: string) => Bun.hash.xxHash32(term.slice(0, maxHashed))

function toTrace(hash: number, column: number, place: number): number {
  const mixed = Math.imul(hash ^ Math.imul(place * searched.length + column + 1, 0x9e3779b1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) | 0
}

type Table = NameKind

/** Checks the trigrams of speakers and tags. Names without any are found by `checkNames`. */
function* checkPieces(db: Database, table: Table): Generator<StoreProblem> {
  const names = db.query<{ name: string }, [number]>(
    `SELECT name FROM ${table} WHERE id = ? AND id IN (SELECT id FROM ${table}_piece_docsize)`,
  )
  for (const id of findWrongPieces(db, table)) {
    const found = names.get(id)
    if (found !== null) {
      yield { id: null, what: `the ${table} ${JSON.stringify(found.name)} cannot be found by its name` }
    }
  }
}

/**
 * Names whose trigrams in the index are wrong. The expected ones come from a new index of the same names, because
 * SQLite cuts them by its own rules.
 */
function findWrongPieces(db: Database, table: Table): ReadonlySet<number> {
  const made = `${table}_piece_made`
  db.run(`CREATE VIRTUAL TABLE temp.${made} USING fts5 (key, content = '', tokenize = 'trigram', detail = none)`)
  const add = db.query<null, [number, string]>(`INSERT INTO temp.${made} (rowid, key) VALUES (?, ?)`)
  for (const { id, name } of db.query<{ id: number; name: string }, []>(`SELECT id, name FROM ${table}`).all()) {
    add.run(id, toSortKey(name))
  }
  const [wanted, found] = [
    toPieces(db, `${made}_term`, 'temp', made),
    toPieces(db, `${table}_piece_term`, 'main', `${table}_piece`),
  ]
  const rows = db.query<{ id: number }, []>(
    `SELECT DISTINCT id FROM (
       SELECT * FROM (${wanted} EXCEPT ${found}) UNION ALL SELECT * FROM (${found} EXCEPT ${wanted})
     )`,
  )
  return new Set(rows.all().map(({ id }) => id))
}

/** SQL for the trigrams of each name in an index. */
function toPieces(db: Database, name: string, schema: 'temp' | 'main', index: string): string {
  db.run(`CREATE VIRTUAL TABLE temp.${name} USING fts5vocab ('${schema}', '${index}', 'instance')`)
  return `SELECT term, doc AS id FROM temp.${name}`
}
