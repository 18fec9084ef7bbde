import { describe, expect } from 'bun:test'
import { formats } from './every-record.ts'
import { toPath, useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const maxLength = 2 ** 53 - 1
const noIntegers = ['5', '', true, false, 5.5, -1, 1e-7, [5], {}, 1e300]

const duration: readonly Row[] = [
  ...[null, 0, 1, 3600, 10_000_000].map((value) => takes('duration', value)),
  ...[10_000_001, ...noIntegers].map((value) => refuses('duration', value)),
]

const lengths: readonly Row[] = formats.flatMap((format) => [
  ...[null, 0, 1, 2 ** 32, maxLength].map((value) => takes(`video_${format}_length`, value)),
  ...[maxLength + 1, ...noIntegers].map((value) => refuses(`video_${format}_length`, value)),
])

const downloadOnly: readonly Row[] = formats.flatMap((format) => [
  ...[true, false].map((value) => takes(`video_${format}_download_only`, value)),
  ...[null, 0, 1, 'true', '', [], {}].map((value) => refuses(`video_${format}_download_only`, value)),
])

const state: readonly Row[] = [
  ...[1, 2].map((value) => takes('state', value)),
  ...[null, 0, 3, -1, 1.5, '1', 'live', true, [], {}].map((value) => refuses('state', value)),
]

const spellings: readonly Row[] = [
  { field: 'duration', written: '5.0', value: 5 },
  { field: 'duration', written: '1e3', value: 1000 },
  { field: 'duration', written: '1E+3', value: 1000 },
  { field: 'duration', written: '12300e-2', value: 123 },
  { field: 'video_mp4_length', written: '9007199254740991.0', value: maxLength },
  { field: 'state', written: '2.0', value: 2 },
].map(({ field, written, value }) => ({
  name: `${field} takes ${written}, which is the JSON number ${value}`,
  method: 'PATCH',
  path: toPath('{id}'),
  as: 'admin',
  body: `{"${field}":${written}}`,
  status: 200,
  contains: [`"${field}":${value},`],
  check: (json) => expect(json[field]).toBe(value),
}))

describe('Duration', () => runTable(duration, service))

describe('The lengths of media', () => runTable(lengths, service))

describe('The download-only marks', () => runTable(downloadOnly, service))

describe('State', () => runTable(state, service))

describe('A number', () => runTable(spellings, service))
