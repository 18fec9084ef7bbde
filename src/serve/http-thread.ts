import { createBaseUrl } from '../api/base-url.ts'
import { type ChangeStreams, createChangeStreams } from '../api/feed/change-streams.ts'
import { createItemCache } from '../api/item/item-cache.ts'
import { createRoutes } from '../api/routes.ts'
import { createAuth } from '../http/auth.ts'
import { createLocalMode } from '../http/local/local-mode.ts'
import { createLogger } from '../http/logger.ts'
import { createMetrics } from '../http/metrics.ts'
import { createPipeline } from '../http/pipeline.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { createSendAnswer } from '../http/send-body.ts'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { type Counters, createCounters } from '../store/counters.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import type { Store } from '../store/store.ts'
import { createFileDescriptors, type FileDescriptors } from './file-descriptors.ts'
import { toHttpUrl } from './http-url.ts'
import { createStorePorts } from './port/store-ports.ts'
import { createSqliteStore } from './sqlite-store.ts'
import type { HttpNotice, HttpOrder, HttpPlan } from './thread-messages.ts'

declare const self: Worker

/** For so long every answer ends its connection, so that clients are gone before the socket is. */
const farewellMs = 1_000
/** Then requests under way may take so long; supervisors commonly kill after ten seconds in all. */
const graceMs = 6_000
/** And answers that were given so long to leave. */
const lastBytesMs = 100

/** How often is looked whether there is room for more connections. */
const roomMs = 250

const links = createStorePorts()
const log = createLogger(Date.now)
let serving: { readonly server: HttpServer; readonly store: Store; readonly streams: ChangeStreams } | undefined
let isStopping = false

self.onmessage = ({ data: order }: MessageEvent<HttpOrder>) => {
  switch (order.is) {
    case 'start':
      return void start(order.plan).catch(fail)
    case 'store':
      return links[order.name].attach(order.port)
    case 'store-gone':
      return links[order.name].detach()
    case 'ping':
      return notify({ is: 'pong' })
    case 'stop':
      void stop()
  }
}

async function start(plan: HttpPlan): Promise<void> {
  const { config, shared } = plan
  const versions = createCounters(shared.versions)
  const store = await openStore(plan, versions)
  const budgetBytes = (config.cacheMegabytes * 1024 * 1024) / config.threads
  const records = createItemCache(store, { versions, budgetBytes })
  const metrics = createMetrics(shared.metrics, plan.thread)
  // They are the process's, so one thread tells of them.
  const descriptors = createFileDescriptors(plan.thread === 0 ? log : null)
  const common = {
    store,
    records,
    log,
    metrics,
    uptimeMs: createUptime(plan.uptimeMs),
    isStopping: () => isStopping,
    endsConnections: () => isStopping || descriptors.isShort(),
    maxBodyBytes: config.maxBodyBytes,
  }
  const auth = createAuth({
    ...common,
    adminKeyHash: plan.adminKeyHash,
    localMode: config.auth === 'local' ? createLocalMode(config.host, plan.port) : null,
    wrongTokens: createRateLimit(shared.wrongTokens, config.wrongTokensPerMinute),
  })
  const pipeline = createPipeline({
    ...common,
    auth,
    send: createSendAnswer(metrics, config.maxWaitingBytes),
    writes: createRateLimit(shared.writes, config.writesPerMinute),
    maxTargetBytes: config.maxTargetBytes,
    maxHeadBytes: config.maxHeadBytes,
    slowMs: config.slowMs,
    logsAccess: config.accessLog,
  })
  function refreshGauges(): void {
    metrics.set('cache_hits', records.stats.hits)
    metrics.set('cache_misses', records.stats.misses)
    metrics.set('cache_bytes', records.stats.bytes)
    metrics.set('pending_writes', links.writer.pendingCount())
  }
  // The other threads' numbers are asked for without asking them.
  setInterval(refreshGauges, 1_000).unref()
  setInterval(() => makeRoom(descriptors), roomMs).unref()
  const { maxStreams, heartbeatSeconds, stallSeconds } = config
  const streams = createChangeStreams({ ...common, maxStreams, heartbeatSeconds, stallSeconds })
  metrics.set('streams', 0)
  const baseUrl = createBaseUrl(config.baseUrl, toHttpUrl(config.host, plan.port))
  const routes = createRoutes({
    ...common,
    streams,
    baseUrl,
    version: plan.version,
    refreshGauges,
  })
  const { all, item: hotRoute, notFound } = routes
  listen(plan, store, streams, { pipeline, log, routes: all, hotRoute, notFound })
}

/** Connections on which nothing is asked go first. */
function makeRoom(descriptors: FileDescriptors): void {
  descriptors.look()
  if (descriptors.isShort()) serving?.server.closeIdleConnections()
}

/** Counted on from what the process's was; a wall clock may jump. */
function createUptime(processMs: number): () => number {
  const aheadMs = processMs - performance.now()
  return () => performance.now() + aheadMs
}

/** The PostgreSQL client is loaded only where it is used. */
async function openStore({ config, shared }: HttpPlan, versions: Counters): Promise<Store> {
  const { db, listMs } = config
  if (!isPostgresAddress(db)) return createSqliteStore(db, versions, links, listMs)
  const { createPostgresStore } = await import('./postgres-store.ts')
  const connections = Math.floor(config.pool / config.threads)
  return createPostgresStore({ address: db, connections, memory: shared, versions, links, listMs })
}

function fail(error: unknown): void {
  notify({ is: 'failed', problem: error instanceof Error ? error.message : String(error) })
  // Once main has heard why, it may start another in this one's place.
  setTimeout(() => process.exit(1), 100)
}

type Parts = Omit<Parameters<typeof startHttpServer>[0], 'hostname' | 'port' | 'reusePort'>

function listen({ config, port, reusePort }: HttpPlan, store: Store, streams: ChangeStreams, parts: Parts): void {
  try {
    serving = { store, streams, server: startHttpServer({ hostname: config.host, port, reusePort, ...parts }) }
    notify({ is: 'ready' })
  } catch (error) {
    fail(error)
  }
}

/** Connections on which nothing was asked must not hold up the end, nor may half a request. */
async function stop(): Promise<void> {
  isStopping = true
  serving?.streams.close()
  await Bun.sleep(farewellMs)
  if (serving !== undefined) {
    const { server, store } = serving
    const closed = server.stop()
    const until = performance.now() + graceMs
    while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(10)
    await Promise.race([closed, Bun.sleep(lastBytesMs)])
    await server.stop(true)
    // The last reader to go lets the writer put its log away.
    store.close()
  }
  await log.flush()
  notify({ is: 'stopped' })
}

function notify(notice: HttpNotice): void {
  self.postMessage(notice)
}
