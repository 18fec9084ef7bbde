import { defaultOrder } from '../../../record/query/ordering.ts'
import type {
  CategoryHead,
  CategoryRow,
  Initial,
  InitialsQuery,
  LanguageRow,
  VocabularyName,
  VocabularyQuery,
  VocabularyRows,
} from '../../../record/query/vocabulary.ts'
import type { Visibility } from '../../../record/state.ts'
import { toFolded } from '../../../record/text/fold.ts'
import { otherInitial, toInitial, toWordStartTest } from '../../../record/text/words.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import { textFacets } from '../../derive/derived-rows.ts'
import { toOrderSql } from '../list/list-sql.ts'
import { createMemo } from '../memo.ts'
import { createLookup, createStatements, type Statements, toChunks } from '../statements.ts'
import { compareNames, compareUse, createMatchingNames, type MatchingName, type NameIndexes } from './matching-names.ts'

/**
 * Lists of categories, speakers, tags and languages. Callers that see only live records get no entries that only drafts
 * use. Counts come from the columns once these are loaded (decision 43).
 */
export interface Vocabulary {
  list(query: VocabularyQuery): Promise<VocabularyRows>
  /** In the order of the alphabet, `other` last. */
  listInitials(query: InitialsQuery): Promise<readonly Initial[]>
}

export function createVocabulary(
  db: Database,
  changesCounter: () => number,
  onStep: () => void = () => undefined,
  indexes: NameIndexes | null = null,
): Vocabulary {
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = changesCounter()
  const prepare = createStatements(db, onStep)
  const counts = createMemo<number>(() => changes)
  const textRows = createMemo<readonly LanguageRow[]>(() => changes)
  const matches = createMemo<Float64Array>(() => changes)
  const initials = createMemo<readonly Initial[]>(() => changes)
  const names = createMatchingNames(db, indexes, onStep)
  const toLookup = (kind: string) =>
    createLookup<NamedRow, number>(db, (ids) => `SELECT id, name, slug FROM ${kind} WHERE id IN ${ids}`)
  const nameRows = { speaker: toLookup('speaker'), tag: toLookup('tag') }

  async function findColumns(): Promise<RecordColumns | null> {
    await indexes?.columns.refresh()
    return indexes?.columns.isComplete() ? indexes.columns : null
  }

  /** All entries, in alphabetical order. */
  async function readAll(query: VocabularyQuery): Promise<VocabularyRows> {
    const { kind, visibility, pageSize } = query
    const sql = toAllSql(kind, visibility)
    const loaded = kind === 'speaker' || kind === 'tag' ? await findColumns() : null
    const count = await counts(JSON.stringify([kind, visibility]), async () => {
      if (loaded !== null && (kind === 'speaker' || kind === 'tag')) return loaded.countNames(kind, visibility)
      return (await prepare<{ n: number }>(`SELECT count(*) AS n FROM (${sql}) AS found`).get())?.n ?? 0
    })
    const page = toPageNumber(query, count)
    const rows = prepare<NamedRow>(`${sql} LIMIT ? OFFSET ?`)
    const found = (page - 1) * pageSize < count ? await rows.all(pageSize, (page - 1) * pageSize) : []
    return { count, page, rows: await toRows(query, found) }
  }

  async function toRows({ kind, visibility }: VocabularyQuery, found: readonly NamedRow[]) {
    if (kind !== 'speaker' && kind !== 'tag') {
      const rows: CategoryRow[] = []
      for (const { id } of found) {
        const ids = await listCategoryIds(prepare, id, visibility)
        rows.push({ ...(await readCategoryRow(prepare, id)), ids })
      }
      return rows
    }
    const ids = found.map(({ id }) => id)
    const counted = await names.count(kind, visibility, ids)
    return found.map((row): VocabularyName => ({ ...row, count: counted.get(row.id) ?? 0 }))
  }

  async function findMatches(query: VocabularyQuery): Promise<Float64Array> {
    const { kind, visibility, prefix, initial } = query
    const begins = toWordStartTest(prefix)
    if (kind !== 'speaker' && kind !== 'tag') {
      return Float64Array.from(await findCategories(prepare, await findColumns(), visibility, begins))
    }
    const test = (key: string) => (initial === undefined || toInitial(key) === initial) && begins(key)
    const matching = await names.list(kind, visibility, test)
    const found = query.hasOneSpelling === true ? toOneOfEachKey(matching) : matching
    return Float64Array.from(found.sort(toOrder(query) === 'use' ? compareUse : compareNames), ({ id }) => id)
  }

  /** Entries with a word that begins with a text, or with an initial. */
  async function readMatching(query: VocabularyQuery): Promise<VocabularyRows> {
    const { kind, visibility, prefix, initial = '', pageSize, hasOneSpelling = false } = query
    const key = JSON.stringify([kind, visibility, prefix, initial, toOrder(query), hasOneSpelling])
    const ids = await matches(key, () => findMatches(query))
    const page = toPageNumber(query, ids.length)
    const wanted = [...ids.subarray((page - 1) * pageSize, page * pageSize)]
    const found = new Map<number, NamedRow>(wanted.map((id) => [id, { id, name: '', slug: '' }]))
    if (kind === 'speaker' || kind === 'tag') {
      for await (const chunk of toChunks(wanted)) for (const row of await nameRows[kind](chunk)) found.set(row.id, row)
    }
    return { count: ids.length, page, rows: await toRows(query, [...found.values()]) }
  }

  async function read(query: VocabularyQuery): Promise<VocabularyRows> {
    const { kind, visibility, prefix, initial } = query
    const text = textFacets[kind]
    const isAll = prefix === '' && initial === undefined && toOrder(query) === 'name'
    if (text === undefined) return isAll ? readAll(query) : readMatching(query)
    const all = await textRows(JSON.stringify([kind, visibility]), async () => {
      const loaded = await findColumns()
      return loaded === null ? readTexts(prepare, text, visibility) : loaded.listLanguages(visibility)
    })
    return toTextPage(query, all)
  }

  async function findInitials({ kind, visibility, hasOneSpelling = false }: InitialsQuery): Promise<Initial[]> {
    const keys = (await names.list(kind, visibility, () => true)).map(({ key }) => key)
    return countInitials(hasOneSpelling ? [...new Set(keys)] : keys)
  }

  function inSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    changes = changesCounter()
    return db.transaction('read', work)
  }
  return {
    list: (query) => inSnapshot(() => read(query)),
    listInitials: (query) => inSnapshot(() => initials(JSON.stringify(query), () => findInitials(query))),
  }
}

type NamedRow = Omit<VocabularyName, 'count'>

/** The most used name of each key. */
function toOneOfEachKey(names: readonly MatchingName[]): MatchingName[] {
  const best = new Map<string, MatchingName>()
  for (const name of names) {
    const known = best.get(name.key)
    if (known === undefined || compareUse(name, known) < 0) best.set(name.key, name)
  }
  return [...best.values()]
}

const toOrder = ({ order, prefix }: VocabularyQuery) => order ?? (prefix === '' ? 'name' : 'use')

const toPageNumber = ({ page, pageSize }: VocabularyQuery, count: number) =>
  page === 'last' ? Math.max(1, Math.ceil(count / pageSize)) : page

/** The values of a text column of `listing`, with their counts. */
function readTexts(prepare: Statements, text: string, visibility: Visibility): Promise<LanguageRow[]> {
  const sql = `
    SELECT ${text} AS name, count(*) AS count FROM listing WHERE ${text} <> ''${andVisible(visibility)}
    GROUP BY ${text} ORDER BY ${text}`
  return prepare<LanguageRow>(sql).all()
}

/** A few hundred at most, so they are filtered and paged here. */
function toTextPage(query: VocabularyQuery, all: readonly LanguageRow[]): VocabularyRows {
  const { prefix, pageSize } = query
  const begins = toWordStartTest(prefix)
  const matching = all.filter(({ name }) => begins(toFolded(name)))
  const found = prefix === '' ? matching : matching.sort((a, b) => b.count - a.count)
  const page = toPageNumber(query, found.length)
  return { count: found.length, page, rows: found.slice((page - 1) * pageSize, page * pageSize) }
}

const andVisible = (visibility: Visibility) => (visibility === 'all' ? '' : ' AND listing.state = 1')

/**
 * A category is public if it has a live record or was created on its own (decision 31). One that was merged into another is
 * shown only if it has records again (decision 52).
 */
export function isShownSql(visibility: Visibility): string {
  const has = `EXISTS (SELECT 1 FROM listing WHERE category_id = category.id${andVisible(visibility)})`
  if (visibility === 'all') return `(merged_into IS NULL OR ${has})`
  return `((listed = 1 AND merged_into IS NULL) OR ${has})`
}

function toAllSql(kind: VocabularyQuery['kind'], visibility: Visibility): string {
  if (kind === 'category') {
    return `SELECT id, title AS name, slug FROM category WHERE ${isShownSql(visibility)} ORDER BY slug`
  }
  const has = `EXISTS (SELECT 1 FROM record_${kind} AS link JOIN listing ON listing.id = link.record_id
    WHERE link.${kind}_id = ${kind}.id${andVisible(visibility)})`
  return `SELECT id, name, slug FROM ${kind} WHERE ${has} ORDER BY key, name`
}

/** The most used first, then by slug. A few hundred, so titles are folded here. */
async function findCategories(
  prepare: Statements,
  columns: RecordColumns | null,
  visibility: Visibility,
  test: (key: string) => boolean,
): Promise<number[]> {
  const all = await prepare<NamedRow>(toAllSql('category', visibility)).all()
  const found: { id: number; count: number }[] = []
  for (const { id } of all.filter(({ name }) => test(toFolded(name)))) {
    const count = columns?.countOf('category', id, visibility) ?? (await countCategory(prepare, id, visibility))
    found.push({ id, count })
  }
  return found.sort((a, b) => b.count - a.count).map(({ id }) => id)
}

export async function readCategoryRow(prepare: Statements, id: number): Promise<CategoryHead> {
  const columns = 'title, slug, description, url, start_date, end_date, place, series, whiteboard, added'
  const category = await prepare<CategoryHead>(`SELECT ${columns} FROM category WHERE id = ?`).get(id)
  if (category === null) throw new Error('a category vanished within a transaction')
  return category
}

/** The ids of a category's records in the default order of lists. */
export async function listCategoryIds(prepare: Statements, id: number, visibility: Visibility): Promise<number[]> {
  const sql = `SELECT id FROM listing WHERE category_id = ?${andVisible(visibility)} ORDER BY ${toOrderSql(defaultOrder)}`
  return (await prepare<{ id: number }>(sql).all(id)).map((row) => row.id)
}

export async function countCategory(prepare: Statements, id: number, visibility: Visibility): Promise<number> {
  const sql = `SELECT count(*) AS count FROM listing WHERE category_id = ?${andVisible(visibility)}`
  return (await prepare<{ count: number }>(sql).get(id))?.count ?? 0
}

/** The initials of folded names, in the order of the alphabet, `other` last. */
export function countInitials(keys: readonly string[]): Initial[] {
  const counted = new Map<string, number>()
  for (const key of keys) {
    const initial = toInitial(key)
    counted.set(initial, (counted.get(initial) ?? 0) + 1)
  }
  const rank = ({ initial }: Initial) => (initial === otherInitial ? 1 : 0)
  return [...counted]
    .map(([initial, count]) => ({ initial, count }))
    .sort((a, b) => rank(a) - rank(b) || compareCodePoints(a.initial, b.initial))
}
