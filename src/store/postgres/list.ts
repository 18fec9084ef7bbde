import type { ListQuery } from '../../record/query/query.ts'
import { type Search, searched, type Term } from '../../record/text/search-text.ts'
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
import { type BoundValue, type Condition, toAnd } from '../read/statements.ts'
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
  // The trigram index gives candidates; `strpos` keeps those that contain the whole text.
  toNameIds: (kind, text) => ({
    sql: `SELECT rowid AS id FROM ${kind}_piece WHERE pieces @> to_pieces(?) AND strpos(key, ?) > 0`,
    values: [text, text],
  }),
  toMatchIds(search) {
    const { sql, values } = toMatchCondition(search)
    return { sql: `SELECT rowid AS id FROM search WHERE ${sql}`, values }
  },
  toIdsText: (select) => `SELECT '[' || string_agg(id::text, ',') || ']' AS ids FROM (${select}) AS found`,
  // Two weeks after the start. PostgreSQL has no year 0, so the year 400, which has the same days, replaces it. Days after
  // 9999 would have more than four digits.
  lastDay: `CASE WHEN event.start_date >= '9999-12-17' THEN '9999-12-31'
    WHEN event.start_date < '0001' THEN
      '000' || substr(to_char(('0400' || substr(event.start_date, 5))::date + 14, 'YYYY-MM-DD'), 4)
    ELSE to_char(event.start_date::date + 14, 'YYYY-MM-DD') END`,
  eachId: 'SELECT unnest(?::bigint[])',
  ofIds: 'unnest(?::bigint[]) AS wanted (value) JOIN listing ON id = wanted.value',
  toIdList: (ids) => `{${ids}}`,
  limited: 'LIMIT ?::bigint OFFSET ?::bigint',
  toKnownValue,
  // One row for each block: a common beginning has thousands of words, and each row takes longer than its bytes. The
  // client reads Base64 in half the time of hexadecimal digits.
  toPostings: (condition) =>
    `SELECT block, encode(string_agg(body, ''), 'base64') AS body FROM moment_posting WHERE ${condition} GROUP BY block`,
}

/** All matches, drafts included; with excluded words only, the rows that have one of them. */
function toMatchCondition({ all, none }: Search): Condition {
  if (all.length === 0) return toOr(none.map(toTermCondition))
  return toAnd([...all.map(toTermCondition), ...none.map((term) => not(toTermCondition(term)))])
}

/** The index finds rows that have all tokens; whether the tokens of a phrase are adjacent is checked in the text. */
function toTermCondition(term: Term): Condition {
  const has = { sql: 'words @@ ?::tsquery', values: [toTsQuery(term)] }
  if (term.tokens.length === 1) return has
  const phrases = searched.map((column) => `strpos(' ' || ${column} || ' ', ?) > 0`)
  return toAnd([has, { sql: `(${phrases.join(' OR ')})`, values: searched.map(() => toPattern(term)) }])
}

/** Quoted, so that no character is an operator. */
function toTsQuery({ tokens, isPrefix }: Term): string {
  const quoted = tokens.map((token) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
  return `${quoted.join(' & ')}${isPrefix ? ':*' : ''}`
}

/** The tokens as they occur in a text; a prefix has no space after it. */
function toPattern({ tokens, isPrefix }: Term): string {
  return ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`
}

const not = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values })

function toOr(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => `(${each.sql})`).join(' OR ')
  return { sql, values: conditions.flatMap((each) => each.values) }
}

/** A cursor may contain any number; PostgreSQL rejects those that do not fit bigint. */
function toKnownValue(value: BoundValue): BoundValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const whole = Math.floor(value)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number.isNaN(whole) ? 0 : whole))
}

/**
 * Bodies in the order of the ids; NULL if together they are too large. Read as text, because bytes are sent as hex;
 * converted after sorting, because the text is larger to sort.
 */
const toBodiesSql = (maxPageBytes: number) => `
  SELECT convert_from(body, 'UTF8') AS text FROM (
    SELECT CASE WHEN count(*) OVER () <= ${alwaysAnswered} OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes} THEN body END AS body
    FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place
  ) AS page`

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListDeps): ReadBodies {
  const read = db.query<{ text: string | null }, [string]>(toBodiesSql(maxPageBytes))
  return async (ids, fields) => {
    const rows = ids.length === 0 ? [] : await read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    const max = ids.length <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes
    return texts.length < rows.length ? null : await takeBodies(texts, fields, max)
  }
}
