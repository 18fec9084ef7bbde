import type { EntryKind, NameKind } from '../../../record/name.ts'
import { parkedBit } from '../../../record/quality/finding-codes.ts'
import type { VocabularyName } from '../../../record/query/vocabulary.ts'
import { fromBody } from '../../../record/record.ts'
import { live } from '../../../record/state.ts'
import { toFolded } from '../../../record/text/fold.ts'
import { toInitial, toWordStartTest } from '../../../record/text/words.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { Database } from '../../database.ts'
import type { Example, NameLine, NameLines, NameLinesQuery } from '../../name-reads.ts'
import type { SlowReads } from '../../store.ts'
import type { VersionedKind } from '../../write/field-versions.ts'
import { createLookup, toChunks } from '../statements.ts'
import { compareUse, createMatchingNames, type NameIndexes } from './matching-names.ts'
import { countInitials, type Vocabulary } from './vocabulary.ts'

/** Lists names with the details that curators need. */
export function createNameLines(
  db: Database,
  vocabulary: Vocabulary,
  onStep: () => void,
  indexes: NameIndexes | null,
): SlowReads['listNameLines'] {
  const names = createMatchingNames(db, indexes, onStep)
  const aliases = { speaker: createAliasLists(db, 'speaker'), tag: createAliasLists(db, 'tag') }
  const listCategories = createCategoryLines(db, onStep, indexes)

  async function list(kind: NameKind, { initial, ...query }: NameLinesQuery): Promise<NameLines> {
    const wanted = { ...query, kind, visibility: 'all', ...(initial === null ? {} : { initial }) } as const
    const { count, page, rows } = await vocabulary.list(wanted)
    const initials = await vocabulary.listInitials({ kind, visibility: 'all' })
    // The lists of speakers and tags have rows of this type.
    const lines = await db.transaction('read', () => toLines(kind, rows as readonly VocabularyName[]))
    return { count, page, lines, initials }
  }

  async function toLines(kind: NameKind, rows: readonly VocabularyName[]): Promise<NameLine[]> {
    const ids = rows.map(({ id }) => id)
    const live = await names.count(kind, 'live', ids)
    const others = await aliases[kind](ids)
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, slug: row.slug, count: row.count },
      live: live.get(row.id) ?? 0,
      aliases: others.get(row.id) ?? [],
    }))
  }

  const addFields = createLineFields(db)
  return async (query) => {
    const found = await (query.kind === 'category' ? listCategories(query) : list(query.kind, query))
    return query.hasFields ? { ...found, lines: await addFields(query.kind, found.lines) } : found
  }
}

/** The newest version of each has its fields. */
function createLineFields(db: Database) {
  const prepare = (kind: VersionedKind) =>
    createLookup<{ id: number; body: string }, number>(
      db,
      (ids) => `SELECT ${kind}_id AS id, body FROM ${kind}_version AS said WHERE ${kind}_id IN ${ids}
        AND number = (SELECT max(number) FROM ${kind}_version WHERE ${kind}_id = said.${kind}_id)`,
    )
  const lookUp = { category: prepare('category'), speaker: prepare('speaker') }
  return async (kind: EntryKind, lines: readonly NameLine[]): Promise<readonly NameLine[]> => {
    if (kind === 'tag') return lines
    const known = new Map<number, NameLine['fields']>()
    for await (const chunk of toChunks(lines.map(({ id }) => id))) {
      // The column was written by us, or checked by the import of a dump.
      for (const { id, body } of await lookUp[kind](chunk)) known.set(id, JSON.parse(body))
    }
    return lines.map((line) => ({ ...line, fields: known.get(line.id) ?? {} }))
  }
}

/** Aliases may have aliases; a longer chain is damaged, and is cut. */
const maxDepth = 20

/** The aliases of each entry, a level of aliases at a time. */
function createAliasLists(db: Database, kind: NameKind) {
  type Row = { readonly id: number; readonly name: string; readonly target: number }
  const lookUp = createLookup<Row, number>(
    db,
    (ids) => `SELECT id, name, merged_into AS target FROM ${kind} WHERE merged_into IN ${ids}`,
  )
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, string[]>()
    /** The current entry of each alias of this level. */
    let level = new Map(ids.map((id) => [id, id]))
    for (let depth = 0; level.size > 0 && depth < maxDepth; depth++) {
      const next = new Map<number, number>()
      for await (const chunk of toChunks(level.keys())) {
        for (const { id, name, target } of await lookUp(chunk)) {
          const entry = level.get(target) ?? target
          next.set(id, entry)
          found.set(entry, [...(found.get(entry) ?? []), name])
        }
      }
      level = next
    }
    for (const list of found.values()) list.sort(compareCodePoints)
    return found
  }
}

interface Row {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly target: number | null
  /** 1: created on its own, not for a record. */
  readonly listed: number
}

type KeyedLine = NameLine & { readonly key: string }

/** Lists categories as other names. There are a few hundred, so they are sorted and paged here. */
function createCategoryLines(db: Database, onStep: () => void, indexes: NameIndexes | null) {
  const listRows = db.query<Row, []>('SELECT id, title AS name, slug, merged_into AS target, listed FROM category')
  const listInUse = db.query<{ id: number }, []>(
    `SELECT DISTINCT category_id AS id FROM listing WHERE state = ${live} OR (quality & ${parkedBit}) = 0`,
  )
  const listCounts = db.query<{ id: number; state: number; count: number }, []>(
    'SELECT category_id AS id, state, count(*) AS count FROM listing GROUP BY category_id, state',
  )

  /** How many records a category has, and how many live ones. */
  async function createCounts(): Promise<(id: number) => readonly [count: number, live: number]> {
    await indexes?.columns.refresh()
    const columns = indexes?.columns.isComplete() ? indexes.columns : null
    if (columns !== null)
      return (id) => [columns.countOf('category', id, 'all'), columns.countOf('category', id, 'live')]
    const counts = new Map<number, [number, number]>()
    for (const { id, state, count } of await listCounts.all()) {
      const [all, liveCount] = counts.get(id) ?? [0, 0]
      counts.set(id, [all + count, state === live ? count : liveCount])
    }
    return (id) => counts.get(id) ?? [0, 0]
  }

  /** The undo of a table sets its drafts aside; an event that only they need is not worth a line. */
  async function dropUnused(rows: readonly Row[], lines: readonly KeyedLine[]): Promise<readonly KeyedLine[]> {
    const isAllDrafts = ({ count, live }: KeyedLine) => count > 0 && live === 0
    if (!lines.some(isAllDrafts)) return lines
    const used = new Set((await listInUse.all()).map(({ id }) => id))
    for (const { id, listed } of rows) if (listed === 1) used.add(id)
    return lines.filter((line) => !isAllDrafts(line) || used.has(line.id))
  }

  async function read({ slug, prefix, initial, order, page: wanted, pageSize }: NameLinesQuery): Promise<NameLines> {
    const rows = await listRows.all()
    const counted = toLines(rows, await createCounts())
    const all = slug === undefined ? await dropUnused(rows, counted) : counted
    onStep()
    const begins = toWordStartTest(prefix)
    const isFound = (line: KeyedLine) =>
      (slug === undefined || line.slug === slug) &&
      (initial === null || toInitial(line.key) === initial) &&
      begins(line.key)
    const found = all.filter(isFound)
    found.sort(order === 'use' ? compareUse : compareKeys)
    const page = wanted === 'last' ? Math.max(1, Math.ceil(found.length / pageSize)) : wanted
    const lines = found.slice((page - 1) * pageSize, page * pageSize).map(({ key: _, ...line }) => line)
    return { count: found.length, page, lines, initials: countInitials(all.map(({ key }) => key)) }
  }

  return (query: NameLinesQuery) => db.transaction('read', () => read(query))
}

/** A merged category is an alias, unless it has records again (decision 52). */
function toLines(rows: readonly Row[], countOf: (id: number) => readonly [number, number]): KeyedLine[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const aliases = Map.groupBy(
    rows.filter(({ target }) => target !== null),
    (row) => findEnd(row, byId),
  )
  return rows.flatMap(({ id, name, slug, target }) => {
    const [count, live] = countOf(id)
    if (target !== null && count === 0) return []
    const others = (aliases.get(id) ?? []).map((alias) => alias.name).sort(compareCodePoints)
    return [{ id, name, slug, count, live, aliases: others, key: toFolded(name) }]
  })
}

/** A damaged chain may be a loop. */
function findEnd(row: Row, byId: ReadonlyMap<number, Row>): number {
  const seen = new Set<number>()
  let end = row
  while (end.target !== null && !seen.has(end.id)) {
    seen.add(end.id)
    end = byId.get(end.target) ?? { ...end, target: null }
  }
  return end.id
}

const compareKeys = (a: KeyedLine, b: KeyedLine) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name)

/** Finds a few records of each name. */
export function createExamples(db: Database, onStep: () => void): SlowReads['listExamples'] {
  const prepare = (kind: NameKind) =>
    db.query<{ id: number }, [number, number]>(
      `SELECT DISTINCT record_id AS id FROM record_${kind} WHERE ${kind}_id = ? ORDER BY record_id DESC LIMIT ?`,
    )
  const listRecords = { speaker: prepare('speaker'), tag: prepare('tag') }
  const lookUp = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )

  async function readExamples(ids: Iterable<number>): Promise<ReadonlyMap<number, Example>> {
    const found = new Map<number, Example>()
    for await (const chunk of toChunks(ids)) {
      onStep()
      for (const { id, body } of await lookUp(chunk)) {
        const { title, category, recorded, state } = fromBody(body)
        found.set(id, { id, title, category, recorded, state })
      }
    }
    return found
  }

  return ({ kind, ids, limit }) =>
    db.transaction('read', async () => {
      const recordsOf = new Map<number, readonly number[]>()
      for (const id of new Set(ids)) {
        onStep()
        recordsOf.set(
          id,
          (await listRecords[kind].all(id, limit)).map((row) => row.id),
        )
      }
      const examples = await readExamples(new Set([...recordsOf.values()].flat()))
      const toExamples = (records: readonly number[]) => records.flatMap((id) => examples.get(id) ?? [])
      return new Map([...recordsOf].map(([id, records]) => [id, toExamples(records)]))
    })
}
