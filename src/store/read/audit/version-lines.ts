import type { Activity, BatchActivity, VersionActivity } from '../../change-log.ts'
import type { Database, Value } from '../../database.ts'
import type { SeqRange } from './day-range.ts'

/** Which versions: in this range, of this author, category (its id) and batch. */
export interface VersionFilter extends SeqRange {
  readonly by: string | null
  readonly category: number | null
  readonly batch: number | null
}

/** A line, and the seq before which the next one begins. */
export interface SeqLine {
  readonly line: Activity
  readonly next: number
}

export interface SeqLines {
  readonly lines: readonly SeqLine[]
  /** Whether the range has no more lines. If not, those before `next` are not read yet. */
  readonly isEnd: boolean
  readonly next: number
}

type Row = Omit<VersionActivity, 'is' | 'changed'> & { readonly seq: number; readonly changed: string | null }

const columns = `seq, record_id AS id, number AS version, at, kind, author AS "by", reason, batch, changed`
/** An erased record has no author. */
const erasures = `SELECT seq, record_id AS id, version, at, '' AS kind, '' AS "by", NULL AS reason, NULL AS batch,
  NULL AS changed FROM tombstone WHERE seq >= ? AND seq < ?`

const chunkSize = 200
/** A page that meets only batches may be short. */
const maxChunks = 10

/** Reads the log of versions from its end. */
export function createVersionLines(db: Database) {
  const readBatch = db.query<Omit<BatchActivity, 'is'>, [number]>(
    'SELECT id, at, author AS "by", reason, kind, undoes, records FROM batch WHERE id = ?',
  )
  const measure = db.query<{ first: number; count: number }, [number, number]>(
    'SELECT min(seq) AS first, count(*) AS count FROM version WHERE batch = ? AND seq <= ?',
  )

  function readRows(filter: VersionFilter, before: number): Promise<Row[]> {
    const { sql, values } = toSql(filter, before)
    return db.query<Row, Value[]>(sql).all(...values)
  }

  /** The seq of the first version of a batch, if nothing else is between it and this one. */
  async function skip({ seq, batch }: Row): Promise<number> {
    const found = batch === null ? null : await measure.get(batch, seq)
    return found !== null && seq - found.first + 1 === found.count ? found.first : seq
  }

  /** At most `limit` lines. `isGrouped`: a batch is one line. */
  return async (filter: VersionFilter, limit: number, isGrouped: boolean): Promise<SeqLines> => {
    const lines: SeqLine[] = []
    const shown = new Set<number>()
    let next = filter.to
    for (let chunk = 0; chunk < maxChunks; chunk++) {
      const rows = await readRows(filter, next)
      for (const row of rows) {
        next = row.seq
        if (isGrouped && row.batch !== null && shown.has(row.batch)) continue
        if (lines.length === limit) return { lines, isEnd: false, next: lines.at(-1)?.next ?? next }
        const batch = isGrouped && row.batch !== null ? await readBatch.get(row.batch) : null
        if (batch !== null) shown.add(batch.id)
        // Later versions of the batch are skipped, as far as they follow each other.
        const line: Activity = batch === null ? toActivity(row) : { is: 'batch', ...batch, at: row.at }
        lines.push({ line, next: batch === null ? row.seq : await skip(row) })
      }
      if (rows.length < chunkSize) return { lines, isEnd: true, next }
      next = Math.min(next, lines.at(-1)?.next ?? next)
    }
    return { lines, isEnd: false, next }
  }
}

function toActivity({ seq: _, changed, ...row }: Row): Activity {
  if (changed === null) return { is: 'erasure', at: row.at, id: row.id }
  return { is: 'version', ...row, changed: JSON.parse(changed) }
}

interface Sql {
  readonly sql: string
  readonly values: readonly Value[]
}

/** The sequence numbers come from an index; only the rows of the page are read. */
function toSql({ from, by, category, batch }: VersionFilter, before: number): Sql {
  const conditions: (readonly [string, Value])[] = [
    ['version.seq >= ?', from],
    ['version.seq < ?', before],
    ...(by === null ? [] : ([['version.author = ?', by]] as const)),
    ...(category === null ? [] : ([['listing.category_id = ?', category]] as const)),
    ...(batch === null ? [] : ([['version.batch = ?', batch]] as const)),
  ]
  // SQLite reads the tables of a cross join in this order: all records of a category, or all versions of an author.
  const joined = by === null ? 'listing CROSS JOIN version' : 'version CROSS JOIN listing'
  const source = category === null ? 'version' : joined
  const where = [...(category === null ? [] : ['version.record_id = listing.id']), ...conditions.map(([text]) => text)]
  const chosen = `SELECT version.seq FROM ${source} WHERE ${where.join(' AND ')} ORDER BY version.seq DESC LIMIT ${chunkSize}`
  const versions = `SELECT ${columns} FROM version WHERE seq IN (${chosen})`
  const values = conditions.map(([, value]) => value)
  if (conditions.length > 2) return { sql: `${versions} ORDER BY seq DESC`, values }
  const sql = `SELECT * FROM (${versions} UNION ALL ${erasures}) AS changes ORDER BY seq DESC LIMIT ${chunkSize}`
  return { sql, values: [...values, from, before] }
}
