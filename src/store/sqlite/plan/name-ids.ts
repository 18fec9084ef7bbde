import type { FindNameIds } from '../../columns/name-filter.ts'
import type { Database } from '../../database.ts'

/** The query for the ids of names that contain a text; null if no name can. */
export interface NameIdsSql {
  readonly sql: string
  readonly values: readonly string[]
}

/**
 * Texts of three characters and more are looked up in the trigram index, shorter ones by a scan of the names. Both are
 * about folded names.
 */
export function toNameIdsSql(kind: 'speaker' | 'tag', part: string): NameIdsSql | null {
  // No name has control characters, and FTS5 reads a query only up to the first NUL.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(part)) return null
  const match = toTrigramMatch(part)
  const scan = `SELECT id FROM ${kind} WHERE instr(key, ?)`
  if (match === '') return { sql: scan, values: [part] }
  const lookup = `${scan} AND id IN (SELECT rowid FROM ${kind}_piece WHERE ${kind}_piece MATCH ?)`
  return { sql: lookup, values: [part, match] }
}

function toTrigramMatch(part: string): string {
  const characters = [...part]
  const trigrams = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

export function createNameIds(db: Database): FindNameIds {
  return async (kind, part) => {
    const query = toNameIdsSql(kind, part)
    if (query === null) return []
    // Few different texts of SQL: two for each kind.
    const found = await db.query<{ id: number }, string[]>(query.sql).all(...query.values)
    return found.map(({ id }) => id)
  }
}
