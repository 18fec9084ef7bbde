import { createCounters } from '../store/counters.ts'
import { changesChannel } from '../store/postgres/channel.ts'
import { toHosts } from '../store/postgres/client/client.ts'
import { createReconnectingClient } from '../store/postgres/client/reconnecting-client.ts'
import { toFailureReport } from '../store/postgres/failure.ts'
import { createNotifications } from '../store/postgres/notifications.ts'
import { createConfirm } from '../store/postgres/primary/confirm.ts'
import { createTimeline } from '../store/postgres/primary/timeline.ts'
import { watchHosts } from '../store/postgres/primary/watch-hosts.ts'
import { lastSeqSql } from '../store/write/sequence-sql.ts'
import { serveRequests } from './port/serve-requests.ts'

/** Together they are what is promised: a node that hears nothing any more trusts nothing it has after 200 ms. */
const pingMs = 80
const pingTimeoutMs = 100
const retryMs = 100
/** A connection that says nothing for so long may be dead, which may show only in many minutes: another one is tried. */
const silenceMs = 3_000

/** Hears of every commit, of this node and of the others, and keeps the counters right that all threads look at. */
serveRequests<never, never>(async ({ path: address, memory }, report) => {
  const versions = createCounters(memory.versions)
  const hearing = createNotifications(versions)
  const epoch = createTimeline(memory)
  const hosts = toHosts(address)
  const confirm = createConfirm(hosts, epoch)
  const stopWatching = watchHosts(hosts, epoch)
  const wire = createReconnectingClient(address, epoch, { onClose: lose, onNotify: hearing.take })
  let isStopped = false
  let isListening = false
  let isTrying = false

  async function ask<Row extends object>(sql: string): Promise<Row | undefined> {
    const timer = setTimeout(wire.cut, silenceMs)
    try {
      const client = await wire.connect()
      const [row] = await client.unsafe<Row[]>(sql)
      return row
    } finally {
      clearTimeout(timer)
    }
  }

  function lose(): void {
    isListening = false
    hearing.lose()
  }

  /** First listens, then looks what there is: nothing can fall between. */
  async function listen(): Promise<void> {
    isTrying = true
    try {
      await ask(`LISTEN ${changesChannel}`)
      isListening = true
      await catchUp()
    } catch (error) {
      if (!hearing.isLost()) report(error)
      refuse(error)
      lose()
    } finally {
      isTrying = false
    }
  }

  /** One that was silent may have been replaced meanwhile, and not know it: so whether it was is asked last. */
  async function catchUp(): Promise<void> {
    const row = await ask<{ seq: number | null }>(lastSeqSql)
    const listening = wire.connected()
    await confirm()
    if (!isListening || listening === null || !wire.holds(listening)) return
    epoch.setRefusal(null)
    hearing.regain(row?.seq ?? 0)
    // Another server may have become the primary between the question and now.
    if (!wire.holds(listening)) lose()
  }

  /** Only a primary of before can be reached: whoever asks whether we are ready is told. */
  function refuse(error: unknown): void {
    const { code } = toFailureReport(error)
    const refusal = code === 'OLD_PRIMARY' ? 'older' : code === 'OTHER_CLUSTER' ? 'foreign' : null
    if (refusal !== null && epoch.loadRefusal() === null) report(error)
    epoch.setRefusal(refusal)
  }

  async function ping(): Promise<void> {
    const late = setTimeout(hearing.lose, pingTimeoutMs)
    try {
      if (hearing.isLost()) await catchUp()
      else await ask('SELECT 1')
      if (isListening && !hearing.isLost()) versions.beat()
    } catch {
      lose()
    } finally {
      clearTimeout(late)
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      if (!isListening && !isTrying) await listen()
      else await ping()
      await Bun.sleep(isListening ? pingMs : retryMs)
    }
  }
  void run()

  return {
    answer() {},
    async stop() {
      isStopped = true
      stopWatching()
      await wire.end()
    },
  }
})
