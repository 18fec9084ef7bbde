import type { BatchesQuery, BatchLine, RefusedRecord, UnchangedFields } from '../batch-reads.ts'
import type { Database } from '../database.ts'
import { parseParts, toOthers } from '../write/names/name-change.ts'

/** Maximum number of records listed for a single batch, and for each batch in a list. */
export const maxNamed = { alone: 1_000, listed: 10 }

/** Batches as the API returns them. A stopped undo leaves something to undo. */
interface BatchLines {
  count(query: BatchesQuery): Promise<number>
  list(query: BatchesQuery, limit: number, offset: number): Promise<BatchLine[]>
  read(id: number): Promise<BatchLine | null>
}

type Row = Omit<BatchLine, 'refused' | 'left' | 'others'> & { readonly names: string | null }
type NoteRow = { readonly id: number; readonly why: string; readonly fields: string }

const noteCount = (kind: string) =>
  `(SELECT count(*) FROM batch_note WHERE batch_note.batch = batch.id AND batch_note.kind = '${kind}')`

const columns = `id, at, author AS "by", reason, kind, state, total, done, records AS changed, unchanged,
  ${noteCount('refused')} AS refused_count, ${noteCount('left')} AS left_count, records, undoes, names,
  (SELECT max(id) FROM batch AS later WHERE later.undoes = batch.id AND later.state <> 'stopped') AS undone_by`

export function createBatchLines(db: Database): BatchLines {
  const listNotes = db.query<NoteRow, [number, string, number]>(
    'SELECT record_id AS id, why, fields FROM batch_note WHERE batch = ? AND kind = ? ORDER BY record_id, why LIMIT ?',
  )

  async function readLine(row: Row, max: number): Promise<BatchLine> {
    const refused = row.refused_count === 0 ? [] : (await listNotes.all(row.id, 'refused', max)).map(toRefused)
    const left = row.left_count === 0 ? [] : (await listNotes.all(row.id, 'left', max)).map(toLeft)
    const { refused_count, left_count, records, undoes, undone_by, names, ...known } = row
    const others = toOthers(parseParts(names)).slice(0, max)
    return { ...known, refused, refused_count, left, left_count, others, records, undoes, undone_by }
  }

  const read = db.query<Row, [number]>(`SELECT ${columns} FROM batch WHERE id = ?`)
  return {
    async read(id) {
      const row = await read.get(id)
      return row === null ? null : await readLine(row, maxNamed.alone)
    },
    async count(query) {
      const { where, values } = toChosen(query)
      return (await db.query<{ n: number }, Value[]>(`SELECT count(*) AS n FROM batch ${where}`).get(...values))?.n ?? 0
    },
    async list(query, limit, offset) {
      const { where, values } = toChosen(query)
      const sql = `SELECT ${columns} FROM batch ${where} ORDER BY id DESC LIMIT ? OFFSET ?`
      const max = query.id === null ? maxNamed.listed : maxNamed.alone
      const rows = await db.query<Row, Value[]>(sql).all(...values, limit, offset)
      const lines: BatchLine[] = []
      for (const row of rows) lines.push(await readLine(row, max))
      return lines
    },
  }
}

type Value = string | number

function toChosen({ by, id }: BatchesQuery): { readonly where: string; readonly values: readonly Value[] } {
  if (id !== null) return { where: 'WHERE id = ?', values: [id] }
  return by === null ? { where: '', values: [] } : { where: 'WHERE author = ?', values: [by] }
}

const toRefused = ({ id, why }: NoteRow): RefusedRecord => ({ id, problem: why })

/** The texts that earlier builds stored for these reasons. */
const formerReasons = new Map<string, UnchangedFields['why']>([
  ['changed since', 'changed_since'],
  ['already as before', 'already_restored'],
  ['already a draft', 'already_draft'],
  ['no longer known', 'changed_since'],
  ['no_longer_known', 'changed_since'],
])

const toLeft = ({ id, why, fields }: NoteRow): UnchangedFields => ({
  id,
  fields: JSON.parse(fields),
  // The row was written by `addProgress`, with these reasons only.
  why: formerReasons.get(why) ?? (why as UnchangedFields['why']),
})
