import type { VideoRecord } from '../../../record/record.ts'
import type { Database } from '../../database.ts'
import { type ListingValue, listingColumns, toListingRow, toSortKey } from '../../derive/listing.ts'
import { createLookup } from '../../read/lookup-many.ts'
import type { Finding } from './finding.ts'

type ListingRow = { readonly id: number } & { readonly [column: string]: ListingValue }

/** Compares the rows derived from records with their expected values. */
export function createDerivedCheck(db: Database): (records: readonly VideoRecord[]) => AsyncGenerator<Finding> {
  const findRows = createLookup<ListingRow, number>(
    db,
    (ids) => `SELECT ${listingColumns.join(', ')} FROM listing WHERE id IN ${ids}`,
  )
  const findCategories = createLookup<{ id: number; title: string }, string>(
    db,
    (titles) => `SELECT id, title FROM category WHERE title IN ${titles}`,
  )
  const listSpeakers = toListNames(db, 'speaker')
  const listTags = toListNames(db, 'tag')

  return async function* (records) {
    const ids = records.map(({ id }) => id)
    const rows = new Map((await findRows(ids)).map((row) => [row.id, row]))
    const titles = [...new Set(records.map(({ category }) => category))]
    const categories = new Map((await findCategories(titles)).map(({ id, title }) => [title, id]))
    const [speakers, tags] = [await listSpeakers(ids), await listTags(ids)]
    for (const record of records) {
      const { id } = record
      yield* compareRow(record, rows.get(id) ?? null, categories.get(record.category))
      if (!Bun.deepEquals(speakers.get(id) ?? [], record.speakers))
        yield { id, what: 'its speakers are indexed otherwise' }
      if (!Bun.deepEquals(tags.get(id) ?? [], record.tags)) yield { id, what: 'its tags are indexed otherwise' }
    }
  }
}

function* compareRow(record: VideoRecord, row: ListingRow | null, categoryId: number | undefined): Generator<Finding> {
  const { id } = record
  if (categoryId === undefined) yield { id, what: 'there is no category with the title that it names' }
  if (row === null) return yield { id, what: 'the lists do not have it' }
  // Without a category the row cannot be right: no category has id -1.
  const wanted = toListingRow(record, categoryId ?? -1)
  const differing = listingColumns.filter((name, i) => row[name] !== wanted[i])
  if (differing.length > 0) yield { id, what: `the lists have another ${differing.join(', ')}` }
}

function toListNames(db: Database, table: 'speaker' | 'tag') {
  const list = createLookup<{ id: number; name: string }, number>(
    db,
    (ids) => `
      SELECT record_id AS id, name FROM record_${table} JOIN ${table} ON ${table}.id = ${table}_id
      WHERE record_id IN ${ids} ORDER BY record_id, place`,
  )
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> => {
    const names = new Map<number, string[]>()
    for (const { id, name } of await list(ids)) names.set(id, [...(names.get(id) ?? []), name])
    return names
  }
}

/** Checks the sort keys and the trigram index of speakers or tags. `indexedSql` selects the ids in the index. */
export async function* checkNames(db: Database, table: 'speaker' | 'tag', indexedSql: string): AsyncGenerator<Finding> {
  const rows = db.query<{ name: string; key: string; found: number }, []>(
    `SELECT name, key, CASE WHEN id IN (${indexedSql}) THEN 1 ELSE 0 END AS found FROM ${table}`,
  )
  for await (const { name, key, found } of rows.iterate()) {
    if (key !== toSortKey(name) || found === 0) {
      yield { id: null, what: `the ${table} ${JSON.stringify(name)} cannot be found by its name` }
    }
  }
  const lost = db.query<{ id: number }, []>(
    `SELECT id FROM (${indexedSql}) AS indexed WHERE id NOT IN (SELECT id FROM ${table})`,
  )
  for await (const { id } of lost.iterate())
    yield { id: null, what: `the index of names has a ${table} ${id} that is missing` }
}
