import type { Database } from 'bun:sqlite'
import { toFolded } from '../../../record/fold.ts'
import type { Finding } from './finding.ts'

type Table = 'speaker' | 'tag'

/** Names of speakers or tags are found by their folded form and by pieces of it. */
export function* checkNames(db: Database, table: Table): Generator<Finding> {
  const wrong = findWrongPieces(db, table)
  const rows = db.query<{ id: number; name: string; key: string; found: number }, []>(
    `SELECT id, name, key, id IN (SELECT id FROM ${table}_piece_docsize) AS found FROM ${table}`,
  )
  for (const { id, name, key, found } of rows.iterate()) {
    if (key !== toFolded(name) || found === 0 || wrong.has(id)) {
      yield { id: null, what: `the ${table} ${JSON.stringify(name)} cannot be found by its name` }
    }
  }
  const lost = db.query<{ id: number }, []>(
    `SELECT id FROM ${table}_piece_docsize WHERE id NOT IN (SELECT id FROM ${table})`,
  )
  for (const { id } of lost.iterate())
    yield { id: null, what: `the index of names has a ${table} ${id} that is missing` }
}

/**
 * The names that the index has other pieces of than it should. What it should have is what a new index of the same
 * names has: the rules by which SQLite cuts them are SQLite's.
 */
function findWrongPieces(db: Database, table: Table): ReadonlySet<number> {
  const made = `${table}_piece_made`
  db.run(`CREATE VIRTUAL TABLE temp.${made} USING fts5 (key, content = '', tokenize = 'trigram', detail = none)`)
  const add = db.query<null, [number, string]>(`INSERT INTO temp.${made} (rowid, key) VALUES (?, ?)`)
  for (const { id, name } of db.query<{ id: number; name: string }, []>(`SELECT id, name FROM ${table}`).all()) {
    add.run(id, toFolded(name))
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

/** SQL for which name has which pieces, by an index. */
function toPieces(db: Database, name: string, schema: 'temp' | 'main', index: string): string {
  db.run(`CREATE VIRTUAL TABLE temp.${name} USING fts5vocab ('${schema}', '${index}', 'instance')`)
  return `SELECT term, doc AS id FROM temp.${name}`
}
