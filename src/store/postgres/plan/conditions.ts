import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import type { SearchPart } from '../../read/ranking.ts'
import { createRowConditions } from '../../read/row-conditions.ts'
import { type Condition, toAnd } from '../../read/statements.ts'
import { toSearchCondition } from './search.ts'

/** Values reach PostgreSQL as parameters only; what stands in the text is ours. Null where nothing can match. */
export function createConditions(db: Database): (filters: Filters, part?: SearchPart) => Condition | null {
  const toRowConditions = createRowConditions(db, (bit) => `media & ${bit} <> 0`)
  return (filters, part = 'all') => {
    const row = toRowConditions(filters)
    if (row === null) return null
    const { speakers, tags, search } = filters
    return toAnd([
      ...row.seen,
      ...row.asked,
      ...speakers.map((piece) => toNameCondition('speaker', piece)),
      ...tags.map((piece) => toNameCondition('tag', piece)),
      ...(search === undefined ? [] : [toMember(toSearchCondition(search, part))]),
    ])
  }
}

/** Of those that share the piece's three-letter pieces, the ones that have it whole. */
function toNameCondition(kind: 'speaker' | 'tag', piece: string): Condition {
  const names = `SELECT rowid FROM ${kind}_piece WHERE pieces @> to_pieces(?) AND strpos(key, ?) > 0`
  return {
    sql: `id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id IN (${names}))`,
    values: [piece, piece],
  }
}

function toMember({ sql, values }: Condition): Condition {
  return { sql: `id IN (SELECT rowid FROM search WHERE ${sql})`, values }
}
