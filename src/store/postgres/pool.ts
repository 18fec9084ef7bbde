import { memoize } from '../read/memo.ts'
import { translate } from './client/query.ts'
import { createReconnectingClient, type ReconnectingClient } from './client/reconnecting-client.ts'
import { nameHost, PostgresFailure, refusedConnection, toPostgresFailure } from './failure.ts'
import { createOwnMemory, createTimeline } from './primary/timeline.ts'

/** Reads queued per connection; more would time out. */
const maxWaitingEach = 200
/**
 * After this time the read fails, and the client may retry. A row takes a millisecond; a checkpoint may delay it by one
 * or two seconds.
 */
const readTimeoutMs = 3_000

/** Connections for reads of single rows. */
interface Pool {
  /** Returns the first row. Rejects with a `PostgresFailure`, at the latest after `readTimeoutMs`. */
  find<Row>(sql: string, ...values: (number | string | Buffer)[]): Promise<Row | null>
  close(): void
}

interface Member {
  readonly connection: ReconnectingClient
  waiting: number
  answeredMs: number
}

/** There are a handful of statements; each is translated once. */
const toText = memoize((sql: string) => translate(sql).text)

export function createPool(address: string, connections: number, timeline = createTimeline(createOwnMemory())): Pool {
  const members = Array.from(
    { length: connections },
    (): Member => ({
      connection: createReconnectingClient(address, timeline, {}),
      waiting: 0,
      answeredMs: 0,
    }),
  )

  return {
    async find<Row>(sql: string, ...values: (number | string | Buffer)[]) {
      const member = members.reduce((best, each) => (each.waiting < best.waiting ? each : best))
      if (member.waiting >= maxWaitingEach) throw new PostgresFailure('FULL', 'too many reads are waiting', false)
      member.waiting++
      try {
        const [row] = await ask(member, toText(sql), values)
        // Only the caller knows the type of the row that its SQL selects.
        return (row as Row | undefined) ?? null
      } catch (error) {
        throw toPostgresFailure(error, member.connection.hostName())
      } finally {
        member.waiting--
      }
    },
    close() {
      for (const { connection } of members) void connection.end()
    },
  }
}

async function ask(member: Member, text: string, values: (number | string | Buffer)[]): Promise<readonly object[]> {
  const sinceMs = performance.now()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const text = nameHost('PostgreSQL did not answer in time', member.connection.hostName())
    reject(new PostgresFailure('TIMEOUT', text, true))
    // A connection that returned nothing meanwhile may be dead; TCP would notice only after minutes.
    if (member.answeredMs < sinceMs) member.connection.cut()
  }, readTimeoutMs)
  const read = async () => {
    const client = await member.connection.connect()
    const rows = await client.unsafe<object[]>(text, values, { prepare: true })
    if (!(await member.connection.isCurrent(client)))
      throw refusedConnection('MOVED_ON', `another server than ${member.connection.hostName()} is the primary now`)
    return rows
  }
  try {
    const rows = await Promise.race([read(), late])
    member.answeredMs = performance.now()
    return rows
  } finally {
    clearTimeout(timer)
  }
}
