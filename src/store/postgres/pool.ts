import { type Client, createClient } from './client.ts'
import { PostgresFailure, toFailureReport } from './failure.ts'
import { translate } from './translate.ts'

/** So many reads wait for each connection; more would only wait longer than anybody wants to. */
const maxWaitingEach = 200
/** Whoever waits longer is told to come again. Single rows take a millisecond; a checkpoint may hold them up for one or two seconds. */
const readTimeoutMs = 3_000

/** Connections to read single rows through. */
export interface Pool {
  /** The first row; rejects with a `PostgresFailure`, and never later than in a few seconds. */
  find<Row>(sql: string, ...values: (number | string | Buffer)[]): Promise<Row | null>
  close(): void
}

export function createPool(address: string, connections: number): Pool {
  let client = createClient(address, { connections })
  let waiting = 0
  let answeredMs = 0

  /** Connections that nothing comes from may be dead, which may show only in many minutes: others take their place. */
  function giveUp(silent: Client, sinceMs: number): void {
    if (client !== silent || answeredMs > sinceMs) return
    client = createClient(address, { connections })
    void silent.end({ timeout: 0 })
  }

  async function ask(text: string, values: (number | string | Buffer)[]): Promise<object[]> {
    const [asked, sinceMs] = [client, performance.now()]
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new PostgresFailure('TIMEOUT', 'PostgreSQL did not answer in time', true))
      giveUp(asked, sinceMs)
    }, readTimeoutMs)
    try {
      const rows = await Promise.race([asked.unsafe<object[]>(text, values, { prepare: true }), late])
      answeredMs = performance.now()
      return rows
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async find<Row>(sql: string, ...values: (number | string | Buffer)[]) {
      if (waiting >= connections * maxWaitingEach) {
        throw new PostgresFailure('FULL', 'too many reads are waiting', false)
      }
      waiting++
      try {
        const [row] = await ask(translate(sql).text, values)
        // The row's shape is what the SQL just given selects; only the caller knows it.
        return (row as Row | undefined) ?? null
      } catch (error) {
        if (error instanceof PostgresFailure) throw error
        const { code, message, isLost } = toFailureReport(error)
        throw new PostgresFailure(code, message, isLost)
      } finally {
        waiting--
      }
    },
    close: () => void client.end({ timeout: 1 }),
  }
}
