import type { Database } from 'bun:sqlite'
import type { PageReader } from '../sql/list-page.ts'
import { joinBodies } from '../sql/page-bodies.ts'

export function createPageBodies(db: Database): PageReader['toBodies'] {
  // One question for the whole page: less than half of what a question for each record costs. The ids' order stays.
  const read = db.query<{ body: Uint8Array }, [string]>(
    'SELECT body FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  function* readBodies(ids: readonly number[]): Iterable<Uint8Array> {
    for (const { body } of ids.length === 0 ? [] : read.iterate(JSON.stringify(ids))) yield body
  }
  return (ids, fields) => joinBodies(readBodies(ids), fields)
}
