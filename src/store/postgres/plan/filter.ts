import type { Filters } from '../../../record/query/query.ts'
import type { FindNameIds } from '../../columns/name-filter.ts'
import type { Database } from '../../database.ts'
import { createRowConditions } from '../../read/list/list-sql.ts'
import { type Condition, toAnd } from '../../read/statements.ts'
import { toSearchCondition } from './search.ts'

/**
 * A list's filters as one condition; PostgreSQL chooses the plan. Values are parameters only. Null if nothing can
 * match.
 */
export function createFilter(db: Database): (filters: Filters) => Promise<Condition | null> {
  const findRowConditions = createRowConditions(db, { toHasMedia: (bits) => `media & ${bits} <> 0`, lastDay })
  return async (filters) => {
    const row = await findRowConditions(filters)
    if (row === null) return null
    const { speakers, tags, speakerIds = [], tagIds = [], search } = filters
    return toAnd([
      ...row.visible,
      ...row.filters,
      ...speakers.map((piece) => toNameCondition('speaker', piece)),
      ...tags.map((piece) => toNameCondition('tag', piece)),
      ...speakerIds.map((id) => toIdCondition('speaker', id)),
      ...tagIds.map((id) => toIdCondition('tag', id)),
      ...(search === undefined ? [] : [toMember(toSearchCondition(search))]),
    ])
  }
}

/**
 * Two weeks after the start. PostgreSQL knows no year 0, which has the days of the year 400, and has more than four
 * digits for the days after 9999.
 */
const lastDay = `CASE WHEN event.start_date >= '9999-12-17' THEN '9999-12-31'
  WHEN event.start_date < '0001' THEN
    '000' || substr(to_char(('0400' || substr(event.start_date, 5))::date + 14, 'YYYY-MM-DD'), 4)
  ELSE to_char(event.start_date::date + 14, 'YYYY-MM-DD') END`

/** The trigram index gives candidates; `strpos` keeps those that contain the whole piece. */
const toNamesSql = (kind: 'speaker' | 'tag') =>
  `SELECT rowid FROM ${kind}_piece WHERE pieces @> to_pieces(?) AND strpos(key, ?) > 0`

export function createNameIds(db: Database): FindNameIds {
  return async (kind, part) => {
    const rows = await db.query<{ rowid: number }, [string, string]>(toNamesSql(kind)).all(part, part)
    return rows.map(({ rowid }) => rowid)
  }
}

function toNameCondition(kind: 'speaker' | 'tag', piece: string): Condition {
  return {
    sql: `id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id IN (${toNamesSql(kind)}))`,
    values: [piece, piece],
  }
}

function toIdCondition(kind: 'speaker' | 'tag', id: number): Condition {
  return { sql: `id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id = ?)`, values: [id] }
}

function toMember({ sql, values }: Condition): Condition {
  return { sql: `id IN (SELECT rowid FROM search WHERE ${sql})`, values }
}
