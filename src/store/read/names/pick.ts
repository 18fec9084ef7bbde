import type { EntryKind, NameKind } from '../../../record/name.ts'
import type { PickedName, PickKind, PickQuery } from '../../../record/query/completion.ts'
import { toFolded } from '../../../record/text/fold.ts'
import { isOfRun } from '../../../record/text/search-text.ts'
import { isWordCode, toWordStartTest } from '../../../record/text/words.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import { entryKinds, type NameIndex } from '../../completion/name-index.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'
import { toEndSql } from '../../write/names/name-entries.ts'
import { createMemo } from '../memo.ts'
import { createMatchingNames, type NameIndexes } from './matching-names.ts'

/** A matching name, and the folded text that matched: its own or that of an alias. */
interface Candidate extends PickedName {
  readonly id: number
  readonly key: string
}

/** A name that was merged into another, or any category. */
interface Row {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly target: number | null
}

type Counts = (ids: readonly number[]) => Promise<ReadonlyMap<number, number>>

/** Suggests names of speakers, tags and categories. An alias suggests the name that it was merged into (decision 52). */
export function createNamePicker(
  db: Database,
  changesCounter: () => number,
  onStep: () => void,
  indexes: NameIndexes | null,
): SlowReads['pickNames'] {
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = changesCounter()
  const names = createMatchingNames(db, indexes, onStep)
  const rows = createMemo<readonly Row[]>(() => changes)
  const picked = createMemo<readonly PickedName[]>(() => changes)
  const countCategories = createCategoryCounts(db, indexes)
  const listByKeys = indexes === null ? null : createNameKeys(indexes.names)

  /** Aliases of speakers and tags, or all categories: a few hundred. */
  const readRows = (kind: PickKind) =>
    rows(kind, async () => {
      const found = await db.query<Omit<Row, 'key'>, []>(toRowsSql(kind)).all()
      return found.map((row) => ({ ...row, key: toFolded(row.name) }))
    })

  /** The current names of aliases. */
  async function listTargets(kind: PickKind, matching: readonly Row[], count: Counts): Promise<Candidate[]> {
    const find = db.query<{ id: number; name: string }, [number]>(toTargetSql(kind))
    const found: Candidate[] = []
    for (const { id, name, key } of matching) {
      onStep()
      const target = await find.get(id)
      if (target === null || target.id === id) continue
      const counted = (await count([target.id])).get(target.id) ?? 0
      found.push({ id: target.id, text: target.name, count: counted, alias: name, key })
    }
    return found
  }

  async function listCategories(test: (key: string) => boolean): Promise<Candidate[]> {
    const matching = (await readRows('category')).filter(({ key }) => test(key))
    const counts = await countCategories(matching.map(({ id }) => id))
    return matching
      .filter(({ id, target }) => target === null || (counts.get(id) ?? 0) > 0)
      .map(({ id, name, key }) => ({ id, text: name, key, count: counts.get(id) ?? 0, alias: null }))
  }

  async function list({ kind, prefix, limit }: PickQuery): Promise<readonly PickedName[]> {
    const test = toWordStartTest(prefix)
    const isMerged = ({ key, target }: Row) => prefix !== '' && target !== null && test(key)
    const aliases = (await readRows(kind)).filter(isMerged).slice(0, maxAliases)
    const own = kind === 'category' ? await listCategories(test) : await listNames(kind, prefix, test)
    const count: Counts = kind === 'category' ? countCategories : (ids) => names.count(kind, 'all', ids)
    const all = [...own, ...(await listTargets(kind, aliases, count))]
    return takeBest(all, prefix, limit).map(({ text, count, alias }) => ({ text, count, alias }))
  }

  /** From memory once all names are there, else from the tables. */
  async function listNames(kind: NameKind, prefix: string, test: (key: string) => boolean): Promise<Candidate[]> {
    const loaded = await findLoaded(indexes)
    if (loaded !== null && listByKeys !== null) {
      return toCandidates(loaded, kind, listByKeys(kind, prefix))
    }
    const found = await names.list(kind, 'all', test)
    return found.map(({ id, name, key, count }) => ({ id, text: name, key, count, alias: null }))
  }

  return (query) => {
    changes = changesCounter()
    return db.transaction('read', () => picked(JSON.stringify(query), () => list(query)))
  }
}

async function findLoaded(indexes: NameIndexes | null): Promise<NameIndexes | null> {
  await indexes?.columns.refresh()
  await indexes?.nameLoader.catchUp()
  return indexes?.columns.isComplete() && indexes.nameLoader.isComplete() ? indexes : null
}

/** Names without records are left out. */
function toCandidates({ columns, names }: NameIndexes, kind: NameKind, numbers: readonly number[]) {
  const found: Candidate[] = []
  for (const number of numbers) {
    const name = names.get(number)
    const count = name === undefined ? 0 : columns.countOf(kind, name.id, 'all')
    if (name !== undefined && count > 0) found.push({ id: name.id, text: name.text, key: name.key, count, alias: null })
  }
  return found
}

/** A text that matches more aliases than this is too unspecific for them to help. */
const maxAliases = 20

function toRowsSql(kind: PickKind): string {
  if (kind === 'category') return 'SELECT id, title AS name, merged_into AS target FROM category'
  return `SELECT id, name, merged_into AS target FROM ${kind} WHERE merged_into IS NOT NULL ORDER BY id`
}

function toTargetSql(kind: PickKind): string {
  return `SELECT id, ${kind === 'category' ? 'title' : 'name'} AS name FROM ${kind} WHERE id IN (${toEndSql(kind)})`
}

/** Counted in the columns once these are loaded (decision 43). */
function createCategoryCounts(db: Database, indexes: NameIndexes | null): Counts {
  const countAll = db.query<{ id: number; count: number }, []>(
    'SELECT category_id AS id, count(*) AS count FROM listing GROUP BY category_id',
  )
  return async (ids) => {
    await indexes?.columns.refresh()
    const columns = indexes?.columns.isComplete() ? indexes.columns : null
    if (columns !== null) return new Map(ids.map((id) => [id, columns.countOf('category', id, 'all')]))
    return new Map((await countAll.all()).map(({ id, count }) => [id, count]))
  }
}

/** The whole name, then names that begin with the text, then those with a word that does. */
function toRank(key: string, prefix: string): number {
  if (key === prefix) return 0
  return key.startsWith(prefix) ? 1 : 2
}

/** The best, each name once; in one pass, because thousands of names may begin with a letter. */
function takeBest(all: readonly Candidate[], prefix: string, limit: number): Candidate[] {
  const compare = (a: Candidate, b: Candidate) =>
    toRank(a.key, prefix) - toRank(b.key, prefix) || b.count - a.count || compareCodePoints(a.text, b.text)
  const best: Candidate[] = []
  for (const candidate of all) {
    const last = best[limit - 1]
    if (last !== undefined && compare(candidate, last) >= 0) continue
    const same = best.findIndex(({ id }) => id === candidate.id)
    if (same >= 0 && compare(best[same] ?? candidate, candidate) <= 0) continue
    if (same >= 0) best.splice(same, 1)
    const index = best.findIndex((other) => compare(candidate, other) < 0)
    best.splice(index < 0 ? best.length : index, 0, candidate)
    if (best.length > limit) best.pop()
  }
  return best
}

/** The folded texts of all names of a kind, concatenated. */
interface Keys {
  readonly revision: number
  readonly text: string
  /** The offset of each text, and its number. */
  readonly starts: Int32Array
  readonly numbers: Int32Array
}

/** Occurs in no name. */
const separator = '\u0000'

/**
 * Finds names by the beginning of any of their words, as `toWordStartTest` does. One search through one long string
 * takes a fraction of the time of one test per name; the string is rebuilt after a name has changed.
 */
export function createNameKeys(names: NameIndex): (kind: EntryKind, part: string) => number[] {
  const known = new Map<EntryKind, Keys>()

  function ensureKeys(kind: EntryKind): Keys {
    const found = known.get(kind)
    if (found?.revision === names.revision()) return found
    const keys = readKeys(names, kind)
    known.set(kind, keys)
    return keys
  }

  return (kind, part) => {
    const { text, starts, numbers } = ensureKeys(kind)
    if (part === '' || part.includes(separator)) return part === '' ? [...numbers] : []
    const isAnywhere = isOfRun(part)
    const found: number[] = []
    let entry = 0
    for (let offset = text.indexOf(part); offset >= 0; offset = text.indexOf(part, offset + 1)) {
      if (!isAnywhere && isWordCode(text, offset - 1)) continue
      while ((starts[entry + 1] ?? text.length) <= offset) entry++
      const number = numbers[entry] ?? 0
      if (found.at(-1) !== number) found.push(number)
    }
    return found
  }
}

function readKeys(names: NameIndex, kind: EntryKind): Keys {
  const revision = names.revision()
  const wanted = entryKinds.indexOf(kind)
  const { kinds } = names.arrays()
  const [texts, starts, numbers]: [string[], number[], number[]] = [[], [], []]
  let length = separator.length
  for (let number = 0; number < names.end(); number++) {
    const key = kinds[number] === wanted ? names.get(number)?.key : undefined
    if (key === undefined) continue
    texts.push(key)
    starts.push(length)
    numbers.push(number)
    length += key.length + separator.length
  }
  const text = `${separator}${texts.join(separator)}${separator}`
  return { revision, text, starts: Int32Array.from(starts), numbers: Int32Array.from(numbers) }
}
