import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { type ChangeStreams, createChangeStreams, maxOwnStreams } from '../api/feed/change-streams.ts'
import { createEntryCache } from '../api/records.ts'
import { createRoutes } from '../api/routes.ts'
import { toErrorCode, toFailureText } from '../error-code.ts'
import { type Auth, createAuth } from '../http/auth/auth.ts'
import { createLocalMode } from '../http/auth/local-mode.ts'
import { createSessionCheck, createSessionCookies, formLimits, type SessionCookies } from '../http/auth/session.ts'
import { createBaseUrl, toHttpUrl } from '../http/host.ts'
import { createQuota, createRateLimit } from '../http/limits.ts'
import { createLogger, createRefusalLog, type Logger } from '../http/logger.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import { Pipeline, type PipelineDeps } from '../http/pipeline.ts'
import { createSendAnswer } from '../http/respond.ts'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { createTrustedProxies } from '../http/trusted-proxies.ts'
import { toCompletionPath } from '../site/search/completion.ts'
import type { SiteSettings } from '../site/site-settings.ts'
import { type Counters, createCounters } from '../store/counters.ts'
import { maxRoundTripMs } from '../store/postgres/risks.ts'
import type { Store } from '../store/store.ts'
import { loadBackend } from './backend/load-backend.ts'
import { createPageCache } from './page-cache.ts'
import type { PageRoutes } from './page-routes.ts'
import type { HttpNotice, HttpOrder, HttpPlan, StoreThread } from './port/messages.ts'
import { createForward, createHttpStore, createStorePorts, type StorePorts } from './port/store-ports.ts'

declare const self: Worker

/** At shutdown every response closes its connection for this long, so that clients leave before the socket closes. */
const drainMs = 1_000
/** Then requests in flight get this long; supervisors commonly kill after ten seconds in all. */
const graceMs = 6_000
/** Time to flush their responses. */
const lastBytesMs = 100

/** How often file descriptors are counted. */
const roomMs = 250

const log = createLogger(Date.now)
let ports: StorePorts | undefined
let serving: { readonly server: HttpServer; readonly store: Store; readonly streams: ChangeStreams } | undefined
let isStopping = false

self.onmessage = ({ data: order }: MessageEvent<HttpOrder>) => {
  switch (order.is) {
    case 'start': {
      const counters = createCounters(order.plan.shared.counters)
      ports = createStorePorts(order.plan.config.queryThreads, counters.loadBulkSteps)
      return void start(order.plan, ports, counters).catch(fail)
    }
    case 'store':
      return findPort(order.from)?.attach(order.port)
    case 'store-gone':
      return findPort(order.from)?.detach()
    case 'ping':
      return notify({ is: 'pong' })
    case 'stop':
      void stop()
  }
}

function findPort(thread: StoreThread) {
  return thread === 'writer' ? ports?.writer : ports?.queries[thread.query]
}

async function start(plan: HttpPlan, ports: StorePorts, counters: Counters): Promise<void> {
  const { config } = plan
  const store = await openStore(plan, ports, counters)
  const base = createParts(plan, store, counters)
  const parts = { ...base, auth: openAuth(plan, base), cookies: createSessionCookies(config.baseUrl) }
  const { metrics, records } = parts
  const pages = createPageCache(createForward(ports.query, config.listMs), {
    budgetBytes: (config.pageCacheMegabytes * 1024 * 1024) / config.threads,
    baseUrl: parts.baseUrl,
    hasOneBase: config.baseUrl !== null,
    loadContent: counters.loadContent,
  })
  function refreshGauges(): void {
    metrics.set('cache_hits', records.stats.hits)
    metrics.set('cache_misses', records.stats.misses)
    metrics.set('cache_bytes', records.stats.bytes)
    metrics.set('pending_writes', ports.writer.pendingCount())
    metrics.set('page_cache_hits', pages.stats.hits)
    metrics.set('page_cache_misses', pages.stats.misses)
    metrics.set('page_cache_bytes', pages.stats.bytes)
    metrics.set(
      'pending_queries',
      ports.queries.map((port) => port.pendingCount()).reduce((a, b) => a + b),
    )
    // Of the process, not of this thread.
    if (plan.thread !== 0) return
    metrics.set('ready', !isStopping && store.isReady() ? 1 : 0)
    metrics.set('open_fds', parts.descriptors.count())
  }
  // The thread that serves /metrics reads the gauges of the others.
  setInterval(refreshGauges, 1_000).unref()
  setInterval(() => makeRoom(parts.descriptors), roomMs).unref()
  if (plan.thread === 0 && Number.isFinite(parts.descriptors.limit)) metrics.set('max_fds', parts.descriptors.limit)
  const { maxStreams, heartbeatSeconds, stallSeconds } = config
  const streams = createChangeStreams({ ...parts, maxStreams, heartbeatSeconds, stallSeconds })
  const { site: settings } = plan
  const toPagePath = settings === null ? null : toCompletionPath
  const { loadBatches } = counters
  const hidesMetrics = config.metricsAddress !== null
  const ofPlan = { version: plan.version, hasSite: settings !== null, hidesMetrics, toPagePath }
  const deps = { ...parts, ...ofPlan, streams, refreshGauges, loadBatches }
  const api = createRoutes(deps)
  const site = settings && (await openSite(parts, settings))
  const pipeline = openPipeline(plan, parts, pages.forward)
  const routes = [...api.all, ...(site?.all ?? [])]
  metrics.addRoutes(routes)
  const findMissing = (path: string) => (site === null || isOfApi(path) ? api.notFound : site.findMissing(path))
  listen(plan, store, streams, { pipeline, log, routes, recordRoute: api.record, exactRoute: api.metrics, findMissing })
}

/** Loads the code of pages only if there are any. */
async function openSite(parts: Parts, settings: SiteSettings): Promise<PageRoutes> {
  const { createSiteParts } = await import('../site/routes.ts')
  const { createPageRoutes } = await import('./page-routes.ts')
  return createPageRoutes({ ...parts, ...createSiteParts(settings) })
}

const isOfApi = (path: string) => /^\/+api(?:\/|$)/.test(path)

/** The dependencies that several parts of the thread share. */
function createParts(plan: HttpPlan, store: Store, counters: Counters) {
  const { config, shared } = plan
  const budgetBytes = (config.cacheMegabytes * 1024 * 1024) / config.threads
  // File descriptors belong to the process, so only one thread logs about them.
  const descriptors = createFileDescriptors(plan.thread === 0 ? log : null)
  const metrics = createMetrics(shared.metrics, plan.thread)
  return {
    store,
    log,
    logRefusal: createRefusalLog({ log, count: (event) => metrics.add(event, 1), hasAddress: config.logAddress }),
    descriptors,
    records: createEntryCache(store, { counters, budgetBytes }),
    metrics,
    ...createQuotas(plan, metrics),
    baseUrl: createBaseUrl(config.baseUrl, toHttpUrl(config.host, plan.port)),
    uptimeMs: createUptime(plan.uptimeMs),
    now: () => Date.now(),
    isStopping: () => isStopping,
    endsConnections: () => isStopping || descriptors.isShort(),
    maxBodyBytes: config.maxBodyBytes,
  }
}

/** A replaced thread starts at 0, whatever its predecessor held. */
function createQuotas({ config, shared, thread }: HttpPlan, metrics: Metrics) {
  const waitingLimits = { max: config.maxWaitingBytes, maxPerKey: config.maxWaitingBytes / 4 }
  const streamLimits = { max: config.maxStreams, maxPerKey: maxOwnStreams }
  return {
    forms: createQuota(shared.forms, thread, formLimits),
    waiting: createQuota(shared.waiting, thread, waitingLimits, (own) => metrics.set('waiting_bytes', own)),
    streamQuota: createQuota(shared.streams, thread, streamLimits, (own) => metrics.set('streams', own)),
  }
}

type BaseParts = ReturnType<typeof createParts>
type Parts = BaseParts & { readonly auth: Auth; readonly cookies: SessionCookies }

function openAuth({ config, shared, adminKeyHash, port }: HttpPlan, parts: BaseParts): Auth {
  return createAuth({
    ...parts,
    adminKeyHash,
    localMode: config.auth === 'local' ? createLocalMode(config.host, port) : null,
    wrongTokens: createRateLimit(shared.wrongTokens, config.wrongTokensPerMinute),
  })
}

function openPipeline(plan: HttpPlan, parts: Parts, forward: PipelineDeps['forward']): Pipeline {
  const { config, shared } = plan
  return new Pipeline({
    ...parts,
    reportStoreFailure: (error) => notify({ is: 'store failed', text: toFailureText(error) }),
    explainLate: createSlowDatabase(createCounters(shared.counters), log),
    checkSession: createSessionCheck({ ...parts, configuredUrl: config.baseUrl }),
    forward,
    send: createSendAnswer(parts.waiting),
    proxies: createTrustedProxies(config.trustedProxies),
    writes: createRateLimit(shared.writes, config.writesPerMinute),
    maxTargetBytes: config.maxTargetBytes,
    maxHeadBytes: config.maxHeadBytes,
    slowMs: config.slowMs,
    logsAccess: config.accessLog,
    logsAddress: config.logAddress,
  })
}

/** Closes idle connections if file descriptors are short. */
function makeRoom(descriptors: FileDescriptors): void {
  descriptors.look()
  if (descriptors.isShort()) serving?.server.closeIdleConnections()
}

/** The age of the process by this thread's monotonic clock. */
function createUptime(processMs: number): () => number {
  const aheadMs = processMs - performance.now()
  return () => performance.now() + aheadMs
}

async function openStore({ config, engine, shared }: HttpPlan, ports: StorePorts, counters: Counters): Promise<Store> {
  const { openRecords } = await loadBackend(engine)
  const connections = Math.floor(config.pool / config.threads)
  const records = openRecords({ address: config.db, counters, memory: shared, connections })
  return createHttpStore(counters, ports, records, config.listMs)
}

function fail(error: unknown): void {
  notify({ is: 'failed', problem: error instanceof Error ? error.message : String(error) })
  // Later, so that main reads the notice first; it may then restart the thread.
  setTimeout(() => process.exit(1), 100)
}

type ServerParts = Omit<Parameters<typeof startHttpServer>[0], 'hostname' | 'port' | 'reusePort'>

function listen({ config, port, reusePort }: HttpPlan, store: Store, streams: ChangeStreams, parts: ServerParts): void {
  try {
    serving = { store, streams, server: startHttpServer({ hostname: config.host, port, reusePort, ...parts }) }
    notify({ is: 'ready' })
  } catch (error) {
    fail(error)
  }
}

/** Idle connections and incomplete requests do not delay it. */
async function stop(): Promise<void> {
  isStopping = true
  serving?.streams.close()
  await Bun.sleep(drainMs)
  if (serving !== undefined) {
    const { server, store } = serving
    const closed = server.stop()
    const until = performance.now() + graceMs
    while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(10)
    await Promise.race([closed, Bun.sleep(lastBytesMs)])
    await server.stop(true)
    // Before the writer closes its connection: the last one to close removes the write-ahead log.
    store.close()
  }
  await log.flush()
  notify({ is: 'stopped' })
}

function notify(notice: HttpNotice): void {
  self.postMessage(notice)
}

interface FileDescriptors {
  /** Whether few are left, so that idle connections must be closed. */
  isShort(): boolean
  /** How many were open at the last look. */
  count(): number
  readonly limit: number
  /** Counts again; to be called a few times a second. */
  look(): void
}

const shortFrom = 0.9
const logEveryMs = 60_000
const limitsFile = '/proc/self/limits'

/**
 * Watches how many file descriptors the process has left. When there are none, Bun retries `accept` in a loop, and no
 * new client is served until some connection reaches the idle timeout of half a minute (decision 35).
 */
function createFileDescriptors(log: Pick<Logger, 'warn'> | null, limit = readLimit()): FileDescriptors {
  let open = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  const isShort = () => open >= limit * shortFrom

  function look(): void {
    open = countOpen(limit)
    if (!isShort() || performance.now() - loggedMs < logEveryMs) return
    loggedMs = performance.now()
    log?.warn('file descriptors low', { open, limit })
  }

  return { isShort, count: () => open, limit, look }
}

/** Infinite on systems without /proc. */
function readLimit(): number {
  const limits = existsSync(limitsFile) ? readFileSync(limitsFile, 'latin1') : ''
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** A new file descriptor gets the lowest free number, so at least that many are open. */
function countOpen(limit: number): number {
  try {
    const lowest = openSync('/', 'r')
    closeSync(lowest)
    return lowest
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes(toErrorCode(error))) return limit
    throw error
  }
}

/** The least time between two log lines of this thread. */
const everyMs = 10_000

/** Returns and logs why a request was late if the database responds slowly; null if it responds quickly. */
function createSlowDatabase(
  { loadRoundTripMs }: Pick<Counters, 'loadRoundTripMs'>,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): () => string | null {
  let count = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return () => {
    const ms = loadRoundTripMs()
    if (ms <= maxRoundTripMs) return null
    const why = `The database took ${ms} ms per round trip.`
    count++
    if (now() >= loggedMs + everyMs) {
      log.warn('slow database', { why: `Requests exceed --list-ms. ${why} Run nodes close to their database.`, count })
      loggedMs = now()
      count = 0
    }
    return `The request exceeded its time limit. ${why} Retry later.`
  }
}
