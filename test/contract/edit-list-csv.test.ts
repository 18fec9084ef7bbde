import { beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { writableNames } from '../../src/record/fields.ts'
import { headerOf } from '../harness/raw.ts'
import { createToken, revokeToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Curator, createCurator } from './curator.ts'
import { type Fields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const total = 230
let reader: Curator

beforeAll(async () => {
  const items = Array.from({ length: total - 2 }, (_, i) => ({ title: `Talk ${i}`, state: 1 + (i % 2), duration: i }))
  const hostile = {
    title: '=HYPERLINK("http://x","y")',
    whiteboard: '+1',
    speakers: ['@a', 'b'],
    state: 2,
    tags: ['ž,"'],
  }
  const lines = { title: 'Two\nlines', recorded: '2024-05-01', source_url: 'https://example.org/1', language: 'Czech' }
  for (let at = 0; at < items.length; at += 20)
    await Promise.all(items.slice(at, at + 20).map((each) => service.create(each)))
  for (const fields of [hostile, lines]) await service.create(fields)
  reader = createCurator(service)
  await reader.signIn(service.keyOf('reader'))
}, 120_000)

/** As RFC 4180 says. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

async function read(query: string) {
  const answer = await reader.get(`/edit/list.csv${query}`)
  expect(answer.status).toBe(200)
  const [heading = [], ...rows] = parseCsv(
    Buffer.from(answer.body)
      .toString()
      .replace(/^\ufeff/, ''),
  )
  return { answer, rows: rows.map((row): Fields => Object.fromEntries(heading.map((name, i) => [name, row[i]]))) }
}

test('The file has all talks of the list, in its order', async () => {
  const { answer, rows } = await read('')
  expect(rows).toHaveLength(total)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(total)
  expect(headerOf(answer, 'Content-Type')).toStartWith('text/csv; charset=utf-8')
  expect(headerOf(answer, 'Content-Disposition')).toBe('attachment; filename="all-talks.csv"')
  expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
  const longest = (await read('?ordering=-duration&q=talk')).rows.map(({ duration }) => Number(duration))
  expect(longest).toEqual(longest.toSorted((a, b) => b - a))
  expect(longest).toHaveLength(total - 2)
})

test('Drafts have a file of their own', async () => {
  const { answer, rows } = await read('?state=2&parked=0')
  expect(headerOf(answer, 'Content-Disposition')).toBe('attachment; filename="drafts.csv"')
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['draft']))
  expect(rows).toHaveLength(total / 2)
})

test('A row has what the list shows, and formulas do nothing', async () => {
  const { rows } = await read('?q=hyperlink')
  const id = rows[0]?.id
  expect(rows).toMatchObject([
    {
      ...{ id, title: `'=HYPERLINK("http://x","y")`, state: 'draft', event: 'Contract tests', speakers: `'@a; b` },
      ...{ tags: 'ž,"', language: '', recorded: '', duration: '', source_url: '', whiteboard: `'+1` },
      ...{ by: 'ROSTRUM_ADMIN_TOKEN', updated: rows[0]?.updated, findings: rows[0]?.findings },
      edit: `http://127.0.0.1:${service.server().port}/edit/video/${id}`,
    },
  ])
  expect(String(rows[0]?.findings).split(' ')).toContain('missing_language')
  const [lines] = (await read('?language=Czech')).rows
  expect(lines).toMatchObject({ title: 'Two\nlines', recorded: '2024-05-01', language: 'Czech' })
})

test('A row has every field that can be written', async () => {
  const given = {
    description: 'One\r\ntwo; "three"',
    tags: ['a; b', 'c'],
    video_mp4_length: 7,
    video_mp4_download_only: true,
    quality_notes: "'=1",
  }
  await service.create({ title: 'Every field', ...given })
  const [row] = (await read('?q=every+field')).rows
  expect(row).toMatchObject({
    ...{ description: given.description, tags: String.raw`a\; b; c`, quality_notes: "''=1" },
    ...{ video_mp4_length: '7', video_mp4_download_only: 'true', video_webm_url: '', embed: '' },
  })
  expect(writableNames.filter((name) => !(name in (row ?? {})))).toEqual(['category'])
})

test('The bytes begin with a mark and end lines with CRLF', async () => {
  const { answer } = await read('?q=hyperlink')
  expect(answer.body).toStartWith('\ufeff"id","title","state","event",')
  expect(answer.body).toEndWith('\r\n')
})

test('An empty list is a heading', async () => {
  expect((await read('?q=nothing')).rows).toEqual([])
})

test.each(['state=9', 'stat=1', 'recorded_after=x'])('A list that makes no sense is refused: %s', async (query) => {
  expect((await reader.get(`/edit/list.csv?${query}`)).status).toBe(400)
})

describe('A download that is read slowly', () => {
  /** Together many times what the system takes for a client that does not read. */
  const large = 400
  const patience = { timeoutMs: 30_000, everyMs: 25 }

  beforeAll(async () => {
    const speakers = Array.from({ length: 200 }, (_, i) => `${i} ${'x'.repeat(240)}`)
    const create = () => service.create({ title: 'Slow', tags: ['slow'], speakers })
    for (let at = 0; at < large; at += 20) await Promise.all(Array.from({ length: 20 }, create))
  }, 120_000)

  /** Asks for the large talks, and reads nothing but the beginning. */
  async function open(curator: Curator) {
    const chunks: Buffer[] = []
    const socket = connect({ port: service.server().port, host: '127.0.0.1' })
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (chunks.push(chunk) === 1) socket.pause()
    })
    const cookie = [...curator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const target = '/edit/list.csv?tag=slow'
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)
    await until('the file begins', () => chunks.length > 0, patience)
    return {
      async readRest() {
        socket.resume()
        await until('the connection ends', () => isClosed, patience)
        return Buffer.concat(chunks).toString('latin1')
      },
    }
  }

  test('has all talks if nothing ends it', async () => {
    const text = await (await open(reader)).readRest()
    expect([text.split(',"Slow",').length - 1, text.endsWith('\r\n0\r\n\r\n')]).toEqual([large, true])
  }, 180_000)

  const ends: readonly (readonly [string, (curator: Curator, name: string) => Promise<unknown>])[] = [
    ['token was revoked', (_, name) => revokeToken(service.server(), name)],
    ['session was ended', (curator) => curator.post('/edit/sign-out', [])],
  ]
  test.each(ends)(
    'ends without its end once its %s',
    async (_, end) => {
      const name = `leaky-${ends.findIndex(([, each]) => each === end)}`
      const curator = createCurator(service)
      await curator.signIn(await createToken(service.server(), name, 'reader'))
      const cookies = new Map(curator.cookies)
      const download = await open(curator)
      await end(curator, name)
      const again = createCurator(service)
      for (const [key, value] of cookies) again.cookies.set(key, value)
      await until('it is known', async () => (await again.get('/edit')).status === 303, patience)
      await service.create({ title: 'Made later', tags: ['slow'], whiteboard: `secret of ${name}` })
      const text = await download.readRest()
      expect(text).toStartWith('HTTP/1.1 200')
      expect(text).not.toContain(`secret of ${name}`)
      expect([text.split(',"Slow",').length - 1 < large, text.endsWith('\r\n0\r\n\r\n')]).toEqual([true, false])
    },
    60_000,
  )
})
