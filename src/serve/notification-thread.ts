import { createCounters } from '../store/counters.ts'
import { toHosts } from '../store/postgres/client/client.ts'
import { createReconnectingClient } from '../store/postgres/client/reconnecting-client.ts'
import { toFailureReport } from '../store/postgres/failure.ts'
import { shareStoreSql } from '../store/postgres/migrate.ts'
import { changesChannel, createNotifications } from '../store/postgres/notifications.ts'
import { findDoubt } from '../store/postgres/primary/primary.ts'
import { createTimeline } from '../store/postgres/primary/timeline.ts'
import { createConfirm, watchHosts } from '../store/postgres/primary/watch-hosts.ts'
import { NewerSchema, postgresMigrations } from '../store/schema/migrations.ts'
import { lastSeqSql } from '../store/write/version-rows.ts'
import { serveRequests } from './port/thread-port.ts'
import { createStoreWatch } from './store-log.ts'

/** From ping to ping, unless the round trip takes longer: then the next ping follows immediately. */
const pingMs = 80
const minPauseMs = 5
/**
 * From the last answer to the next: less than the 200 ms after which a node that has lost its notifications stops
 * trusting its caches. So a round trip may take this long before a node reads everything from the database.
 */
const maxSilenceMs = 180
const retryMs = 100
/** A dead connection may look open for minutes, so a silent one is replaced after this long. */
const silenceMs = 3_000
const maxRoundTrips = 5
const walColumn = 'pg_current_wal_lsn()::text AS wal'

/** Receives a notification of every commit, on this node or another, and updates the shared counters (decision 15). */
serveRequests<never, never>(async ({ address, memory }, report, _sendReplies, logEvent) => {
  const counters = createCounters(memory.counters)
  const notifications = createNotifications(counters)
  const timeline = createTimeline(memory)
  const hosts = toHosts(address)
  const confirm = createConfirm(hosts, timeline)
  const stopWatching = watchHosts(hosts, timeline)
  const connection = createReconnectingClient(address, timeline, { onClose: lose, onNotify: notifications.take })
  const watch = createStoreWatch({
    hosts: hosts.all,
    timeline,
    findDoubt: () => findDoubt(hosts, timeline),
    logEvent,
  })
  let isStopped = false
  let isListening = false
  let isTrying = false
  const roundTrips: number[] = []

  async function ask<Row extends object>(sql: string): Promise<Row | undefined> {
    const timer = setTimeout(connection.cut, silenceMs)
    try {
      const client = await connection.connect()
      const sinceMs = performance.now()
      const [row] = await client.unsafe<Row[]>(sql)
      noteRoundTrip(performance.now() - sinceMs)
      return row
    } finally {
      clearTimeout(timer)
    }
  }

  /** The fastest of several, since a busy machine may delay any of them. */
  function noteRoundTrip(ms: number): void {
    roundTrips.push(ms)
    if (roundTrips.length > maxRoundTrips) roundTrips.shift()
    counters.setRoundTripMs(Math.min(...roundTrips))
  }

  function lose(): void {
    isListening = false
    notifications.lose()
  }

  /** Excludes upgrades as long as this node is connected (decision 66). */
  async function shareStore(): Promise<void> {
    const row = await ask<{ isShared: boolean; schema: number }>(shareStoreSql)
    if (row?.isShared !== true) throw new Error('the store is being upgraded')
    checkSchema(row)
  }

  /** After an outage, the store may have been upgraded. */
  function checkSchema(row: { readonly schema: number } | undefined): void {
    const known = postgresMigrations.length
    if (row !== undefined && row.schema > known && !counters.hasNewerSchema())
      report(new NewerSchema(row.schema, known))
  }

  /** Listens first, then reads the last sequence number, so that no commit is missed in between. */
  async function listen(): Promise<void> {
    isTrying = true
    try {
      await ask(`LISTEN ${changesChannel}`)
      await shareStore()
      isListening = true
      await catchUp()
    } catch (error) {
      fail(error)
      lose()
    } finally {
      isTrying = false
    }
  }

  /** A standby may have been promoted while the connection was silent, so check the primary last (decision 33). */
  async function catchUp(): Promise<void> {
    const row = await ask<{ seq: number | null; wal: string }>(`SELECT (${lastSeqSql}) AS seq, ${walColumn}`)
    const listening = connection.connected()
    await confirm()
    if (!isListening || listening === null || !connection.holds(listening)) return
    timeline.setRefusal(null)
    watch.hear({ wal: row?.wal ?? '', seq: row?.seq ?? 0 })
    notifications.regain(row?.seq ?? 0)
    // Another server may have become the primary meanwhile.
    if (!connection.holds(listening)) lose()
  }

  /** If only an old primary can be reached, /readyz says so. */
  function fail(error: unknown): void {
    const { code, message } = toFailureReport(error, connection.hostName())
    watch.fail(message)
    timeline.setRefusal(code === 'OLD_PRIMARY' ? 'older' : code === 'OTHER_CLUSTER' ? 'foreign' : null)
  }

  async function ping(pausedMs: number): Promise<void> {
    const late = setTimeout(notifications.lose, maxSilenceMs - pausedMs)
    try {
      if (notifications.isLost()) await catchUp()
      else {
        const row = await ask<{ schema: number; wal: string }>(
          `SELECT schema_number AS schema, ${walColumn} FROM store`,
        )
        checkSchema(row)
        if (connection.connected() !== null) watch.hear({ wal: row?.wal ?? '', seq: counters.loadPublished() })
      }
      if (isListening && !notifications.isLost()) counters.beat()
      // Repeated with each ping until the stop is answered, since a notification may be lost.
      for (const batch of counters.listStops()) await ask(`SELECT pg_notify('${changesChannel}', 'stop ${batch}')`)
    } catch (error) {
      watch.fail(toFailureReport(error, connection.hostName()).message)
      lose()
    } finally {
      clearTimeout(late)
    }
  }

  async function run(): Promise<void> {
    let pausedMs = pingMs
    while (!isStopped) {
      const sinceMs = performance.now()
      if (!isListening && !isTrying) await listen()
      else await ping(pausedMs)
      pausedMs = isListening ? Math.max(minPauseMs, pingMs - (performance.now() - sinceMs)) : retryMs
      await Bun.sleep(pausedMs)
    }
  }
  void run()

  return {
    answer() {},
    async stop() {
      isStopped = true
      stopWatching()
      watch.stop()
      await connection.end()
    },
  }
})
