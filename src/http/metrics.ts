import type { RunningBatches } from '../store/batch-reads.ts'

const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', 'other']
const routes = ['item', 'list', 'page', 'system', 'other'] as const
/** All statuses that we send; a test checks that those of http/problem.ts are among them. */
const statuses: readonly number[] = [
  ...[200, 201, 202, 204, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 417, 421, 422, 428, 429, 431],
  ...[500, 501, 502, 503, 504, 507],
]
export type RouteName = (typeof routes)[number]

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

const requestCells = routes.length * methods.length * (statuses.length + 1)
const cellsPerThread = requestCells + values.length

export interface Metrics {
  countRequest(route: RouteName, method: string, status: number): void
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

  function toCell(route: RouteName, method: string, status: number): number {
    const m = methods.indexOf(method)
    const s = statuses.indexOf(status)
    const row = routes.indexOf(route) * methods.length + (m < 0 ? methods.length - 1 : m)
    return row * (statuses.length + 1) + (s < 0 ? statuses.length : s)
  }

  const sum = (cell: number) => {
    let total = 0
    for (let i = cell; i < all.length; i += cellsPerThread) total += all[i] ?? 0
    return total
  }

  function* toRequestLines(): Generator<string> {
    for (const route of routes) {
      for (const method of methods) {
        for (const status of [...statuses, 0]) {
          const count = sum(toCell(route, method, status))
          const label = status === 0 ? 'other' : status
          if (count > 0) yield `rostrum_requests_total{route="${route}",method="${method}",status="${label}"} ${count}`
        }
      }
    }
  }

  return {
    countRequest(route, method, status) {
      const cell = toCell(route, method, status)
      own[cell] = (own[cell] ?? 0) + 1
    },
    set(key, value) {
      own[toValueCell(key)] = value
    },
    toText: (version, uptimeSeconds, rssBytes, batches = { running: 0, done: 0, total: 0 }) =>
      [
        '# HELP rostrum_requests_total Requests by route, method and status.',
        '# TYPE rostrum_requests_total counter',
        ...toRequestLines(),
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
