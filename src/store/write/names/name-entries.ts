import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Database } from '../../database.ts'
import { createNameRows } from '../../derive/names.ts'
import { createLookup, toChunks } from '../../read/lookup-many.ts'
import { createMerges, type Merges } from './merges.ts'

export type NameKind = 'speaker' | 'tag'

/** The field of records that lists names of each kind. */
export const nameFields = { speaker: 'speakers', tag: 'tags' } as const

export interface NameEntry {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly mergedInto: number | null
}

/** Speakers or tags as entries that can be renamed and merged. A row without records is no entry. */
export interface NameEntries extends Merges {
  find(id: number): Promise<NameEntry | null>
  findByName(name: string): Promise<NameEntry | null>
  /** The entry that the row leads to: itself if it has records, else the end of its chain. Null if that has none. */
  findCurrent(row: NameEntry): Promise<NameEntry | null>
  hasRecords(id: number): Promise<boolean>
  /** Ids of records, ascending. */
  listRecords(id: number): Promise<number[]>
  /** The positions of the entry in the list of a record. */
  listPlaces(recordId: number, id: number): Promise<number[]>
  /** Those of these records that have this name. */
  filterRecords(ids: readonly number[], name: string): Promise<number[]>
  /** The slug that a new name would get. */
  findFreeSlug(name: string): Promise<string>
  /** Adds a name that no record has yet. */
  insert(name: string): Promise<NameEntry>
  /** Each row gets the name and slug of the other. */
  exchange(one: NameEntry, other: NameEntry): void
}

const columns = 'id, name, slug, merged_into AS "mergedInto"'

export function createNameEntries(db: Database, kind: NameKind): NameEntries {
  const names = createNameRows(db, kind)
  const merges = createMerges(db, kind)
  const find = db.query<NameEntry, [number]>(`SELECT ${columns} FROM ${kind} WHERE id = ?`)
  const findByName = db.query<NameEntry, [string]>(`SELECT ${columns} FROM ${kind} WHERE name = ?`)
  const findOne = db.query<unknown, [number]>(`SELECT 1 FROM record_${kind} WHERE ${kind}_id = ? LIMIT 1`)
  const list = db.query<{ id: number }, [number]>(
    `SELECT DISTINCT record_id AS id FROM record_${kind} WHERE ${kind}_id = ? ORDER BY record_id`,
  )
  const listPlaces = db.query<{ place: number }, [number, number]>(
    `SELECT place FROM record_${kind} WHERE record_id = ? AND ${kind}_id = ?`,
  )
  const readBodies = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )
  const hasRecords = async (id: number) => (await findOne.get(id)) !== null

  return {
    ...merges,
    find: (id) => find.get(id),
    findByName: (name) => findByName.get(name),
    async findCurrent(row) {
      if (await hasRecords(row.id)) return row
      const end = await merges.findEnd(row.id)
      return end === null || end === row.id || !(await hasRecords(end)) ? null : find.get(end)
    },
    hasRecords,
    listRecords: async (id) => (await list.all(id)).map((row) => row.id),
    listPlaces: async (recordId, id) => (await listPlaces.all(recordId, id)).map(({ place }) => place),
    async filterRecords(ids, name) {
      const found: number[] = []
      for await (const chunk of toChunks(ids)) {
        const rows = (await readBodies(chunk)).filter(({ body }) => fromBody(body)[nameFields[kind]].includes(name))
        found.push(...rows.map(({ id }) => id))
      }
      return found
    },
    findFreeSlug: names.findFreeSlug,
    async insert(name) {
      const id = await names.insert(name)
      const made = await find.get(id)
      if (made === null) throw new Error(`${kind} ${id} vanished within a transaction`)
      return made
    },
    exchange(one, other) {
      // Names and slugs are unique after each statement, and none is empty.
      names.rewrite(one.id, '', '')
      names.rewrite(other.id, one.name, one.slug)
      names.rewrite(one.id, other.name, other.slug)
    },
  }
}

/** The row of the old name leads to the renamed one, also while records still have that name. */
export function exchange(entries: NameEntries, row: NameEntry, target: NameEntry): void {
  entries.exchange(row, target)
  if (row.mergedInto !== null) entries.set(row.id, null)
  if (target.mergedInto !== row.id) entries.set(target.id, row.id)
}
