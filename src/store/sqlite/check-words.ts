import type { Database } from 'bun:sqlite'
import type { VideoRecord } from '../../record/record.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import { toSortKey } from '../../record/text/sort-key.ts'
import type { Finding } from '../maintain/check/finding.ts'
import type { WordCheck } from '../maintain/check/records.ts'

/**
 * The search index can be read by token only, not by record. So the tokens of each record, with their positions, are
 * added up to one number, from the record and from the index; only that number is kept in memory.
 */
export function createWordCheck(db: Database): WordCheck {
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
        if (sum !== 0) yield { id, what: 'the search index has other words than the record' }
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

type Table = 'speaker' | 'tag'

/** Checks the trigrams of speakers and tags. Names without any are found by `checkNames`. */
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
