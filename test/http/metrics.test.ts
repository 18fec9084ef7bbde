import { expect, test } from 'bun:test'
import { createMetrics, createMetricsBuffer, type Metrics } from '../../src/http/metrics.ts'
import { problemStatuses } from '../../src/http/problem.ts'

const records = '/api/v2/video/:id'
const toRoute = (path: string, ...methods: string[]) => ({
  path,
  actions: Object.fromEntries(methods.map((method) => [method, undefined])),
})

/** Of a thread with a few routes. */
function createThread(buffer = createMetricsBuffer(1), thread = 0): Metrics {
  const metrics = createMetrics(buffer, thread)
  metrics.addRoutes([toRoute('/', 'GET', 'HEAD'), toRoute(records, 'GET', 'HEAD', 'PUT', 'PATCH')])
  return metrics
}

const toLines = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test.each([200, 201, 204, 206, 302, 304, 416, ...problemStatuses])('%d is counted by its number', (status) => {
  const metrics = createThread()
  metrics.countRequest(records, 'GET', status, 1)
  const counted = toLines(metrics.toText('0', 0), 'rostrum_requests_total')
  expect(counted).toEqual([`rostrum_requests_total{route="${records}",method="GET",status="${status}"} 1`])
})

test('a record that was erased is among them: 410', () => {
  expect(problemStatuses).toContain(410)
})

test('the commits of writes are counted with their durations and sizes', () => {
  const metrics = createMetrics(createMetricsBuffer(1), 0)
  metrics.countCommit(3, 4)
  metrics.countCommit(1, 2_000)
  const text = metrics.toText('0', 0)
  expect(toLines(text, 'rostrum_committed_writes_total')).toEqual(['rostrum_committed_writes_total 4'])
  expect(toLines(text, 'rostrum_commit_duration_seconds')).toEqual(
    expect.arrayContaining([
      'rostrum_commit_duration_seconds_bucket{le="0.005"} 1',
      'rostrum_commit_duration_seconds_bucket{le="+Inf"} 2',
      'rostrum_commit_duration_seconds_sum 2.004',
      'rostrum_commit_duration_seconds_count 2',
    ]),
  )
})

test('the durations of all threads are in the buckets of their route and method', () => {
  const buffer = createMetricsBuffer(2)
  const [one, two] = [createThread(buffer, 0), createThread(buffer, 1)]
  for (const ms of [0.5, 1, 60]) one.countRequest(records, 'GET', 200, ms)
  two.countRequest(records, 'GET', 503, 9_000)
  two.countRequest(records, 'PURGE', 405, 2)
  const name = 'rostrum_request_duration_seconds'
  const lines = toLines(one.toText('0', 0), name)
  const ofGet = (rest: string) => `${name}_${rest.replace('{', `{route="${records}",method="GET"`)}`
  expect(lines).toEqual(
    expect.arrayContaining([
      ofGet('bucket{,le="0.001"} 2'),
      ofGet('bucket{,le="0.05"} 2'),
      ofGet('bucket{,le="0.1"} 3'),
      ofGet('bucket{,le="5"} 3'),
      ofGet('bucket{,le="+Inf"} 4'),
      ofGet('sum{} 9.0615'),
      ofGet('count{} 4'),
      `${name}_count{route="${records}",method="other"} 1`,
    ]),
  )
  expect(lines.length).toBe(2 * 15)
})

test('each route has its own numbers, and paths that no route has share theirs', () => {
  const metrics = createThread()
  metrics.countRequest('/', 'GET', 200, 1)
  metrics.countRequest(records, 'GET', 200, 1)
  for (const path of ['', '/*', '/wp-login.php']) metrics.countRequest(path, 'POST', 404, 1)
  expect(toLines(metrics.toText('0', 0), 'rostrum_requests_total')).toEqual([
    'rostrum_requests_total{route="other",method="POST",status="404"} 3',
    'rostrum_requests_total{route="/",method="GET",status="200"} 1',
    `rostrum_requests_total{route="${records}",method="GET",status="200"} 1`,
  ])
})

test('methods that a route does not have are counted as one, so that clients cannot make more series', () => {
  const metrics = createThread()
  for (const method of ['POST', 'DELETE', 'PURGE', 'constructor']) metrics.countRequest('/', method, 405, 1)
  metrics.countRequest('/nothing', 'PURGE', 404, 1)
  expect(toLines(metrics.toText('0', 0), 'rostrum_requests_total')).toEqual([
    'rostrum_requests_total{route="other",method="other",status="404"} 1',
    'rostrum_requests_total{route="/",method="other",status="405"} 4',
  ])
})

test('a thread without routes knows the names of them all', () => {
  const buffer = createMetricsBuffer(2)
  const main = createMetrics(buffer, 0)
  expect(toLines(main.toText('0', 0), 'rostrum_requests_total')).toEqual([])
  createThread(buffer, 1).countRequest('/', 'GET', 200, 1)
  expect(toLines(main.toText('0', 0), 'rostrum_requests_total')).toEqual([
    'rostrum_requests_total{route="/",method="GET",status="200"} 1',
  ])
})
