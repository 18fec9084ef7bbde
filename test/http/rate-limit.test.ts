import { expect, test } from 'bun:test'
import { createRateLimit, createRateLimitBuffer } from '../../src/http/limits.ts'

test('the limit per minute counts from the first request, over all threads that share the buffer', () => {
  const buffer = createRateLimitBuffer()
  const threads = [createRateLimit(buffer, 5), createRateLimit(buffer, 5)]
  const start = 1_700_000_030_000
  const waits = Array.from({ length: 7 }, (_, i) => threads[i % 2]?.take('a', start + i * 1000))
  expect(waits).toEqual([0, 0, 0, 0, 0, 55, 54])
  expect(threads[0]?.take('a', start + 60_000)).toBe(0)
})

test('no key is limited by requests of another', () => {
  const limit = createRateLimit(createRateLimitBuffer(), 5)
  for (let i = 0; i < 5; i++) limit.take('first', 1_700_000_000_000)
  const waits = Array.from({ length: 20_000 }, (_, i) => limit.take(`other ${i}`, 1_700_000_000_000))
  expect(waits.filter((wait) => wait > 0)).toEqual([])
})

test('a clock that goes back begins a new window', () => {
  const limit = createRateLimit(createRateLimitBuffer(), 1)
  expect(limit.take('a', 1_700_000_000_000)).toBe(0)
  expect(limit.take('a', 1_699_990_000_000)).toBe(0)
  expect(limit.take('a', 1_699_990_001_000)).toBe(59)
})

test('nothing is limited at 0', () => {
  const limit = createRateLimit(createRateLimitBuffer(), 0)
  expect(Array.from({ length: 100 }, () => limit.take('a', 0)).filter((wait) => wait > 0)).toEqual([])
})
