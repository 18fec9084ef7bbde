import type { Query, Value, Values } from '../../database.ts'
import { toBytes } from '../../write/bulk-insert.ts'
import type { BoundStatement, Rows } from './session.ts'

/** How many rows `iterate` fetches at a time: few at first, then as many as are about so large. */
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
    // A statement with names is given one object, one without is given values.
    const values = names === null ? given : names.map((name) => (given[0] as { readonly [name: string]: Value })[name])
    // A mistake of ours; postgres.js would desynchronise its pipeline.
    if (values.includes(undefined as never)) throw new TypeError(`a value is missing: ${text}`)
    return { text, values }
  }
  // The rows' shape is what the SQL selects; only the caller knows it.
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

/** Rows of a statement by a cursor, so that memory stays flat. */
async function* readChunks({ text, values }: BoundStatement, runner: QueryRunner): AsyncIterable<object> {
  const { readRows, script, isInTransaction } = runner
  const name = runner.toCursorName()
  const hold = isInTransaction() ? 'WITHOUT HOLD' : 'WITH HOLD'
  await readRows({ text: `DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${text}`, values, isOnce: true })
  // What fails here took its cursor along, or leaves it to the end of the connection.
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

/** A power of two, so that few statements are enough. */
function toNextRows(rows: readonly object[], wanted: number): number {
  const bytes = rows.reduce((sum, row) => sum + toBytes(Object.values(row)), 0)
  if (bytes > chunkBytes) return Math.max(1, wanted / 2)
  return bytes * 2 > chunkBytes ? wanted : Math.min(maxRows, wanted * 2)
}

/** A statement as PostgreSQL says it. */
export interface Translated {
  readonly text: string
  /** Which of the object's values stand at $1, $2 …; null where values come in order. */
  readonly names: readonly string[] | null
}

/** From `?`, `?1` or `$name` to `$1`. None of our statements has such a sign within a text. */
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
