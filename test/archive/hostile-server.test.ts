import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Incoming } from '../../src/archive/incoming.ts'
import { openServer, type ServerLimits, serverLimits } from '../../src/archive/server.ts'
import { withFolder } from '../faults/scratch.ts'
import { importInto, toCounts } from './command.ts'
import { startOldServer, type Trick, toAnswer, toOldRecords } from './old-server.ts'

// Runner: long (endless answers; archive/broken-input has the common mistakes)

const megabyte = 1024 * 1024
const records = toOldRecords(30)

/** Imports from a server that does this with every page; the first ten records come before it. */
async function importFrom(trick: Trick) {
  const server = startOldServer(records, 10, trick)
  try {
    return await withFolder(async (folder) => {
      const startedMs = performance.now()
      const imported = await importInto(join(folder, 'a.db'), server.url)
      return { ...imported, asked: server.asked.length, tookMs: performance.now() - startedMs }
    })
  } finally {
    server.stop()
  }
}

const onSecond = (answer: () => Response): Trick => {
  return (url) => (url.searchParams.get('page') === '2' ? answer() : null)
}

function toEndless(): Response {
  const chunk = new Uint8Array(megabyte).fill(0x20)
  return new Response(new ReadableStream({ pull: (stream) => stream.enqueue(chunk) }))
}

test('a page without an end is not read until memory is full', async () => {
  const { exitCode, report, peakBytes, tookMs } = await importFrom(onSecond(toEndless))
  expect([exitCode, toCounts(report)]).toEqual([65, [10, 0, 0, 1]])
  expect(report.refused[0]).toMatchObject({ file: 'page 2', reason: expect.stringContaining('more than 64 MiB') })
  expect(peakBytes).toBeLessThan(400 * megabyte)
  expect(tookMs).toBeLessThan(20_000)
}, 180_000)

test('a small response that decompresses to a huge page is not decompressed', async () => {
  // Three gigabytes of spaces, as gzip members of 64 MiB each.
  const member = gzipSync(new Uint8Array(64 * megabyte).fill(0x20))
  const bomb = Buffer.concat(Array(48).fill(member))
  const headers = { 'Content-Encoding': 'gzip' }
  const { exitCode, report, peakBytes } = await importFrom(onSecond(() => new Response(bomb, { headers })))
  expect([exitCode, toCounts(report)]).toEqual([65, [10, 0, 0, 1]])
  expect(report.refused[0]?.reason).toContain('more than 64 MiB')
  expect(peakBytes).toBeLessThan(500 * megabyte)
}, 180_000)

test('a page may be compressed; a coding that was not requested is refused', async () => {
  const [good] = records
  const page = JSON.stringify({ results: [{ ...good, id: 99, source_url: '' }], next: null })
  const zipped = () => new Response(gzipSync(page), { headers: { 'Content-Encoding': 'gzip' } })
  expect((await importFrom(onSecond(zipped))).report).toMatchObject({ created: 11, refused: [] })
  const other = () => new Response(page, { headers: { 'Content-Encoding': 'br' } })
  expect((await importFrom(onSecond(other))).report).toMatchObject({ created: 10, refused: [{ file: 'page 2' }] })
})

test('empty pages that always have a next one come to an end', async () => {
  const { exitCode, report, asked } = await importFrom((url, number) => {
    return toAnswer({ results: [], next: `${url.origin}/api/v2/video/?page=${number + 1}` })
  })
  expect([exitCode, toCounts(report), asked]).toEqual([65, [0, 0, 0, 1], 3])
  expect(report.refused[0]?.reason).toContain('3 empty pages in a row')
})

test('a redirect is not followed, wherever it leads', async () => {
  let reached = 0
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      reached++
      return new Response('{}')
    },
  })
  const { exitCode, report } = await importFrom(
    onSecond(() => new Response('', { status: 307, headers: { Location: `http://127.0.0.1:${other.port}/` } })),
  )
  other.stop(true)
  expect([exitCode, report.refused.length, reached]).toEqual([65, 1, 0])
})

test('if a server refuses a large page, small ones are requested', async () => {
  const { exitCode, report, asked } = await importFrom((url) => {
    return url.searchParams.get('page_size') === '100' ? new Response('', { status: 400 }) : null
  })
  expect([exitCode, toCounts(report), asked]).toEqual([0, [30, 0, 0, 0], 4])
})

async function readAll(limits: Partial<ServerLimits>): Promise<readonly Incoming[]> {
  const server = startOldServer(records, 10)
  const address = { base: server.url, authorization: null, formerName: null }
  const all: Incoming[] = []
  for await (const each of openServer(address, { ...serverLimits, ...limits }).read()) all.push(each)
  server.stop()
  return all
}

test.each<[string, Partial<ServerLimits>, number, RegExp]>([
  ['bytes in all', { allBytes: 1000 }, 10, /The server sent more than/],
  ['pages in all', { pages: 2 }, 20, /more than 2 pages/],
  ['bytes of a page', { pageBytes: 100 }, 0, /has a page of more than/],
])('there is a limit for %s', async (_what, limits, talks, said) => {
  const all = await readAll(limits)
  expect(all.filter(({ is }) => is === 'talk').length).toBe(talks)
  expect(all.at(-1)).toMatchObject({ is: 'problem', reason: expect.stringMatching(said) })
})

test('exit code 69 distinguishes a server that is unreachable from one that sends nonsense', async () => {
  await withFolder(async (folder) => {
    const { exitCode, stdout } = await importInto(join(folder, 'a.db'), 'http://127.0.0.1:1')
    expect([exitCode, stdout]).toEqual([69, expect.stringContaining('does not answer')])
  })
  const { exitCode, report } = await importFrom(onSecond(() => new Response('', { status: 503 })))
  expect([exitCode, toCounts(report)]).toEqual([69, [10, 0, 0, 1]])
}, 180_000)
