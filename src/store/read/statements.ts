import type { Statement } from 'bun:sqlite'
import type { Database } from '../database.ts'

/** Callers may ask for endlessly many different lists; so many prepared ones are kept, the longest unused goes first. */
const maxStatements = 200

export type BoundValue = string | number
/** A piece of SQL that something must fulfil, and the values that it asks for. */
export interface Condition {
  readonly sql: string
  readonly values: readonly BoundValue[]
}

/** All of them; of none, what everything fulfils. */
export function toAnd(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => each.sql).join(' AND ')
  return { sql: sql === '' ? 'TRUE' : sql, values: conditions.flatMap((each) => each.values) }
}

/**
 * How many rows, behind how many. SQLite plans by a limit that it can see, and anew whenever that is bound: 0.02 ms each
 * time. The sum hides it.
 */
export const limited = 'LIMIT ? + 0 OFFSET ?'

export type Statements = <Row>(sql: string) => Statement<Row, BoundValue[]>

/** `onStep` is called before each statement; what it throws ends the work. */
export function createStatements(db: Database, onStep: () => void = () => undefined): Statements {
  const known = new Map<string, Statement<unknown, BoundValue[]>>()

  function forgetOldest(): void {
    const [oldest] = known
    if (oldest === undefined) return
    known.delete(oldest[0])
    oldest[1].finalize()
  }

  return <Row>(sql: string) => {
    onStep()
    const found = known.get(sql) ?? db.prepare<unknown, BoundValue[]>(sql)
    // Behind all others: the first is the one that was not used for longest.
    known.delete(sql)
    known.set(sql, found)
    if (known.size > maxStatements) forgetOldest()
    // The row's shape is what the SQL just given selects; only the caller knows it.
    return found as Statement<Row, BoundValue[]>
  }
}
