import type { Database, Statement } from 'bun:sqlite'
import { isRole } from '../../record/command.ts'
import type { ListQuery } from '../../record/query.ts'
import type { ListPage, StoredRecord, Token } from '../store.ts'

export interface Reader {
  read(id: number): StoredRecord | null
  list(query: ListQuery): ListPage
  findToken(hash: Uint8Array): Token | null
}

/** Synchronous reads on a connection of one's own: one primary-key look-up of ready bytes. */
export function createReader(db: Database): Reader {
  const readOne = db.query<StoredRecord, [number]>(
    'SELECT id, version, mark, state, updated, body FROM record WHERE id = ?',
  )
  const findToken = db.query<{ id: number; name: string; role: string }, [Uint8Array]>(
    'SELECT id, name, role FROM token WHERE hash = ? AND revoked IS NULL',
  )
  const everything = createListStatements(db, 'TRUE')
  const liveOnly = createListStatements(db, 'state = 1')
  return {
    read: (id) => readOne.get(id),
    list: (query) => list(db, query.drafts ? everything : liveOnly, query),
    findToken(hash) {
      const row = findToken.get(hash)
      return row !== null && isRole(row.role) ? { id: row.id, name: row.name, role: row.role } : null
    },
  }
}

interface ListStatements {
  readonly count: Statement<{ count: number }, []>
  readonly page: Statement<{ body: Uint8Array }, [number, number]>
}

function createListStatements(db: Database, where: string): ListStatements {
  return {
    count: db.query(`SELECT count(*) AS count FROM record WHERE ${where}`),
    // Descending order puts unknown days last. Ids first: deep pages then skip index entries, not whole records.
    page: db.query(
      `SELECT body FROM (
         SELECT id, row_number() OVER () AS place FROM (
           SELECT id FROM record WHERE ${where} ORDER BY recorded DESC, title_key, id LIMIT ? OFFSET ?
         )
       ) AS page JOIN record USING (id) ORDER BY place`,
    ),
  }
}

/** Count and page in one snapshot, so that they fit together. */
function list(db: Database, statements: ListStatements, query: ListQuery): ListPage {
  return db.transaction(() => {
    const count = statements.count.get()?.count ?? 0
    const lastPage = Math.max(1, Math.ceil(count / query.pageSize))
    const page = query.page === 'last' ? lastPage : query.page
    if (page > lastPage) return { count, page, bodies: [] }
    const rows = statements.page.all(query.pageSize, (page - 1) * query.pageSize)
    return { count, page, bodies: rows.map((row) => row.body) }
  })()
}
