import type { NameKind } from '../../../record/name.ts'
import type { Visibility } from '../../../record/state.ts'
import { toFolded } from '../../../record/text/fold.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import { entryKinds } from '../../completion/name-index.ts'
import type { Database } from '../../database.ts'
import type { MemoryIndexes } from '../../search/memory-indexes.ts'
import { createLookup, maxLookup, toChunks } from '../statements.ts'

/** A speaker or tag that the caller sees. */
export interface MatchingName {
  readonly id: number
  readonly name: string
  /** The folded name. */
  readonly key: string
  readonly count: number
}

export type NameIndexes = Pick<MemoryIndexes, 'columns' | 'names' | 'nameLoader'>

interface MatchingNames {
  /** The names whose folded form passes the test, in no particular order. */
  list(kind: NameKind, visibility: Visibility, test: (key: string) => boolean): Promise<MatchingName[]>
  /** How many records with each of these names the caller sees. */
  count(kind: NameKind, visibility: Visibility, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** Tests and counts names in memory once all are loaded; before that, reads them from the tables. */
export function createMatchingNames(db: Database, indexes: NameIndexes | null, onStep: () => void): MatchingNames {
  const countBySql = createSqlCounts(db, onStep)
  const toAllNames = (kind: NameKind) => db.query<{ id: number; name: string }, []>(`SELECT id, name FROM ${kind}`)
  const allNames = { speaker: toAllNames('speaker'), tag: toAllNames('tag') }

  async function count(kind: NameKind, visibility: Visibility, ids: readonly number[]) {
    await indexes?.columns.refresh()
    if (!indexes?.columns.isComplete()) return countBySql(kind, visibility, ids)
    return new Map(ids.map((id) => [id, indexes.columns.countOf(kind, id, visibility)]))
  }

  async function listBySql(kind: NameKind, visibility: Visibility, test: (key: string) => boolean) {
    const found: Omit<MatchingName, 'count'>[] = []
    for await (const { id, name } of allNames[kind].iterate()) {
      onStep()
      const key = toFolded(name)
      if (test(key)) found.push({ id, name, key })
    }
    const ids = found.map(({ id }) => id)
    const counts = await count(kind, visibility, ids)
    return found.map((each) => ({ ...each, count: counts.get(each.id) ?? 0 })).filter((each) => each.count > 0)
  }

  return {
    count,
    async list(kind, visibility, test) {
      if (indexes === null) return listBySql(kind, visibility, test)
      await indexes.columns.refresh()
      await indexes.nameLoader.catchUp()
      const isLoaded = indexes.columns.isComplete() && indexes.nameLoader.isComplete()
      return isLoaded ? listInMemory(indexes, kind, visibility, test) : listBySql(kind, visibility, test)
    },
  }
}

function listInMemory(
  { columns, names }: NameIndexes,
  kind: NameKind,
  visibility: Visibility,
  test: (key: string) => boolean,
): MatchingName[] {
  const { kinds, ids } = names.arrays()
  const wanted = entryKinds.indexOf(kind)
  const found: MatchingName[] = []
  for (let number = 0; number < names.end(); number++) {
    if (kinds[number] !== wanted) continue
    const name = names.get(number)
    if (name === undefined || !test(name.key)) continue
    const id = ids[number] ?? 0
    const count = columns.countOf(kind, id, visibility)
    if (count > 0) found.push({ id, name: name.text, key: name.key, count })
  }
  return found
}

/** Counting all names at once takes less time than looking up the records of more. */
const maxLookedUp = 8 * maxLookup

function createSqlCounts(db: Database, onStep: () => void) {
  type CountRow = { readonly id: number; readonly count: number }
  const toSql = (kind: NameKind, condition: string) =>
    `SELECT ${kind}_id AS id, count(*) AS count FROM record_${kind} JOIN listing ON listing.id = record_id
     WHERE ${condition} GROUP BY ${kind}_id`
  const createCounts = (kind: NameKind, visible: string) => ({
    all: db.query<CountRow, []>(toSql(kind, visible)),
    lookUp: createLookup<CountRow, number>(db, (ids) => toSql(kind, `${kind}_id IN ${ids} AND ${visible}`)),
  })
  const createBoth = (kind: NameKind) => ({ all: createCounts(kind, 'TRUE'), live: createCounts(kind, 'state = 1') })
  const counters = { speaker: createBoth('speaker'), tag: createBoth('tag') }

  return async (kind: NameKind, visibility: Visibility, ids: readonly number[]) => {
    const { all, lookUp } = counters[kind][visibility]
    const counts = new Map<number, number>()
    if (ids.length > maxLookedUp) for await (const { id, count } of all.iterate()) counts.set(id, count)
    else {
      for await (const chunk of toChunks(ids)) for (const { id, count } of await lookUp(chunk)) counts.set(id, count)
    }
    onStep()
    return counts
  }
}

/** By their folded forms, as in lists of all names. */
export function compareNames(a: MatchingName, b: MatchingName): number {
  return compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name)
}

/** The most used first. */
export const compareUse = (a: MatchingName, b: MatchingName) => b.count - a.count || compareNames(a, b)
