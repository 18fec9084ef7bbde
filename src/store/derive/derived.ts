import type { WritableName } from '../../record/fields.ts'
import type { VideoRecord } from '../../record/record.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { createInsertAll, type InsertValue } from '../write/bulk-insert.ts'
import { isListed, type ListingValue, listingColumns, toListingRow, toUpdatedRow, updatableColumns } from './listing.ts'
import { createNameRows } from './names.ts'

/** The rows derived from a record's body: its row in `listing`, its speakers and tags, its search tokens. */
export interface Derived {
  /** For new records, one or many. */
  insert(records: readonly NewListing[]): Promise<void>
  /** Writes only the rows that depend on the changed fields. */
  update(record: VideoRecord, categoryId: number, changed: readonly WritableName[]): Promise<void>
}

export interface NewListing {
  readonly record: VideoRecord
  readonly categoryId: number
}

export function createDerived(db: Database): Derived {
  const insertListing = createInsertAll(db, 'listing', listingColumns)
  const insertTokens = createInsertAll(db, 'search', ['rowid', ...searched])
  const updateListing = db.query<null, ListingValue[]>(
    `UPDATE listing SET ${updatableColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  const touchListing = db.query<null, [string, number]>('UPDATE listing SET updated = ? WHERE id = ?')
  const deleteTokens = db.query<null, [number]>('DELETE FROM search WHERE rowid = ?')
  const speakers = createNameRows(db, 'speaker')
  const tags = createNameRows(db, 'tag')

  return {
    // Table by table, so that the pages of one index stay in the cache: takes half as long as record by record. Ordered
    // by id, because FTS5 flushes its buffer whenever an id is smaller than the last one (ADR 20).
    async insert(given) {
      const records = given.toSorted((a, b) => a.record.id - b.record.id)
      insertListing(records, ({ record, categoryId }) => toListingRow(record, categoryId))
      await speakers.link(records.map(({ record }) => ({ id: record.id, names: record.speakers })))
      await tags.link(records.map(({ record }) => ({ id: record.id, names: record.tags })))
      insertTokens(records, ({ record }) => toSearchRow(record))
    },
    async update(record, categoryId, changed) {
      if (changed.some(isListed)) updateListing.send(...toUpdatedRow(record, categoryId), record.id)
      else touchListing.send(record.updated, record.id)
      if (changed.includes('speakers')) await speakers.replace(record.id, record.speakers)
      if (changed.includes('tags')) await tags.replace(record.id, record.tags)
      if (!searched.some((name) => changed.includes(name))) return
      deleteTokens.send(record.id)
      insertTokens([record], toSearchRow)
    },
  }
}

function toSearchRow(record: VideoRecord): InsertValue[] {
  const tokens = toSearchTokens(record)
  return [record.id, ...searched.map((name) => tokens[name])]
}
