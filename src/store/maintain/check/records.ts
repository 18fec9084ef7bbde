import { checkBody } from '../../../record/check-body.ts'
import type { NameKind } from '../../../record/name.ts'
import type { VideoRecord } from '../../../record/record.ts'
import { toSortKey } from '../../../record/text/fold.ts'
import type { Database } from '../../database.ts'
import { type Listed, type ListingValue, listingColumns, toListingRow } from '../../derive/derived-rows.ts'
import { listWrongAliases } from '../../derive/former-paths.ts'
import { createLookup, toChunks } from '../../read/statements.ts'
import type { StoredRecord } from '../../store.ts'
import { toEndSql } from '../../write/names/name-entries.ts'
import { isChecksum, type NewestVersion, newestSql, toVersionTag } from '../../write/version-rows.ts'
import { createSteps, type OnStep, type StoreProblem } from './problem.ts'

type RecordRow = StoredRecord & { readonly slug: string }

/** Compares the words of records with the search index, which differs between the engines. */
export interface WordCheck {
  /** Adds records whose words must be in the index; yields the problems found so far. */
  expect(records: readonly VideoRecord[]): AsyncIterable<StoreProblem> | Iterable<StoreProblem>
  /** Yields the problems that only show after all records. */
  compare(): AsyncIterable<StoreProblem> | Iterable<StoreProblem>
}

/** Checks that each record matches its newest version, and everything derived from it matches its body. */
export async function* checkRecords(db: Database, words: WordCheck, onStep: OnStep): AsyncGenerator<StoreProblem> {
  const rows = db.query<RecordRow, []>(
    'SELECT id, version, mark AS "versionTag", state, slug, updated, body FROM record ORDER BY id',
  )
  const findNewest = createLookup<NewestVersion, number>(db, newestSql)
  const step = createSteps(
    (await db.query<{ n: number }, []>('SELECT count(*) AS n FROM record').get())?.n ?? 0,
    onStep,
  )
  const checkDerived = createDerivedCheck(db)
  for await (const chunk of toChunks(rows.iterate(), ({ body }) => body.length)) {
    const newest = new Map((await findNewest(chunk.map(({ id }) => id))).map((row) => [row.id, row]))
    const records: { readonly record: VideoRecord; readonly author: string }[] = []
    for (const row of chunk) {
      yield* compareNewest(row, newest.get(row.id) ?? null)
      const judged = checkBody(row.body)
      const { record } = judged
      if (!judged.ok) yield { id: row.id, what: judged.problem }
      if (record !== null) yield* compareColumns(row, record)
      if (record !== null) records.push({ record, author: newest.get(row.id)?.author ?? '' })
      step()
    }
    yield* checkDerived(records)
    yield* words.expect(records.map(({ record }) => record))
  }
  yield* words.compare()
}

function* compareNewest(
  { id, version, versionTag, body }: RecordRow,
  newest: NewestVersion | null,
): Generator<StoreProblem> {
  if (newest === null) return yield { id, what: 'it has no version' }
  const { version: number, checksum } = newest
  if (number !== version) yield { id, what: `its row has version ${version}, but the newest is ${number}` }
  if (versionTag !== toVersionTag(number, checksum)) yield { id, what: `its ETag is not that of version ${number}` }
  if (!Buffer.from(newest.body).equals(body)) yield { id, what: `its bytes are not those of version ${number}` }
}

function* compareColumns(row: RecordRow, record: VideoRecord): Generator<StoreProblem> {
  for (const name of ['id', 'state', 'slug', 'updated'] as const) {
    if (row[name] !== record[name]) yield { id: row.id, what: `its row has a different ${name} than its bytes` }
  }
}

type ListingRow = { readonly id: number } & { readonly [column: string]: ListingValue }

/** A record with the author of its newest version. */
type AuthoredRecord = Omit<Listed, 'categoryId'>

/** Compares the rows derived from records with their expected values. */
function createDerivedCheck(db: Database): (records: readonly AuthoredRecord[]) => AsyncGenerator<StoreProblem> {
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
        yield { id, what: 'its speakers differ from the index' }
      if (!(await isLinked.tag(tags.get(id) ?? [], record.tags))) yield { id, what: 'its tags differ from the index' }
    }
  }
}

function* compareRow(
  authored: AuthoredRecord,
  row: ListingRow | null,
  categoryId: number | undefined,
): Generator<StoreProblem> {
  const { id } = authored.record
  if (categoryId === undefined) yield { id, what: 'there is no category with its title' }
  if (row === null) return yield { id, what: 'it is missing from the lists' }
  // Without a category the row cannot be right: no category has id -1.
  const wanted = toListingRow({ ...authored, categoryId: categoryId ?? -1 })
  const differing = listingColumns.filter((name, i) => row[name] !== wanted[i])
  if (differing.length > 0) yield { id, what: `the lists have a different ${differing.join(', ')}` }
}

interface Link {
  readonly nameId: number
  readonly name: string
}

/**
 * Whether each name of a record links to its row, or to the entry that it is an alias of: a rename that was stopped
 * leaves records with the old name at the renamed row (decision 52).
 */
function createLinkCheck(db: Database, table: NameKind) {
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

function toListNames(db: Database, table: NameKind) {
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
export async function* checkNames(db: Database, table: NameKind, indexedSql: string): AsyncGenerator<StoreProblem> {
  const rows = db.query<{ name: string; key: string; found: number }, []>(
    `SELECT name, key, CASE WHEN id IN (${indexedSql}) THEN 1 ELSE 0 END AS found FROM ${table}`,
  )
  for await (const { name, key, found } of rows.iterate()) {
    if (key !== toSortKey(name) || found === 0) {
      yield { id: null, what: `the ${table} ${JSON.stringify(name)} cannot be found by its name` }
    }
  }
  const lost = db.query<{ id: number }, []>(
    `SELECT id FROM (${indexedSql}) AS indexed
     WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = indexed.id)`,
  )
  for await (const { id } of lost.iterate())
    yield { id: null, what: `the index of names has a ${table} ${id} that is missing` }
}

interface VersionRow {
  readonly id: number
  readonly number: number
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

/** Checks that versions have no gaps and match their checksums. */
export async function* checkVersions(db: Database, onStep: OnStep): AsyncGenerator<StoreProblem> {
  const rows = db.query<VersionRow, []>(
    'SELECT record_id AS id, number, checksum, body FROM version ORDER BY record_id, number',
  )
  const step = createSteps(
    (await db.query<{ n: number }, []>('SELECT count(*) AS n FROM version').get())?.n ?? 0,
    onStep,
  )
  let last = { id: 0, number: 0 }
  for await (const { id, number, checksum, body } of rows.iterate()) {
    const wanted = id === last.id ? last.number + 1 : 1
    if (number !== wanted) yield { id, what: `version ${wanted} is missing` }
    if (!isChecksum(checksum, body)) yield { id, what: `version ${number} does not match its checksum` }
    last = { id, number }
    step()
  }
}

/** Checks that each record has the body of its current version. */
export async function* checkBodies(db: Database): AsyncGenerator<StoreProblem> {
  const rows = db.query<{ id: number; version: number }, []>(
    `SELECT id, record.version FROM record LEFT JOIN version ON record_id = id AND number = record.version
     WHERE version.body IS NULL OR record.body <> version.body ORDER BY id`,
  )
  for await (const { id, version } of rows.iterate())
    yield { id, what: `its bytes are not those of version ${version}` }
}

/** Checks that former paths lead to the records whose extras have them. */
export async function* checkAliases(db: Database): AsyncGenerator<StoreProblem> {
  for await (const { id } of listWrongAliases(db)) yield { id, what: 'its alias differs from its extras' }
}
