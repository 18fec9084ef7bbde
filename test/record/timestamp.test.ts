import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDay, toLater, toMs, toTimestamp } from '../../src/record/timestamp.ts'

const ms = fc.integer({ min: 0, max: 4_102_444_799_999 })

test('a timestamp has three decimals, no zone, and keeps its millisecond', () => {
  fc.assert(
    fc.property(ms, (each) => {
      expect(toTimestamp(each)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
      expect(toMs(toTimestamp(each))).toBe(each)
    }),
  )
})

test('text order is time order', () => {
  fc.assert(fc.property(ms, ms, (a, b) => expect(toTimestamp(a) < toTimestamp(b)).toBe(a < b)))
})

test('a change is always after the one before it, even if the clock went back', () => {
  fc.assert(
    fc.property(ms, ms, (before, now) => {
      expect(toMs(toLater(toTimestamp(before), toTimestamp(now)))).toBe(now > before ? now : before + 1)
    }),
  )
})

test.each(['2024-02-29', '2000-02-29', '1999-12-31', '0001-01-01'])('%s is a day', (day) => {
  expect(isDay(day)).toBe(true)
})

test.each([
  '2023-02-29',
  '1900-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-04-31',
  '24-01-01',
  '2024-1-1',
  '2024-01-01T00:00',
  ' 2024-01-01',
  '',
])('%p is no day', (day) => {
  expect(isDay(day)).toBe(false)
})
