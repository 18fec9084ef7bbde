import type { NameKind } from '../../record/name.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { Search, Term } from '../../record/text/search-text.ts'
import type { ColumnOptions } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import type { ListPage } from '../list-reads.ts'
import {
  alwaysAnswered,
  createListReader,
  defaultPageBytes,
  type ListDeps,
  type ListReaderSql,
  type ReadBodies,
  takeBodies,
} from '../read/list/list.ts'
import type { ListSql } from '../read/list/list-rows.ts'
import type { Condition } from '../read/statements.ts'
import { createMemoryIndexes, type MemoryIndexes } from '../search/memory-indexes.ts'
import type { SnapshotDeps } from '../search/words-loader.ts'

export function createIndexes(
  db: Database,
  options: ColumnOptions = {},
  snapshot: SnapshotDeps | null = null,
): MemoryIndexes {
  return createMemoryIndexes({ db, sql: listSql, ...options }, snapshot)
}

export function createList(deps: ListDeps): (query: ListQuery) => Promise<ListPage> {
  const { db, indexes = createIndexes(db, deps) } = deps
  return createListReader(deps, indexes, createListSql(deps))
}

export function createListSql(deps: ListDeps): ListReaderSql {
  return { ...listSql, readBodies: createPageBodies(deps) }
}

export const listSql: ListSql = {
  toNameIds,
  toMatchIds: (search) => ({ sql: 'SELECT rowid AS id FROM search WHERE search MATCH ?', values: [toMatch(search)] }),
  toIdsText: (select) => `SELECT json_group_array(id) AS ids FROM (${select})`,
  lastDay: `date(event.start_date, '+14 days')`,
  eachId: 'SELECT value FROM json_each(?)',
  ofIds: '(SELECT value FROM json_each(?)) AS wanted CROSS JOIN listing ON id = wanted.value',
  toIdList: (ids) => JSON.stringify(ids),
  // SQLite plans again whenever a LIMIT parameter is bound, which takes 0.02 ms. The sum prevents that.
  limited: 'LIMIT ? + 0 OFFSET ?',
  toKnownValue: (value) => value,
  toPostings: (condition) => `SELECT block, body FROM moment_posting WHERE ${condition}`,
}

/** Texts of three characters and more are looked up in the trigram index, shorter ones by a scan of the names. */
function toNameIds(kind: NameKind, text: string): Condition {
  // No name has control characters, and FTS5 reads a query only up to the first NUL.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) {
    return { sql: `SELECT id FROM ${kind} WHERE FALSE`, values: [] }
  }
  const match = toTrigrams(text)
  const scan = `SELECT id FROM ${kind} WHERE instr(key, ?)`
  if (match === '') return { sql: scan, values: [text] }
  const sql = `${scan} AND id IN (SELECT rowid FROM ${kind}_piece WHERE ${kind}_piece MATCH ?)`
  return { sql, values: [text, match] }
}

function toTrigrams(text: string): string {
  const characters = [...text]
  const trigrams = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

/** An FTS5 query; with excluded words only, for the records that have one of them. */
function toMatch({ all, none }: Search): string {
  const excluded = none.map(toPhrase).join(' OR ')
  if (all.length === 0) return excluded
  const wanted = all.map(toPhrase).join(' AND ')
  return excluded === '' ? wanted : `(${wanted}) NOT (${excluded})`
}

/** Tokens are letters and digits, and quoted, so no FTS5 syntax gets through. */
function toPhrase({ tokens, isPrefix }: Term): string {
  return `"${tokens.join(' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListDeps): ReadBodies {
  // One statement for the page takes less than half the time of one per record. The join keeps the order of the ids.
  // Bodies are read as text: reading bytes and decoding them here takes twice as long.
  const read = db.query<{ text: string }, [string]>(
    'SELECT CAST(body AS TEXT) AS text FROM json_each(?) AS wanted CROSS JOIN record ON record.id = wanted.value',
  )
  // Row by row, to stop at a page that is too large.
  async function* readTexts(ids: readonly number[]): AsyncIterable<string> {
    if (ids.length > 0) for await (const { text } of read.iterate(JSON.stringify(ids))) yield text
  }
  const toMax = (size: number) => (size <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes)
  return (ids, fields) => takeBodies(readTexts(ids), fields, toMax(ids.length))
}
