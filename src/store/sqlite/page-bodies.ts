import type { ListNeeds } from '../read/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list-page.ts'

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListNeeds): ReadBodies {
  // One statement for the page takes less than half the time of one for each record. The join keeps the order of the
  // ids. Bodies are read as text: to read bytes and decode them here takes twice as long.
  const read = db.query<{ text: string }, [string]>(
    'SELECT CAST(body AS TEXT) AS text FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  // Row by row, so that a page which is too large is not read to its end.
  async function* readTexts(ids: readonly number[]): AsyncIterable<string> {
    if (ids.length > 0) for await (const { text } of read.iterate(JSON.stringify(ids))) yield text
  }
  const toMax = (size: number) => (size <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes)
  return (ids, fields) => takeBodies(readTexts(ids), fields, toMax(ids.length))
}
