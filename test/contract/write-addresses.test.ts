import { describe } from 'bun:test'
import { formats } from './every-record.ts'
import { useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const mediaFields = formats.map((format) => `video_${format}_url`)
const pageFields = ['thumbnail_url', 'source_url']

const good = [
  '',
  'http://example.org',
  'https://example.org/',
  'https://example.org:8443/a/b.mp4?x=1&y=2#t=10',
  'https://user@example.org/%E2%82%AC',
  'http://127.0.0.1/v.ogv',
  'http://[2001:db8::1]/v.ogv',
]

const bad = [
  '/v.mp4',
  'v.mp4',
  'example.org/v.mp4',
  '//example.org/v.mp4',
  'http://',
  'https:///',
  'http:',
  'http:example.org',
  'http:/example.org',
  ' https://example.org/',
  'https://example.org/\n',
  'https://exa\tmple.org/',
  'ftp://example.org/v.mp4',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'mailto:a@example.org',
  'https://[::1/v.mp4',
  5,
  true,
  [],
  {},
]

const everyAddress: readonly Row[] = [...mediaFields, ...pageFields].flatMap((field) => [
  ...good.map((value) => takes(field, value)),
  ...bad.map((value) => refuses(field, value)),
])

const toAddress = (length: number) => 'https://example.org/'.padEnd(length, 'x')

const lengths: readonly Row[] = pageFields.flatMap((field) => [
  takes(field, toAddress(2_048)),
  refuses(field, toAddress(2_049)),
])

const nulls: readonly Row[] = [
  ...pageFields.map((field) => takes(field, null, '')),
  ...mediaFields.flatMap((field) => [
    takes(field, null),
    { ...takes(field, null), name: `${field} goes from "" to null`, fresh: { [field]: '' } },
    { ...takes(field, ''), name: `${field} goes from an address to ""`, fresh: { [field]: 'https://example.org/' } },
  ]),
]

describe('An address', () => runTable(everyAddress, service))

describe('The length of an address', () => runTable(lengths, service))

describe('An address that is not there', () => runTable(nulls, service))
