import { toSortKey } from '../../../record/text/sort-key.ts'
import type { Database } from '../../database.ts'
import { type Listed, type ListingValue, listingColumns, toListingRow } from '../../derive/listing.ts'
import { createLookup } from '../../read/lookup-many.ts'
import { toEndSql } from '../../write/names/merges.ts'
import type { Finding } from './finding.ts'

type ListingRow = { readonly id: number } & { readonly [column: string]: ListingValue }

/** A record with the author of its newest version. */
type AuthoredRecord = Omit<Listed, 'categoryId'>

/** Compares the rows derived from records with their expected values. */
export function createDerivedCheck(db: Database): (records: readonly AuthoredRecord[]) => AsyncGenerator<Finding> {
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
  const isLinked = { speaker: createLinkCheck(db, 'speaker'), tag: createLinkCheck(db, 'tag') }

  return async function* (records) {
    const ids = records.map(({ record }) => record.id)
    const rows = new Map((await findRows(ids)).map((row) => [row.id, row]))
    const titles = [...new Set(records.map(({ record }) => record.category))]
    const categories = new Map((await findCategories(titles)).map(({ id, title }) => [title, id]))
    const [speakers, tags] = [await listSpeakers(ids), await listTags(ids)]
    for (const authored of records) {
      const { record } = authored
      const { id } = record
      yield* compareRow(authored, rows.get(id) ?? null, categories.get(record.category))
      if (!(await isLinked.speaker(speakers.get(id) ?? [], record.speakers)))
        yield { id, what: 'its speakers are indexed otherwise' }
      if (!(await isLinked.tag(tags.get(id) ?? [], record.tags))) yield { id, what: 'its tags are indexed otherwise' }
    }
  }
}

function* compareRow(
  authored: AuthoredRecord,
  row: ListingRow | null,
  categoryId: number | undefined,
): Generator<Finding> {
  const { id } = authored.record
  if (categoryId === undefined) yield { id, what: 'there is no category with the title that it names' }
  if (row === null) return yield { id, what: 'the lists do not have it' }
  // Without a category the row cannot be right: no category has id -1.
  const wanted = toListingRow({ ...authored, categoryId: categoryId ?? -1 })
  const differing = listingColumns.filter((name, i) => row[name] !== wanted[i])
  if (differing.length > 0) yield { id, what: `the lists have another ${differing.join(', ')}` }
}

interface Link {
  readonly nameId: number
  readonly name: string
}

/**
 * Whether each name of a record links to its row, or to the entry that it is an alias of: a rename that was stopped
 * leaves records with the old name at the renamed row (decision 52).
 */
function createLinkCheck(db: Database, table: 'speaker' | 'tag') {
  const findEnd = db.query<{ id: number }, [string]>(toEndSql(table, 'name = ?'))
  return async (links: readonly Link[], names: readonly string[]): Promise<boolean> => {
    if (links.length !== names.length) return false
    for (const [i, name] of names.entries()) {
      const link = links[i]
      if (link?.name !== name && (await findEnd.get(name))?.id !== link?.nameId) return false
    }
    return true
  }
}

function toListNames(db: Database, table: 'speaker' | 'tag') {
  const list = createLookup<Link & { id: number }, number>(
    db,
    (ids) => `
      SELECT record_id AS id, ${table}_id AS "nameId", name FROM record_${table} JOIN ${table} ON ${table}.id = ${table}_id
      WHERE record_id IN ${ids} ORDER BY record_id, place`,
  )
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, readonly Link[]>> => {
    const names = new Map<number, Link[]>()
    for (const { id, ...link } of await list(ids)) names.set(id, [...(names.get(id) ?? []), link])
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
