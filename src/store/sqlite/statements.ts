import type { Database, Statement } from 'bun:sqlite'

/** Callers may ask for endlessly many different lists; so many prepared ones are kept, the longest unused goes first. */
const maxStatements = 200

export type Statements = <Row>(sql: string) => Statement<Row, (string | number)[]>

export function createStatements(db: Database): Statements {
  const known = new Map<string, Statement<unknown, (string | number)[]>>()
  return <Row>(sql: string) => {
    const found = known.get(sql) ?? db.prepare<unknown, (string | number)[]>(sql)
    known.delete(sql)
    known.set(sql, found)
    const [oldest] = known
    if (known.size > maxStatements && oldest !== undefined) {
      known.delete(oldest[0])
      oldest[1].finalize()
    }
    // The row's shape is what the SQL just given selects; only the caller knows it.
    return found as Statement<Row, (string | number)[]>
  }
}
