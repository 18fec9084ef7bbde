import type { Database, Query, Value } from '../database.ts'

/** Clients can send any number of different queries; the least recently used statements are finalized. */
const maxStatements = 200

export type BoundValue = string | number

/** An SQL condition with the values of its placeholders. */
export interface Condition {
  readonly sql: string
  readonly values: readonly BoundValue[]
}

/** Joins conditions by AND; TRUE if there are none. */
export function toAnd(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => each.sql).join(' AND ')
  return { sql: sql === '' ? 'TRUE' : sql, values: conditions.flatMap((each) => each.values) }
}

export type Statements = <Row>(sql: string) => Query<Row, BoundValue[]>

/** A cache of prepared statements. `onStep` is called before each statement; it may throw to end the query. */
export function createStatements(db: Database, onStep: () => void = () => undefined): Statements {
  const known = new Map<string, Query<unknown, BoundValue[]>>()

  function evictOldest(): void {
    const [oldest] = known
    if (oldest === undefined) return
    known.delete(oldest[0])
    oldest[1].finalize()
  }

  return <Row>(sql: string) => {
    onStep()
    const found = known.get(sql) ?? db.prepare<unknown, BoundValue[]>(sql)
    // Moved to the end, so that the first is the least recently used.
    known.delete(sql)
    known.set(sql, found)
    if (known.size > maxStatements) evictOldest()
    // Only the caller knows the type of the rows that its SQL selects.
    return found as Query<Row, BoundValue[]>
  }
}

/** The deadline of the current query of a query thread, which runs one at a time (decision 28). */
export interface Deadline {
  /** Called when a query begins. */
  set(untilMs: number): void
  /** Called between the steps of a query; throws `OutOfTime`. */
  check(): void
  leftMs(): number
}

export class OutOfTime extends Error {
  constructor() {
    super('the query exceeded its time limit')
    this.name = 'OutOfTime'
  }
}

export function createDeadline(now: () => number = () => performance.now()): Deadline {
  let untilMs = Number.POSITIVE_INFINITY
  return {
    set(until) {
      untilMs = until
    },
    check() {
      if (now() > untilMs) throw new OutOfTime()
    },
    leftMs: () => untilMs - now(),
  }
}

export const maxLookup = 128

/**
 * Looks up the rows of up to `maxLookup` keys in one statement. `toSql` gets the placeholders. Their number is the next
 * power of two, padded with the first key, so that eight statements serve every number of keys.
 */
export function createLookup<Row, Key extends NonNullable<Value>>(db: Database, toSql: (keys: string) => string) {
  const prepare = (size: number) => db.query<Row, Key[]>(toSql(`(${Array(size).fill('?').join(', ')})`))
  const statements = new Map<number, ReturnType<typeof prepare>>()
  return async (keys: readonly Key[]): Promise<Row[]> => {
    const [first] = keys
    if (first === undefined) return []
    const size = 2 ** Math.ceil(Math.log2(keys.length))
    const statement = statements.get(size) ?? prepare(size)
    statements.set(size, statement)
    return statement.all(...Array.from({ length: size }, (_, i) => keys[i] ?? first))
  }
}

/** Limits chunks of large records, so that memory stays flat. */
const maxChunkBytes = 4_000_000

/** Chunks of at most `maxLookup`. */
export async function* toChunks<T>(
  all: Iterable<T> | AsyncIterable<T>,
  toBytes: (each: T) => number = () => 0,
): AsyncGenerator<T[]> {
  let chunk: T[] = []
  let bytes = 0
  for await (const each of all) {
    chunk.push(each)
    bytes += toBytes(each)
    if (chunk.length < maxLookup && bytes < maxChunkBytes) continue
    yield chunk
    chunk = []
    bytes = 0
  }
  if (chunk.length > 0) yield chunk
}
