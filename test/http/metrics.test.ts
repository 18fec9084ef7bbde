import { expect, test } from 'bun:test'
import { createMetrics, createMetricsBuffer } from '../../src/http/metrics.ts'
import { problemStatuses } from '../../src/http/problem.ts'

test.each([200, 201, 204, 302, 304, ...problemStatuses])('%d is counted by its number', (status) => {
  const metrics = createMetrics(createMetricsBuffer(1), 0)
  metrics.countRequest('item', 'GET', status)
  const lines = metrics.toText('0', 0, 0).split('\n')
  const counted = lines.filter((line) => line.startsWith('rostrum_requests_total'))
  expect(counted).toEqual([`rostrum_requests_total{route="item",method="GET",status="${status}"} 1`])
})

test('a record that was erased is among them: 410', () => {
  expect(problemStatuses).toContain(410)
})
