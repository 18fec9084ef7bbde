import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/lookup-many.ts'
import type { RecordData, RecordRow } from './record-data.ts'
import { sourceBit } from './slot-arrays.ts'

/** A speaker or tag of a record. */
interface Link {
  readonly id: number
  readonly name: number
}

/** Repeats the condition of the partial index to the letter; it is used only then. */
const liveSeqSql = `SELECT max(seq) FROM version WHERE record_id = listing.id AND version.state = 1 AND kind = 'created'`
const rowSql = `SELECT id, state, category_id AS category, language, recorded, duration,
  quality, host, author, added, updated, source_url AS video,
  media + CASE WHEN source_url = '' THEN 0 ELSE ${sourceBit} END AS media,
  coalesce(CASE WHEN listing.state = 1 THEN (${liveSeqSql}) END, 0) AS "liveSeq" FROM listing WHERE`
const toLinkSql = (kind: 'speaker' | 'tag', condition: string) =>
  `SELECT record_id AS id, ${kind}_id AS name FROM record_${kind} WHERE record_id ${condition} ORDER BY record_id, place`

/** Reads records from the tables into memory. Rows are read before any is stored, so that a failure changes nothing. */
export interface RowReader {
  /** The records after this id, up to `limit`; returns the last id, or null if there are none. */
  readAfter(id: number, limit: number): Promise<number | null>
  /** These records; those that do not exist any more are removed. */
  readMany(ids: Iterable<number>): Promise<void>
}

export function createRowReader(db: Database, data: RecordData): RowReader {
  const rowsAfter = db.query<RecordRow, [number, number]>(`${rowSql} id > ? ORDER BY id LIMIT ?`)
  const between = 'BETWEEN ? AND ?'
  const speakersBetween = db.query<Link, [number, number]>(toLinkSql('speaker', between))
  const tagsBetween = db.query<Link, [number, number]>(toLinkSql('tag', between))
  const someRows = createLookup<RecordRow, number>(db, (ids) => `${rowSql} id IN ${ids} ORDER BY id`)
  const someSpeakers = createLookup<Link, number>(db, (ids) => toLinkSql('speaker', `IN ${ids}`))
  const someTags = createLookup<Link, number>(db, (ids) => toLinkSql('tag', `IN ${ids}`))

  function store(rows: readonly RecordRow[], speakers: readonly Link[], tags: readonly Link[]): void {
    const [takeSpeakers, takeTags] = [createTaker(speakers), createTaker(tags)]
    for (const row of rows) data.set(row, takeSpeakers(row.id), takeTags(row.id))
  }

  return {
    async readAfter(id, limit) {
      const rows = await rowsAfter.all(id, limit)
      const last = rows.at(-1)?.id
      if (last === undefined) return null
      store(rows, await speakersBetween.all(id + 1, last), await tagsBetween.all(id + 1, last))
      return last
    },
    async readMany(ids) {
      for await (const chunk of toChunks(ids)) {
        const rows = await someRows(chunk)
        const [speakers, tags] = [await someSpeakers(chunk), await someTags(chunk)]
        const found = new Set(rows.map(({ id }) => id))
        for (const id of chunk) if (!found.has(id)) data.remove(id)
        store(rows, speakers, tags)
      }
    },
  }
}

/** Takes the names of one record after the other, in the order of their ids. */
function createTaker(links: readonly Link[]): (id: number) => number[] {
  let next = 0
  return (id) => {
    const names: number[] = []
    for (let link = links[next]; link !== undefined && link.id <= id; link = links[++next]) {
      if (link.id === id) names.push(link.name)
    }
    return names
  }
}
