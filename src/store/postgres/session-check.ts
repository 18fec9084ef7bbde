import { createReconnectingClient } from './client/reconnecting-client.ts'
import { nameHost, PostgresFailure, toPostgresFailure } from './failure.ts'
import { createTimeline, type NodeMemory } from './primary/timeline.ts'

/** A notification takes a round trip; this is for a machine that is very busy. */
const noticeTimeoutMs = 5_000

/**
 * Throws if a pooler lends the server's sessions to one transaction after another. Then no notification arrives, and
 * what a session has set, such as `synchronous_commit`, does not hold for its next transaction.
 */
export async function checkSession(address: string, memory: NodeMemory): Promise<void> {
  const channel = `check_${crypto.randomUUID().replaceAll('-', '')}`
  const { promise: isNoticed, resolve } = Promise.withResolvers<boolean>()
  const connect = (onNotify: () => void) => createReconnectingClient(address, createTimeline(memory), { onNotify })
  const [listener, notifier] = [connect(() => resolve(true)), connect(() => undefined)]
  let timer: Timer | undefined
  const run = async (connection: typeof listener, sql: string) => (await connection.connect()).unsafe(sql).simple()
  try {
    await run(listener, `LISTEN ${channel}`)
    // By another connection: a pooler would pass on what a session is told during its own transaction.
    await run(notifier, `NOTIFY ${channel}`)
    timer = setTimeout(() => resolve(false), noticeTimeoutMs)
    if (await isNoticed) return
    throw new PostgresFailure('POOLED', nameHost('notifications do not arrive', listener.hostName()), false)
  } catch (error) {
    throw toPostgresFailure(error, listener.hostName())
  } finally {
    // A command would not end before it.
    clearTimeout(timer)
    await Promise.all([listener.end(), notifier.end()])
  }
}
