import { maxSelected, type Selection } from '../../../record/bulk.ts'
import type { CategoryFields } from '../../../record/category.ts'
import { type ChangedName, isChangedName } from '../../../record/companion/kinds.ts'
import { emptyProfile, type ProfileFields } from '../../../record/profile.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createMovedList } from '../../link/link-rows.ts'
import { createFilterResolver } from '../../read/names/current-entries.ts'
import { toCategoryFields } from '../category-rows.ts'
import type { VersionedKind } from '../field-versions.ts'

/** Ids in ascending order, and their number. If there are more than the limit, `ids` is empty. */
interface Selected {
  readonly ids: readonly number[]
  readonly count: number
}

/** The records that match filters, by SQL of the engine. */
export type FindMatches = (filters: Filters, limit: number) => Promise<Selected>

/** A version without its body. */
interface AuthoredStep {
  readonly number: number
  readonly author: string
  readonly at: Timestamp
  readonly changed: readonly ChangedName[]
}

/** The versions of an author in a period, both ends included. */
export type AuthorPeriod = Omit<Extract<Selection, { is: 'by' }>, 'is'>

/** A version of a category or speaker without its fields. */
export interface FieldStep {
  readonly number: number
  readonly author: string
  readonly at: Timestamp
  readonly changed: readonly string[]
}

/** The versions of categories, or of profiles of speakers. */
export interface FieldSteps<Fields> {
  /** The ids of those of which the author made a version in the period. */
  list(period: AuthorPeriod): Promise<number[]>
  /** The versions of one, from the author's first one in the period on. */
  listSteps(id: number, period: AuthorPeriod): Promise<FieldStep[]>
  /** Version 0 is what it was before anybody had changed it. */
  findVersion(id: number, number: number): Promise<Fields>
}

/** Which records and categories a bulk change is about. Call them within the writer's transaction. */
export interface SelectionRows {
  select(selection: Selection): Promise<Selected>
  /** Moved addresses that may be accepted, by record. */
  readonly listMoved: ReturnType<typeof createMovedList>
  /** The fields that changes after this seq have changed, by record. */
  listLater(seq: number): AsyncIterable<{ readonly id: number; readonly changed: readonly ChangedName[] }>
  /** The versions of a record, from the author's first one in the period on. */
  listSteps(id: number, period: AuthorPeriod): Promise<AuthoredStep[]>
  readonly categories: FieldSteps<CategoryFields>
  readonly profiles: FieldSteps<ProfileFields>
  /** Whether it has a record that the author did not create in the period. */
  isUsedByOthers(id: number, period: AuthorPeriod): Promise<boolean>
}

export const latestTime = '9999-12-31T23:59:59.999'

const byAuthor = 'author = ? AND at >= ? AND at <= ?'

type StepRow = Omit<AuthoredStep, 'changed'> & { readonly changed: string }
type FieldStepRow = Omit<FieldStep, 'changed'> & { readonly changed: string }

export function createSelectionRows(db: Database, findMatches: FindMatches): SelectionRows {
  // As in lists: the slug or id of an alias leads to its current entry.
  const resolve = createFilterResolver(db)
  const listBy = db.query<{ id: number }, [string, Timestamp, Timestamp, number]>(
    `SELECT DISTINCT record_id AS id FROM version WHERE ${byAuthor} ORDER BY record_id LIMIT ?`,
  )
  const countBy = db.query<{ n: number }, [string, Timestamp, Timestamp]>(
    `SELECT count(DISTINCT record_id) AS n FROM version WHERE ${byAuthor}`,
  )
  const listLater = db.query<{ id: number; changed: string }, [number]>(
    'SELECT record_id AS id, changed FROM version WHERE seq > ?',
  )
  const listSteps = db.query<StepRow, [number, number, string, Timestamp, Timestamp]>(
    `SELECT number, author, at, changed FROM version WHERE record_id = ? AND number >=
       (SELECT min(number) FROM version WHERE record_id = ? AND ${byAuthor}) ORDER BY number`,
  )
  const findOthersRecord = db.query<unknown, [number, string, Timestamp, Timestamp]>(
    `SELECT 1 FROM listing JOIN version ON record_id = listing.id AND number = 1
     WHERE category_id = ? AND NOT (version.author = ? AND at >= ? AND at <= ?) LIMIT 1`,
  )

  const listMoved = createMovedList(db)

  async function selectBy(period: AuthorPeriod): Promise<Selected> {
    const time = toTime(period)
    const rows = await listBy.all(...time, maxSelected + 1)
    if (rows.length <= maxSelected) return { ids: rows.map(({ id }) => id), count: rows.length }
    return { ids: [], count: (await countBy.get(...time))?.n ?? 0 }
  }

  async function selectMoved({ filters, urls }: Extract<Selection, { is: 'moved' }>): Promise<Selected> {
    const moved = await listMoved(urls)
    const all = filters === null ? null : await findMatches(await resolve({ ...filters, link: 'moved' }), maxSelected)
    if (all !== null && all.count > maxSelected) return all
    const ids = all === null ? [...moved.keys()] : all.ids.filter((id) => moved.has(id))
    return ids.length > maxSelected ? { ids: [], count: ids.length } : { ids, count: ids.length }
  }

  return {
    listMoved,
    async select(selection) {
      if (selection.is === 'ids') return { ids: selection.ids, count: selection.ids.length }
      if (selection.is === 'moved') return selectMoved(selection)
      return selection.is === 'by' ? selectBy(selection) : findMatches(await resolve(selection.filters), maxSelected)
    },
    async *listLater(seq) {
      for await (const { id, changed } of listLater.iterate(seq)) yield { id, changed: parseNames(changed) }
    },
    async listSteps(id, period) {
      const rows = await listSteps.all(id, id, ...toTime(period))
      return rows.map((row) => ({ ...row, changed: parseNames(row.changed) }))
    },
    categories: createFieldSteps(db, 'category', toCategoryFields),
    // The column was written by us, or checked by the import of a dump.
    profiles: createFieldSteps<ProfileFields>(db, 'speaker', JSON.parse, emptyProfile),
    isUsedByOthers: async (id, period) => (await findOthersRecord.get(id, ...toTime(period))) !== null,
  }
}

function createFieldSteps<Fields>(
  db: Database,
  kind: VersionedKind,
  parse: (body: string) => Fields,
  first?: Fields,
): FieldSteps<Fields> {
  const versions = `FROM ${kind}_version WHERE`
  const list = db.query<{ id: number }, [string, Timestamp, Timestamp]>(
    `SELECT DISTINCT ${kind}_id AS id ${versions} ${byAuthor} ORDER BY ${kind}_id`,
  )
  const listSteps = db.query<FieldStepRow, [number, number, string, Timestamp, Timestamp]>(
    `SELECT number, author, at, changed ${versions} ${kind}_id = ? AND number >=
       (SELECT min(number) ${versions} ${kind}_id = ? AND ${byAuthor}) ORDER BY number`,
  )
  const findBody = db.query<{ body: string }, [number, number]>(`SELECT body ${versions} ${kind}_id = ? AND number = ?`)
  return {
    list: async (period) => (await list.all(...toTime(period))).map(({ id }) => id),
    async listSteps(id, period) {
      const rows = await listSteps.all(id, id, ...toTime(period))
      return rows.map((row) => ({ ...row, changed: JSON.parse(row.changed) }))
    },
    async findVersion(id, number) {
      if (number === 0 && first !== undefined) return first
      const row = await findBody.get(id, number)
      if (row === null) throw new Error(`version ${number} of ${kind} ${id} is missing`)
      return parse(row.body)
    },
  }
}

const toTime = ({ author, since, until }: AuthorPeriod) => [author, since, until ?? latestTime] as const

const parseNames = (changed: string) => (JSON.parse(changed) as string[]).filter(isChangedName)

/** Distinguishes selections with the same number of records. */
export function toIdsHash(ids: readonly number[]): string {
  return new Bun.CryptoHasher('sha256').update(ids.join()).digest('base64url')
}
