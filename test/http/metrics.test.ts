import { expect, test } from 'bun:test'
import { createMetrics, createMetricsBuffer } from '../../src/http/metrics.ts'
import { problemStatuses } from '../../src/http/problem.ts'

const toLines = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test.each([200, 201, 204, 206, 302, 304, 416, ...problemStatuses])('%d is counted by its number', (status) => {
  const metrics = createMetrics(createMetricsBuffer(1), 0)
  metrics.countRequest('item', 'GET', status, 1)
  const counted = toLines(metrics.toText('0', 0), 'rostrum_requests_total')
  expect(counted).toEqual([`rostrum_requests_total{route="item",method="GET",status="${status}"} 1`])
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
  const [one, two] = [createMetrics(buffer, 0), createMetrics(buffer, 1)]
  for (const ms of [0.5, 1, 60]) one.countRequest('item', 'GET', 200, ms)
  two.countRequest('item', 'GET', 503, 9_000)
  two.countRequest('item', 'PURGE', 405, 2)
  const name = 'rostrum_request_duration_seconds'
  const lines = toLines(one.toText('0', 0), name)
  const ofGet = (rest: string) => `${name}_${rest.replace('{', '{route="item",method="GET"')}`
  expect(lines).toEqual(
    expect.arrayContaining([
      ofGet('bucket{,le="0.001"} 2'),
      ofGet('bucket{,le="0.05"} 2'),
      ofGet('bucket{,le="0.1"} 3'),
      ofGet('bucket{,le="5"} 3'),
      ofGet('bucket{,le="+Inf"} 4'),
      ofGet('sum{} 9.0615'),
      ofGet('count{} 4'),
      `${name}_count{route="item",method="other"} 1`,
    ]),
  )
  expect(lines.length).toBe(2 * 15)
})
