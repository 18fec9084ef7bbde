import type { EntryKind, NameKind } from '../../../record/name.ts'
import { fromBody } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createNameRows } from '../../derive/name-rows.ts'
import { createLookup, toChunks } from '../../read/statements.ts'

/** The field of records that lists names of each kind. */
export const nameFields = { speaker: 'speakers', tag: 'tags' } as const

export interface NameEntry {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly mergedInto: number | null
}

/** Speakers or tags as entries that can be renamed and merged. A row without records is not an entry. */
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
  /** The records among these that have this name. */
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

/** The end of the chain of `merged_into` that begins with a row. UNION ends even a damaged chain that is a loop. */
export const toEndSql = (table: EntryKind, start = 'id = ?') => `
  WITH RECURSIVE chain (id, target) AS (
    SELECT id, merged_into FROM ${table} WHERE ${start}
    UNION SELECT ${table}.id, merged_into FROM ${table} JOIN chain ON ${table}.id = chain.target
  ) SELECT id FROM chain WHERE target IS NULL`

/** All rows whose chain leads to a row. */
export const toAliasesSql = (table: EntryKind, columns: string) => `
  WITH RECURSIVE alias (id) AS (
    SELECT id FROM ${table} WHERE merged_into = ?
    UNION SELECT ${table}.id FROM ${table} JOIN alias ON merged_into = alias.id
  ) SELECT ${columns} FROM ${table} WHERE id IN (SELECT id FROM alias)`

/** Which names and categories are aliases of others: rows stay, and point to the row they were merged into (decision 52). */
export interface Merges {
  /** The row itself unless it is an alias; null if there is no such row. */
  findEnd(id: number): Promise<number | null>
  set(id: number, into: number | null): void
  /** Whether the chain of `into` leads to `id`. */
  wouldLoop(id: number, into: number | null): Promise<boolean>
}

/**
 * `listed` of a category: 1 if it is shown to everybody even while it is empty; 2 if it is not, but was public when it
 * was merged, so that its URL still leads everybody to the other category (decision 72).
 */
const setCategorySql = `
  UPDATE category SET merged_into = ?, listed = CASE
    WHEN listed = 0 AND EXISTS (SELECT 1 FROM listing WHERE category_id = category.id AND state = 1) THEN 2
    ELSE listed END
  WHERE id = ?`

export function createMerges(db: Database, table: EntryKind): Merges {
  const findEnd = db.query<{ id: number }, [number]>(toEndSql(table))
  const listAliases = db.query<{ id: number }, [number]>(toAliasesSql(table, 'id'))
  const setSql = table === 'category' ? setCategorySql : `UPDATE ${table} SET merged_into = ? WHERE id = ?`
  const set = db.query<null, [number, number]>(setSql)
  const release = db.query<null, [number]>(`UPDATE ${table} SET merged_into = NULL WHERE id = ?`)
  return {
    findEnd: async (id) => (await findEnd.get(id))?.id ?? null,
    set: (id, into) => (into === null ? release.send(id) : set.send(into, id)),
    wouldLoop: async (id, into) =>
      into !== null && (id === into || (await listAliases.all(id)).some((alias) => alias.id === into)),
  }
}

/** Groups of names that are hidden from the variants. */
export interface DismissalRows {
  list(kind: NameKind): Promise<readonly (readonly number[])[]>
  insert(kind: NameKind, ids: readonly number[], author: string, at: Timestamp): void
  remove(kind: NameKind, ids: readonly number[]): void
}

export function createDismissalRows(db: Database): DismissalRows {
  const insert = db.query('INSERT INTO dismissed_variant (kind, ids, at, author) VALUES ($kind, $ids, $at, $author)')
  const remove = db.query<null, [string, string]>('DELETE FROM dismissed_variant WHERE kind = ? AND ids = ?')
  return {
    list: createDismissalList(db),
    insert: (kind, ids, author, at) => insert.send({ kind, ids: JSON.stringify(ids), author, at }),
    remove: (kind, ids) => remove.send(kind, JSON.stringify(ids)),
  }
}

/** Lists the groups of names that are hidden from the variants; the ids of each in ascending order. */
export function createDismissalList(db: Database): (kind: NameKind) => Promise<readonly (readonly number[])[]> {
  const list = db.query<{ ids: string }, [string]>('SELECT ids FROM dismissed_variant WHERE kind = ? ORDER BY ids')
  return async (kind) => (await list.all(kind)).map(({ ids }): number[] => JSON.parse(ids))
}
