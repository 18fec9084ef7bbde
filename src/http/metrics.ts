import type { RunningBatches } from '../store/batch-reads.ts'
import type { RefusalEvent } from './logger.ts'
import type { Route } from './route.ts'

/** The label of a path that no route has, and of a method that a route does not have. */
const other = 'other'
const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', other]
/** Memory that no failure counts in stays untouched, so there is room for more routes than we have. */
const maxRoutes = 256

/** One cell for each status that HTTP allows. */
const [firstStatus, statusCount] = [100, 500]
/** Upper bounds in seconds. A record takes less than the first, and a list may take two seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const
/** One cell for each bucket, and the last for the sum. */
const histogramCells = bounds.length + 2

interface Value {
  readonly name: string
  readonly labels?: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
}

const counter = (name: string, help: string): Value => ({ name, type: 'counter', help })
const gauge = (name: string, help: string): Value => ({ name, type: 'gauge', help })
const toRefusals = (reason: RefusalEvent): Value => ({
  ...counter(
    'rostrum_refusals_total',
    'Requests with a wrong key, or beyond a limit; the reason is the event in the log.',
  ),
  labels: `{reason="${reason}"}`,
})
const toRecords = (state: string): Value => ({ ...gauge('rostrum_records', 'Records.'), labels: `{state="${state}"}` })

const toLinks = (state: string): Value => ({
  ...gauge('rostrum_links', 'Addresses of records, by what the last checks found.'),
  labels: `{state="${state}"}`,
})

/** What threads set or add to. Those of one name follow each other. */
const values = {
  ready: gauge('rostrum_ready', 'Whether /readyz returns 200.'),
  cache_hits: counter('rostrum_cache_hits_total', 'Records served from the record cache.'),
  cache_misses: counter('rostrum_cache_misses_total', 'Records read from the store.'),
  cache_bytes: gauge('rostrum_cache_bytes', 'Size of the record caches.'),
  page_cache_hits: counter('rostrum_page_cache_hits_total', 'Lists and other pages served from the page cache.'),
  page_cache_misses: counter('rostrum_page_cache_misses_total', 'Pages that could have been cached, but were not.'),
  page_cache_bytes: gauge('rostrum_page_cache_bytes', 'Size of the page caches.'),
  pending_writes: gauge('rostrum_pending_writes', 'Writes waiting for their commit.'),
  pending_queries: gauge(
    'rostrum_pending_queries',
    'Lists, pages and searches that query threads have not answered yet.',
  ),
  waiting_bytes: gauge(
    'rostrum_waiting_bytes',
    'Bytes of large responses, and of chunks of downloads and streams, that wait for slow readers.',
  ),
  streams: gauge('rostrum_streams', 'Open streams of the change feed.'),
  sessions: gauge('rostrum_sessions', 'Sessions of curators that have not expired.'),
  'token refused': toRefusals('token refused'),
  'sign-in refused': toRefusals('sign-in refused'),
  'too many wrong tokens': toRefusals('too many wrong tokens'),
  'too many writes': toRefusals('too many writes'),
  live_records: toRecords('live'),
  draft_records: toRecords('draft'),
  last_change: gauge('rostrum_last_change_timestamp_seconds', 'When a record was last changed; 0 if never.'),
  store_bytes: gauge('rostrum_store_bytes', 'Size of the store on disk.'),
  index_complete: gauge('rostrum_index_complete', 'Whether the indexes in memory have every record.'),
  ok_links: toLinks('ok'),
  moved_links: toLinks('moved'),
  gone_links: toLinks('gone'),
  private_links: toLinks('private'),
  not_embeddable_links: toLinks('not_embeddable'),
  unknown_links: toLinks('unknown'),
  link_checks: counter('rostrum_link_checks_total', 'Addresses checked by --check-links.'),
  oldest_link_check: gauge(
    'rostrum_link_oldest_check_age_seconds',
    'Age of the oldest check of an address; 0 if none was checked.',
  ),
  last_backup: gauge(
    'rostrum_last_backup_timestamp_seconds',
    'When the newest backup in --backup-dir was begun; 0 without one.',
  ),
  backup_failures: counter('rostrum_backup_failures_total', 'Backups that could not be made.'),
  open_fds: gauge('process_open_fds', 'Open file descriptors.'),
  max_fds: gauge('process_max_fds', 'Limit of open file descriptors.'),
  committed_writes: counter('rostrum_committed_writes_total', 'Writes that were committed, several at a time.'),
}
type ValueName = keyof typeof values
const valueKeys = Object.keys(values)
const toValueCell = (key: string) => requestCells + valueKeys.indexOf(key)

/** Of one route and method. */
const rowCells = statusCount + histogramCells
const requestCells = maxRoutes * methods.length * rowCells
const commitCells = requestCells + valueKeys.length
const cellsPerThread = commitCells + histogramCells
const labelBytes = 32 * 1024

export interface Metrics {
  /** Gives each path cells of its own. Every HTTP thread calls it, with the same routes. */
  addRoutes(routes: readonly CountedRoute[]): void
  countRequest(path: string, method: string, status: number, ms: number): void
  /** A group of writes was committed together. */
  countCommit(writes: number, ms: number): void
  set(key: ValueName, value: number): void
  add(key: ValueName, amount: number): void
  /** Prometheus text, summed over all threads. */
  toText(version: string, uptimeSeconds: number, batches?: RunningBatches): string
}

type CountedRoute = Pick<Route, 'path' | 'actions'>

export function createMetricsBuffer(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(labelBytes + threads * cellsPerThread * Float64Array.BYTES_PER_ELEMENT)
}

/**
 * Each thread counts in its own cells, so counting needs no locks; a request for metrics sums them. Threads of the store
 * use those of the first HTTP thread, each for values that nobody else sets.
 */
export function createMetrics(buffer: SharedArrayBuffer, thread: number): Metrics {
  const labels = createRouteLabels(buffer)
  const all = new Float64Array(buffer, labelBytes)
  const own = all.subarray(thread * cellsPerThread, (thread + 1) * cellsPerThread)
  const missing = toRows(0, methods)
  /** The first cell of each method, by path. */
  const rows = new Map<string, ReadonlyMap<string, number>>()

  function add(cell: number, amount: number): void {
    own[cell] = (own[cell] ?? 0) + amount
  }

  function addDuration(first: number, ms: number): void {
    const seconds = ms / 1_000
    let bucket = 0
    while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
    add(first + bucket, 1)
    add(first + histogramCells - 1, seconds)
  }

  const sum = (cell: number) => {
    let total = 0
    for (let i = cell; i < all.length; i += cellsPerThread) total += all[i] ?? 0
    return total
  }

  function* toRequestLines(): Generator<string> {
    for (const [labels, row] of listUsedRows()) {
      for (let i = 0; i < statusCount; i++) {
        const count = sum(row + i)
        if (count > 0) yield `rostrum_requests_total{${labels},status="${firstStatus + i}"} ${count}`
      }
    }
  }

  function* toDurationLines(): Generator<string> {
    for (const [labels, row] of listUsedRows()) {
      yield* toHistogramLines('rostrum_request_duration_seconds', row + statusCount, labels)
    }
  }

  function* listUsedRows(): Generator<[labels: string, row: number]> {
    for (const [i, route] of labels.read().entries()) {
      for (const [method, row] of toRows(i, methods)) {
        if (sumHistogram(row + statusCount) > 0) yield [`route="${route}",method="${method}"`, row]
      }
    }
  }

  /** How many durations it has up to this bucket. */
  function sumHistogram(first: number, lastBucket: number = bounds.length): number {
    let count = 0
    for (let i = 0; i <= lastBucket; i++) count += sum(first + i)
    return count
  }

  function toHistogramLines(name: string, first: number, labels = ''): string[] {
    const inBraces = (text: string) => (text === '' ? '' : `{${text}}`)
    const withBound = (bound: number | string) => inBraces(`${labels}${labels === '' ? '' : ','}le="${bound}"`)
    return [
      ...[...bounds, '+Inf'].map((bound, i) => `${name}_bucket${withBound(bound)} ${sumHistogram(first, i)}`),
      `${name}_sum${inBraces(labels)} ${sum(first + histogramCells - 1)}`,
      `${name}_count${inBraces(labels)} ${sumHistogram(first)}`,
    ]
  }

  function* toValueLines(): Generator<string> {
    let previous = ''
    for (const [key, { name, labels = '', type, help }] of Object.entries<Value>(values)) {
      if (name !== previous) yield* [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
      yield `${name}${labels} ${sum(toValueCell(key))}`
      previous = name
    }
  }

  return {
    addRoutes(routes) {
      const paths = [...new Set(routes.map(({ path }) => path))]
      labels.write([other, ...paths])
      for (const { path, actions } of routes) {
        rows.set(path, toRows(paths.indexOf(path) + 1, [...Object.keys(actions), other]))
      }
    },
    countRequest(path, method, status, ms) {
      const ofPath = rows.get(path) ?? missing
      const row = ofPath.get(method) ?? ofPath.get(other) ?? 0
      add(row + status - firstStatus, 1)
      addDuration(row + statusCount, ms)
    },
    countCommit(writes, ms) {
      add(toValueCell('committed_writes'), writes)
      addDuration(commitCells, ms)
    },
    set(key, value) {
      own[toValueCell(key)] = value
    },
    add: (key, amount) => add(toValueCell(key), amount),
    toText: (version, uptimeSeconds, batches = { running: 0, done: 0, total: 0 }) =>
      [
        '# HELP rostrum_requests_total Requests by route, method and status.',
        '# TYPE rostrum_requests_total counter',
        ...toRequestLines(),
        '# HELP rostrum_request_duration_seconds From the request head to the start of the response.',
        '# TYPE rostrum_request_duration_seconds histogram',
        ...toDurationLines(),
        ...toValueLines(),
        '# HELP rostrum_commit_duration_seconds From the start of a transaction for a group of writes to its end.',
        '# TYPE rostrum_commit_duration_seconds histogram',
        ...toHistogramLines('rostrum_commit_duration_seconds', commitCells),
        ...toMetric('rostrum_batches_running', 'gauge', 'Batches that this process runs.', batches.running),
        ...toMetric('rostrum_batch_records', 'gauge', 'Records of running batches.', batches.total),
        ...toMetric('rostrum_batch_records_done', 'gauge', 'Records of running batches that are done.', batches.done),
        ...toMetric('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss()),
        ...toMetric('process_cpu_seconds_total', 'counter', 'CPU time of the process.', toCpuSeconds()),
        ...toMetric('rostrum_uptime_seconds', 'gauge', 'Seconds since the start.', uptimeSeconds),
        ...toMetric('rostrum_info', 'gauge', 'Always 1; the label has the version.', 1, `{version="${version}"}`),
        '',
      ].join('\n'),
  }
}

/** The first cell of each of these methods of a route. */
function toRows(route: number, ofRoute: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ofRoute.map((method) => [method, (route * methods.length + methods.indexOf(method)) * rowCells]))
}

/** The labels of routes at the start of the buffer, because the main thread serves metrics but has no routes. */
function createRouteLabels(buffer: SharedArrayBuffer) {
  const length = new Int32Array(buffer, 0, 1)
  const bytes = new Uint8Array(buffer, length.byteLength, labelBytes - length.byteLength)
  return {
    write(labels: readonly string[]): void {
      const text = Buffer.from(JSON.stringify(labels))
      if (labels.length > maxRoutes || text.length > bytes.length) throw new Error('too many routes for the metrics')
      bytes.set(text)
      Atomics.store(length, 0, text.length)
    },
    /** Empty until the first HTTP thread has started. */
    read(): readonly string[] {
      const text = Buffer.from(bytes.slice(0, Atomics.load(length, 0))).toString()
      // `write` wrote it.
      return text === '' ? [] : (JSON.parse(text) as string[])
    },
  }
}

const { rss } = process.memoryUsage

function toCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function toMetric(name: string, type: string, help: string, value: number, labels = ''): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name}${labels} ${value}`]
}
