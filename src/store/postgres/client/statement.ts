import { toBytes } from '../../write/bulk-insert.ts'
import type { IoRows } from './blocking-call.ts'
import type { PreparedQuery } from './io-thread.ts'
import type { Translated } from './translate.ts'

/** So many rows come at a time where not all are wanted at once: few at first, then as many as are about so large. */
const firstRows = 16
const maxRows = 512
const chunkBytes = 2_000_000

export interface Runner {
  readRows(statement: PreparedQuery): IoRows
  /** For a statement without rows: how many it changes is counted when somebody asks at once. */
  write(statement: PreparedQuery): { readonly changes: number }
  run(sql: string): void
  isInTransaction(): boolean
}

/** The part of bun:sqlite's statements that shared code may use. */
export function createStatement({ text, names, givesId }: Translated, runner: Runner) {
  const toValues = (given: readonly unknown[]): readonly unknown[] => {
    if (names === null) return given
    // A statement with names is given one object.
    const [object] = given as [{ readonly [name: string]: unknown }]
    return names.map((name) => object[name])
  }
  const toStatement = (given: readonly unknown[]): PreparedQuery => {
    const values = toValues(given)
    // A mistake of ours; the client would lose count of the statements that it is on its way with.
    if (values.includes(undefined)) throw new TypeError(`a value is missing: ${text}`)
    return { text, values }
  }
  const all = (...given: unknown[]) => [...runner.readRows(toStatement(given)).rows]
  return {
    all,
    get: (...given: unknown[]) => all(...given)[0] ?? null,
    run(...given: unknown[]) {
      if (!givesId) return runner.write(toStatement(given))
      const { rows, count } = runner.readRows(toStatement(given))
      const [row] = rows as readonly { readonly id?: number }[]
      return { changes: count, lastInsertRowid: row?.id ?? 0 }
    },
    iterate: (...given: unknown[]) => readChunks(toStatement(given), runner),
    finalize: () => undefined,
  }
}

let cursors = 0

/** Rows of a statement, some at a time, so that memory stays flat. */
function* readChunks({ text, values }: PreparedQuery, runner: Runner): Iterable<object> {
  const { readRows, run, isInTransaction } = runner
  const name = `cursor_${++cursors}`
  const hold = isInTransaction() ? 'WITHOUT HOLD' : 'WITH HOLD'
  readRows({ text: `DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${text}`, values, isOnce: true })
  // What fails here took its cursor along, or leaves it to the end of the connection.
  let isOpen = true
  try {
    for (let wanted = firstRows; ; ) {
      isOpen = false
      const { rows } = readRows({ text: `FETCH ${wanted} FROM ${name}`, values: [], isOnce: true })
      isOpen = true
      yield* rows
      if (rows.length < wanted) return
      wanted = toNextRows(rows, wanted)
    }
  } finally {
    if (isOpen) run(`CLOSE ${name}`)
  }
}

/** A power of two, so that few statements are enough. */
function toNextRows(rows: readonly object[], wanted: number): number {
  const bytes = rows.reduce((sum, row) => sum + toBytes(Object.values(row)), 0)
  if (bytes > chunkBytes) return Math.max(1, wanted / 2)
  return bytes * 2 > chunkBytes ? wanted : Math.min(maxRows, wanted * 2)
}
