import type { RunningBatches } from '../store/batch-reads.ts'

const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', 'other']
const routes = ['item', 'list', 'api', 'page', 'search', 'feed', 'asset', 'edit', 'system', 'other'] as const
export type RouteName = (typeof routes)[number]

/** One cell for each status that HTTP allows. */
const [firstStatus, statusCount] = [100, 500]
/** Upper bounds in seconds. A record takes less than the first, and a list may take two seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const
/** One cell for each bucket, and the last for the sum. */
const histogramCells = bounds.length + 2

/** Values that threads set instead of counting requests, with their Prometheus metadata. */
const values = [
  {
    key: 'cache_hits',
    name: 'rostrum_cache_hits_total',
    type: 'counter',
    help: 'Records served from the record cache.',
  },
  { key: 'cache_misses', name: 'rostrum_cache_misses_total', type: 'counter', help: 'Records read from the store.' },
  { key: 'cache_bytes', name: 'rostrum_cache_bytes', type: 'gauge', help: 'Size of the record caches.' },
  {
    key: 'page_cache_hits',
    name: 'rostrum_page_cache_hits_total',
    type: 'counter',
    help: 'Lists and other pages served from the page cache.',
  },
  {
    key: 'page_cache_misses',
    name: 'rostrum_page_cache_misses_total',
    type: 'counter',
    help: 'Pages that could have been cached, but were not.',
  },
  {
    key: 'page_cache_bytes',
    name: 'rostrum_page_cache_bytes',
    type: 'gauge',
    help: 'Size of the page caches.',
  },
  { key: 'pending_writes', name: 'rostrum_pending_writes', type: 'gauge', help: 'Writes waiting for their commit.' },
  {
    key: 'waiting_bytes',
    name: 'rostrum_waiting_bytes',
    type: 'gauge',
    help: 'Bytes of large responses, and of chunks of downloads and streams, that wait for slow readers.',
  },
  {
    key: 'last_backup',
    name: 'rostrum_last_backup_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest backup in --backup-dir was begun; 0 without one.',
  },
  {
    key: 'backup_failures',
    name: 'rostrum_backup_failures_total',
    type: 'counter',
    help: 'Backups that could not be made.',
  },
  { key: 'streams', name: 'rostrum_streams', type: 'gauge', help: 'Open streams of the change feed.' },
] as const
export type ValueName = (typeof values)[number]['key']
const toValueCell = (key: ValueName) => requestCells + values.findIndex((each) => each.key === key)

/** Of one route and method. */
const rowCells = statusCount + histogramCells
const requestCells = routes.length * methods.length * rowCells
const cellsPerThread = requestCells + values.length

export interface Metrics {
  countRequest(route: RouteName, method: string, status: number, ms: number): void
  set(key: ValueName, value: number): void
  /** Prometheus text, summed over all threads. */
  toText(version: string, uptimeSeconds: number, rssBytes: number, batches?: RunningBatches): string
}

export function createMetricsBuffer(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * cellsPerThread * Float64Array.BYTES_PER_ELEMENT)
}

/** Each thread counts in its own cells, so counting needs no locks; a request for metrics sums them. */
export function createMetrics(buffer: SharedArrayBuffer, thread: number): Metrics {
  const all = new Float64Array(buffer)
  const own = all.subarray(thread * cellsPerThread, (thread + 1) * cellsPerThread)

  function toRow(route: RouteName, method: string): number {
    const m = methods.indexOf(method)
    return (routes.indexOf(route) * methods.length + (m < 0 ? methods.length - 1 : m)) * rowCells
  }

  function add(cell: number, amount: number): void {
    own[cell] = (own[cell] ?? 0) + amount
  }

  const sum = (cell: number) => {
    let total = 0
    for (let i = cell; i < all.length; i += cellsPerThread) total += all[i] ?? 0
    return total
  }

  function* toRequestLines(): Generator<string> {
    for (const [labels, row] of listRows()) {
      for (let i = 0; i < statusCount; i++) {
        const count = sum(row + i)
        if (count > 0) yield `rostrum_requests_total{${labels},status="${firstStatus + i}"} ${count}`
      }
    }
  }

  function* toDurationLines(): Generator<string> {
    for (const [labels, row] of listRows()) {
      yield* toHistogramLines('rostrum_request_duration_seconds', labels, row + statusCount)
    }
  }

  function* listRows(): Generator<[labels: string, row: number]> {
    for (const route of routes) {
      for (const method of methods) yield [`route="${route}",method="${method}"`, toRow(route, method)]
    }
  }

  /** Nothing if it is empty. */
  function toHistogramLines(name: string, labels: string, first: number): string[] {
    let count = 0
    const buckets = [...bounds, '+Inf'].map((bound, i) => {
      count += sum(first + i)
      return `${name}_bucket{${labels},le="${bound}"} ${count}`
    })
    if (count === 0) return []
    const total = sum(first + histogramCells - 1)
    return [...buckets, `${name}_sum{${labels}} ${total}`, `${name}_count{${labels}} ${count}`]
  }

  return {
    countRequest(route, method, status, ms) {
      const row = toRow(route, method)
      const seconds = ms / 1_000
      let bucket = 0
      while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
      add(row + status - firstStatus, 1)
      add(row + statusCount + bucket, 1)
      add(row + rowCells - 1, seconds)
    },
    set(key, value) {
      own[toValueCell(key)] = value
    },
    toText: (version, uptimeSeconds, rssBytes, batches = { running: 0, done: 0, total: 0 }) =>
      [
        '# HELP rostrum_requests_total Requests by route, method and status.',
        '# TYPE rostrum_requests_total counter',
        ...toRequestLines(),
        '# HELP rostrum_request_duration_seconds From the request head to the start of the response.',
        '# TYPE rostrum_request_duration_seconds histogram',
        ...toDurationLines(),
        ...values.flatMap(({ key, name, type, help }) => toMetric(name, type, help, sum(toValueCell(key)))),
        ...toMetric('rostrum_batches_running', 'gauge', 'Batches that this process runs.', batches.running),
        ...toMetric('rostrum_batch_records', 'gauge', 'Records of running batches.', batches.total),
        ...toMetric('rostrum_batch_records_done', 'gauge', 'Records of running batches that are done.', batches.done),
        ...toMetric('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rssBytes),
        ...toMetric('rostrum_uptime_seconds', 'gauge', 'Seconds since the start.', uptimeSeconds),
        ...toMetric('rostrum_info', 'gauge', 'Always 1; the label has the version.', 1, `{version="${version}"}`),
        '',
      ].join('\n'),
  }
}

function toMetric(name: string, type: string, help: string, value: number, labels = ''): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name}${labels} ${value}`]
}
