import type { VideoRecord } from '../../record/record.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { createBulkInsert } from '../write/bulk-insert.ts'
import { toListingRow } from './derived.ts'
import { createNameRows } from './names.ts'

/** What is derived from records of which nothing is derived yet, many at a time. */
export interface DerivedBulk {
  add(records: readonly VideoRecord[], toCategoryId: (record: VideoRecord) => number): void
  /** After the last ones. */
  flush(): void
}

export function createDerivedBulk(db: Database): DerivedBulk {
  const lines = createLineBulk(db)
  const search = createBulkInsert(db, 'search', ['rowid', ...searched])
  const speakers = createLinkBulk(db, 'speaker', ({ speakers }) => speakers)
  const tags = createLinkBulk(db, 'tag', ({ tags }) => tags)
  return {
    add(records, toCategoryId) {
      for (const record of records) {
        lines.add(record, toCategoryId(record))
        const words = toSearchTokens(record)
        search.add([record.id, ...searched.map((name) => words[name])])
      }
      speakers.add(records)
      tags.add(records)
    },
    flush() {
      for (const bulk of [lines, search, speakers, tags]) bulk.flush()
    },
  }
}

function createLineBulk(db: Database) {
  const columns = ['id', 'state', 'category_id', 'language', 'recorded', 'title_key', 'added', 'updated']
  const bulk = createBulkInsert(db, 'listing', [...columns, 'duration', 'source_url', 'media'])
  return {
    flush: bulk.flush,
    add(record: VideoRecord, categoryId: number) {
      const { id, state, language, recorded, titleKey, updated, duration, sourceUrl, media } = toListingRow(
        record,
        categoryId,
      )
      const first = [id, state, categoryId, language, recorded, titleKey, record.added, updated]
      bulk.add([...first, duration, sourceUrl, media])
    },
  }
}

/** Which speakers or tags each record has. */
function createLinkBulk(db: Database, table: 'speaker' | 'tag', toNames: (record: VideoRecord) => readonly string[]) {
  const words = createNameRows(db, table)
  const bulk = createBulkInsert(db, `record_${table}`, ['record_id', 'place', `${table}_id`])
  return {
    flush: bulk.flush,
    add(records: readonly VideoRecord[]) {
      const ids = words.toIds(records.flatMap(toNames))
      for (const record of records) {
        for (const [place, name] of toNames(record).entries()) bulk.add([record.id, place, ids.get(name) ?? 0])
      }
    },
  }
}
