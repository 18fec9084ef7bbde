import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseRange, toFileResponse } from '../../src/http/range.ts'
import { type HttpCall, readHead } from '../../src/http/route.ts'
import { runs } from '../harness/runs.ts'

const size = 100

test.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=10-19', { from: 10, to: 20 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['bytes=0-', { from: 0, to: 100 }],
  ['bytes=-1', { from: 99, to: 100 }],
  ['bytes=-500', { from: 0, to: 100 }],
  ['bytes=99-500', { from: 99, to: 100 }],
  ['bytes=0-99999999999999999999', { from: 0, to: 100 }],
  ['Bytes= 10-19 ', { from: 10, to: 20 }],
  ['bytes=007-010', { from: 7, to: 11 }],
] as const)('%p is a part', (header, range) => expect(parseRange(header, size)).toEqual(range))

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-'])('%p is out of it', (header) =>
  expect(parseRange(header, size)).toBe('unsatisfiable'),
)

test.each([
  null,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=--1',
  'bytes=5-4',
  'bytes=1.5-2',
  'bytes=1e1-20',
  'bytes=0x1-0x2',
  'bytes=+1-2',
  'bytes=a-b',
  'bytes=٣-٤',
  'bytes=0-1,5-6',
  'items=0-1',
  'bytes=0-1\0',
])('%p is ignored', (header) => expect(parseRange(header, size)).toBe('whole'))

test('long headers are ignored', () => {
  for (const ranges of ['0-1,'.repeat(5_000), `${'9'.repeat(20_000)}-`, ' '.repeat(20_000), '-'.repeat(20_000)]) {
    expect(parseRange(`bytes=${ranges}`, size)).toBe('whole')
  }
})

test('an empty file has no part', () => {
  expect(['bytes=0-', 'bytes=-1', 'bytes=0-0'].map((header) => parseRange(header, 0))).toEqual(
    Array(3).fill('unsatisfiable'),
  )
})

test('whatever is asked for, a part is within the file and never empty', () => {
  const piece = fc.constantFrom('bytes=', '-', ',', ' ', '0', '1', '99', '100', '9'.repeat(25), 'x')
  const header = fc.array(piece, { maxLength: 8 }).map((pieces) => `bytes=${pieces.join('')}`)
  fc.assert(
    fc.property(header, fc.nat({ max: 200 }), (given, length) => {
      const range = parseRange(given, length)
      if (typeof range === 'string') return true
      return range.from >= 0 && range.from < range.to && range.to <= length
    }),
    { numRuns: runs(1_000) },
  )
})

describe('Over HTTP', () => {
  const bytes = new Uint8Array(size).map((_, i) => i)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => toFileResponse(toCall(request), file),
  })
  const file = { type: 'video/webm', etag: '"e"', bytes }
  afterAll(() => server.stop(true))

  async function ask(headers: Record<string, string>, method = 'GET') {
    const response = await fetch(server.url, { method, headers })
    const get = (name: string) => response.headers.get(name)
    return {
      status: response.status,
      range: get('Content-Range'),
      length: get('Content-Length'),
      caching: get('Cache-Control'),
      body: [...(await response.bytes())],
      fixed: [get('Accept-Ranges'), response.status === 416 ? null : get('ETag'), get('X-Path')],
    }
  }

  const forever = 'public, max-age=31536000, immutable'
  const fixed = ['bytes', '"e"', 'kept']
  const whole = { status: 200, range: null, length: '100', caching: forever, body: [...bytes], fixed }
  const part = { status: 206, range: 'bytes 10-12/100', length: '3', caching: forever, body: [10, 11, 12], fixed }

  test.each([
    ['nothing', {}, whole],
    ['a part', { Range: 'bytes=10-12' }, part],
    ['a part of the version it has', { Range: 'bytes=10-12', 'If-Range': '"e"' }, part],
    ['a part of another version', { Range: 'bytes=10-12', 'If-Range': '"f"' }, whole],
    ['a part by a weak ETag', { Range: 'bytes=10-12', 'If-Range': 'W/"e"' }, whole],
    ['a part by a date', { Range: 'bytes=10-12', 'If-Range': 'Sat, 29 Oct 2022 19:43:31 GMT' }, whole],
    ['several parts', { Range: 'bytes=0-1,4-5' }, whole],
  ])('a GET with %s', async (_, headers, expected) => expect(await ask(headers)).toEqual(expected))

  test('a part past the end is 416 and says how long the file is', async () => {
    expect(await ask({ Range: 'bytes=100-' })).toEqual({
      status: 416,
      range: 'bytes */100',
      length: '0',
      caching: 'no-store',
      body: [],
      fixed: ['bytes', null, 'kept'],
    })
  })

  test('HEAD tells the whole length, whatever part is named', async () => {
    expect(await ask({ Range: 'bytes=10-12' }, 'HEAD')).toEqual({ ...whole, body: [] })
  })

  test('the version that the client has is 304, with or without a range', async () => {
    for (const more of [{}, { Range: 'bytes=10-12' }]) {
      expect(await ask({ 'If-None-Match': '"e"', ...more })).toMatchObject({ status: 304, range: null, body: [] })
    }
  })
})

function toCall(request: Request): HttpCall {
  const route = { path: '/', headers: new Headers({ 'X-Path': 'kept' }) }
  const call = { request, route, method: request.method, head: readHead(request.headers) }
  // A file's response needs no more of a call than this.
  return call as unknown as HttpCall
}
