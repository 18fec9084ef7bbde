import type { Database } from 'bun:sqlite'
import type { PageReader } from '../read/list-page.ts'
import { alwaysAnswered, takeBodies } from '../read/page-bodies.ts'

export function createPageBodies(db: Database, maxPageBytes: number): PageReader['toBodies'] {
  // One question for the whole page: less than half of what a question for each record costs. The ids' order stays.
  // And texts, which bodies are: to take bytes and make texts of them costs twice as much.
  const read = db.query<{ text: string }, [string]>(
    'SELECT CAST(body AS TEXT) AS text FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  function* readTexts(ids: readonly number[]): Iterable<string> {
    for (const { text } of ids.length === 0 ? [] : read.iterate(JSON.stringify(ids))) yield text
  }
  const toMax = (size: number) => (size <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes)
  return (ids, fields) => takeBodies(readTexts(ids), fields, toMax(ids.length))
}
