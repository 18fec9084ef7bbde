import type { Database, Statement } from 'bun:sqlite'

/** Callers may ask for endlessly many different lists; so many prepared ones are kept, the longest unused goes first. */
const maxStatements = 200

export type Value = string | number
/** A piece of SQL that something must fulfil, and the values that it asks for. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

export type Statements = <Row>(sql: string) => Statement<Row, Value[]>

export function createStatements(db: Database): Statements {
  const known = new Map<string, Statement<unknown, Value[]>>()
  return <Row>(sql: string) => {
    const found = known.get(sql) ?? db.prepare<unknown, Value[]>(sql)
    known.delete(sql)
    known.set(sql, found)
    const [oldest] = known
    if (known.size > maxStatements && oldest !== undefined) {
      known.delete(oldest[0])
      oldest[1].finalize()
    }
    // The row's shape is what the SQL just given selects; only the caller knows it.
    return found as Statement<Row, Value[]>
  }
}
