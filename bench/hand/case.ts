/** A list, and the best hand-written SQL for the same rows. */
export interface Case {
  readonly name: string
  readonly parameters: { readonly [name: string]: string }
  /** Whether drafts are seen. */
  readonly drafts?: boolean
  readonly count: HandSql
  /** The ids of the first page, in order. */
  readonly ids: HandSql
}

interface HandSql {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

export const pageSize = 20
export const byDay = 'recorded DESC, title_key, id'

interface Way {
  /** Where the rows are read; `listing` without an index means by id. */
  readonly from: string
  readonly where: string
  readonly values?: readonly (string | number)[]
  readonly order?: string
}

export function toCountSql({ from, where, values = [] }: Way): HandSql {
  return { sql: `SELECT count(*) AS count FROM ${from} WHERE ${where}`, values }
}

export function toIdsSql({ from, where, values = [], order = byDay }: Way): HandSql {
  return { sql: `SELECT listing.id AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${pageSize}`, values }
}

/** If counting and reading use the same access path. */
export function toHand(way: Way): Pick<Case, 'count' | 'ids'> {
  return { count: toCountSql(way), ids: toIdsSql(way) }
}

export const indexed = (name: string) => `listing INDEXED BY listing_by_${name}`

/** The number of live records: all records minus the drafts. */
export const countLive: HandSql = {
  sql: 'SELECT (SELECT count(*) FROM listing) - (SELECT count(*) FROM listing WHERE state = 2) AS count',
  values: [],
}
