import type { WritableName } from '../../record/fields.ts'
import type { VideoRecord } from '../../record/record.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { createInsertAll, type InsertValue } from '../write/bulk-insert.ts'
import {
  isIndexed,
  type Listed,
  type ListingValue,
  listingColumns,
  plainColumns,
  toListingRow,
  toPlainRow,
  toUpdatedRow,
  updatableColumns,
} from './listing.ts'
import { createNameRows } from './names.ts'

/** The rows derived from a record's body: its row in `listing`, its speakers and tags, its search tokens. */
export interface Derived {
  /** For new records, one or many. */
  insert(records: readonly Listed[]): Promise<void>
  /** Writes only the rows that depend on the changed fields. */
  update(record: ChangedListing): Promise<void>
  /** As `update`, for many records and without their search tokens. */
  updateLists(records: readonly ChangedListing[]): Promise<void>
  /** Call in the order of ids, and without other writes in between: at each of them FTS5 flushes its buffer (decision 20). */
  updateTokens(record: VideoRecord, changed: readonly WritableName[]): void
}

export interface ChangedListing extends Listed {
  readonly changed: readonly WritableName[]
}

export function createDerived(db: Database): Derived {
  const insertListing = createInsertAll(db, 'listing', listingColumns)
  const insertTokens = createInsertAll(db, 'search', ['rowid', ...searched])
  const prepareUpdate = (columns: readonly string[]) =>
    db.query<null, ListingValue[]>(`UPDATE listing SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`)
  const updateListing = prepareUpdate(updatableColumns)
  // SQLite writes the entries of every index that has one of the columns, even if the values are the same.
  const updatePlain = prepareUpdate(['updated', ...plainColumns])
  const deleteTokens = db.query<null, [number]>('DELETE FROM search WHERE rowid = ?')
  const speakers = createNameRows(db, 'speaker')
  const tags = createNameRows(db, 'tag')

  async function updateLists(records: readonly ChangedListing[]): Promise<void> {
    for (const listed of records) {
      const { record } = listed
      if (listed.changed.some(isIndexed)) updateListing.send(...toUpdatedRow(listed), record.id)
      else updatePlain.send(record.updated, ...toPlainRow(listed), record.id)
    }
    const [withSpeakers, withTags] = [toRenamed(records, 'speakers'), toRenamed(records, 'tags')]
    if (withSpeakers.length > 0) await speakers.replace(withSpeakers)
    if (withTags.length > 0) await tags.replace(withTags)
  }

  function updateTokens(record: VideoRecord, changed: readonly WritableName[]): void {
    if (!searched.some((name) => changed.includes(name))) return
    deleteTokens.send(record.id)
    insertTokens([record], toSearchRow)
  }

  return {
    updateLists,
    updateTokens,
    // Table by table, so that the pages of one index stay in the cache: takes half as long as record by record. Ordered
    // by id, because FTS5 flushes its buffer whenever an id is smaller than the last one (decision 20).
    async insert(given) {
      const records = given.toSorted((a, b) => a.record.id - b.record.id)
      insertListing(records, toListingRow)
      await speakers.link(records.map(({ record }) => ({ id: record.id, names: record.speakers })))
      await tags.link(records.map(({ record }) => ({ id: record.id, names: record.tags })))
      insertTokens(records, ({ record }) => toSearchRow(record))
    },
    async update(listed) {
      await updateLists([listed])
      updateTokens(listed.record, listed.changed)
    },
  }
}

function toRenamed(records: readonly ChangedListing[], field: 'speakers' | 'tags') {
  const changed = records.filter((each) => each.changed.includes(field))
  return changed.map(({ record }) => ({ id: record.id, names: record[field] }))
}

function toSearchRow(record: VideoRecord): InsertValue[] {
  const tokens = toSearchTokens(record)
  return [record.id, ...searched.map((name) => tokens[name])]
}
