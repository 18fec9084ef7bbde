import { expect, test } from 'bun:test'
import { findStartTime, parseStartTime } from '../../src/record/player/start-time.ts'

const times: readonly (readonly [string, number | null])[] = [
  ['90', 90],
  ['90s', 90],
  ['90.5', 90],
  ['1m30s', 90],
  ['1m', 60],
  ['1h', 3600],
  ['1h2m3s', 3723],
  ['1:30', 90],
  ['1:02:03', 3723],
  ['90,120', 90],
  ['0', 0],
  ['', null],
  ['-5', null],
  ['1e9', null],
  ['99999999', null],
  ['abc', null],
  ['1:2:3:4', null],
  ['90<script>', null],
]

for (const [text, seconds] of times) {
  test(`the start time "${text}" is ${seconds === null ? 'none' : `${seconds} seconds`}`, () => {
    expect(parseStartTime(text)).toBe(seconds)
  })
}

const addresses: readonly (readonly [string, number | null])[] = [
  ['https://example.org/video/1/a#t=90', 90],
  ['https://example.org/video/1/a?t=90', 90],
  ['https://example.org/video/1/a?t=10#t=20', 20],
  ['https://example.org/video/1/a?t=10#content', 10],
  ['https://www.youtube.com/embed/x?start=30', 30],
  ['https://example.org/video/1/a', null],
  ['https://example.org/video/1/a?t=10#t=0', 0],
  ['https://example.org/video/1/a?t=&t=5', null],
]

for (const [address, seconds] of addresses) {
  test(`${address} starts ${seconds === null ? 'anywhere' : `at ${seconds}`}`, () => {
    expect(findStartTime(new URL(address))).toBe(seconds)
  })
}
