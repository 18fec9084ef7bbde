import type { Query, Value, Values } from '../../database.ts'
import { toBytes } from '../../write/insert-many.ts'
import type { BoundStatement, Rows } from './session.ts'

/** Rows that `iterate` fetches at a time: few at first, then about `chunkBytes`. */
const firstRows = 16
const maxRows = 512
const chunkBytes = 2_000_000

export interface QueryRunner {
  readRows(statement: BoundStatement): Promise<Rows>
  send(statement: BoundStatement): void
  script(sql: string): Promise<void>
  isInTransaction(): boolean
  /** A name that no open cursor of the connection has. */
  toCursorName(): string
}

export function createQuery<Row, Bound extends Values>(sql: string, runner: QueryRunner): Query<Row, Bound> {
  const { text, names } = translate(sql)
  const bind = (given: Bound): BoundStatement => {
    // A statement with named parameters gets one object, others get values in order.
    const values = names === null ? given : names.map((name) => (given[0] as { readonly [name: string]: Value })[name])
    // A bug of ours; postgres.js would desynchronise its pipeline.
    if (values.some((value) => value === undefined)) throw new TypeError(`a value is missing: ${text}`)
    return { text, values }
  }
  // Only the caller knows the type of the rows that its SQL selects.
  const all = async (...given: Bound) => [...(await runner.readRows(bind(given))).rows] as Row[]
  return {
    all,
    get: async (...given) => (await all(...given))[0] ?? null,
    run: async (...given) => ({ changes: (await runner.readRows(bind(given))).count }),
    send: (...given) => runner.send(bind(given)),
    iterate: (...given) => readChunks(bind(given), runner) as AsyncIterable<Row>,
    finalize: () => undefined,
  }
}

/** Reads rows through a cursor, so that memory stays flat. */
async function* readChunks({ text, values }: BoundStatement, runner: QueryRunner): AsyncIterable<object> {
  const { readRows, script, isInTransaction } = runner
  const name = runner.toCursorName()
  const hold = isInTransaction() ? 'WITHOUT HOLD' : 'WITH HOLD'
  await readRows({ text: `DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${text}`, values, isOnce: true })
  // A failed FETCH aborts the transaction and so closes the cursor; a held cursor is closed with the connection.
  let isOpen = true
  try {
    for (let wanted = firstRows; ; ) {
      isOpen = false
      const { rows } = await readRows({ text: `FETCH ${wanted} FROM ${name}`, values: [], isOnce: true })
      isOpen = true
      yield* rows
      if (rows.length < wanted) return
      wanted = toNextRows(rows, wanted)
    }
  } finally {
    if (isOpen) await script(`CLOSE ${name}`)
  }
}

/** A power of two, so that there are few distinct statements. */
function toNextRows(rows: readonly object[], wanted: number): number {
  const bytes = rows.reduce((sum, row) => sum + toBytes(Object.values(row)), 0)
  if (bytes > chunkBytes) return Math.max(1, wanted / 2)
  return bytes * 2 > chunkBytes ? wanted : Math.min(maxRows, wanted * 2)
}

/** A statement in PostgreSQL's syntax. */
interface Translated {
  readonly text: string
  /** The names of the values for $1, $2 …; null if values come in order. */
  readonly names: readonly string[] | null
}

/** Rewrites `?`, `?1` and `$name` to `$1`. None of our statements has these characters in a literal. */
export function translate(sql: string): Translated {
  if (/\$[a-z]/i.test(sql)) return nameParameters(sql)
  let count = 0
  const text = sql.replace(/\?(\d*)/g, (_, number: string) => `$${number === '' ? ++count : number}`)
  return { text, names: null }
}

function nameParameters(sql: string): Translated {
  const names: string[] = []
  const text = sql.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    const known = names.indexOf(name)
    return `$${known < 0 ? names.push(name) : known + 1}`
  })
  return { text, names }
}
