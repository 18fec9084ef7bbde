import type { Database } from 'bun:sqlite'
import { toSortKey } from '../../derive/listing.ts'
import type { Finding } from '../../maintain/check/finding.ts'

type Table = 'speaker' | 'tag'

/** Names of speakers or tags are found by pieces of them; which of them are missing altogether is told elsewhere. */
export function* checkPieces(db: Database, table: Table): Generator<Finding> {
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
 * The names that the index has other pieces of than it should. What it should have is what a new index of the same
 * names has: the rules by which SQLite cuts them are SQLite's.
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

/** SQL for which name has which pieces, by an index. */
function toPieces(db: Database, name: string, schema: 'temp' | 'main', index: string): string {
  db.run(`CREATE VIRTUAL TABLE temp.${name} USING fts5vocab ('${schema}', '${index}', 'instance')`)
  return `SELECT term, doc AS id FROM temp.${name}`
}
