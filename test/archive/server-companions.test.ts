import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../src/record/json.ts'
import { type Server, startServer } from '../harness/server.ts'
import { exportFrom, importInto, toCounts } from './command.ts'
import { startOldServer, toOldRecords } from './old-server.ts'
import { checkStored, readStored } from './stored.ts'

const toHeaders = ({ adminKey }: Server) => ({
  Authorization: `Token ${adminKey}`,
  'Content-Type': 'application/json',
})

async function put(server: Server, id: number, name: string, content: JsonObject): Promise<void> {
  const sent = { method: 'PUT', headers: toHeaders(server), body: JSON.stringify(content) }
  expect((await fetch(`${server.url}/api/v2/video/${id}/${name}`, sent)).status).toBe(200)
}

const read = async (server: Server, id: number, name: string) =>
  Object(await (await fetch(`${server.url}/api/v2/video/${id}/${name}`, { headers: toHeaders(server) })).json())

const toUrls = ({ links }: { links: { url: string }[] }) =>
  links.map(({ url }) => url.replace('https://example.org/', ''))
const toLinks = (...names: string[]) => ({ links: names.map((name) => ({ url: `https://example.org/${name}` })) })

const listLive = (server: Server) =>
  readStored(server.db)
    .records.filter(({ state }) => state === 1)
    .map(({ id }) => id)

/** What stands before a server: its own answer to a request, or null for the answer of the server. */
type Trick = (url: URL) => Response | null

interface Between {
  readonly source: Server
  readonly here: Server
  /** The address to import from. */
  readonly url: string
  setTrick(trick: Trick): void
}

/** Two servers, and what stands before the first one. */
async function between(look: (both: Between) => Promise<void>): Promise<void> {
  const [source, here] = [await startServer({ args: ['--threads', '1', '--sample'] }), await startServer()]
  let trick: Trick = () => null
  const setTrick = (next: Trick) => {
    trick = next
  }
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const own = trick(url)
      if (own !== null) return own
      const { status, headers, body } = await fetch(`${source.url}${url.pathname}${url.search}`)
      const given = new Headers(headers)
      given.delete('Content-Encoding')
      given.delete('Content-Length')
      return new Response(body, { status, headers: given })
    },
  })
  try {
    const url = `http://127.0.0.1:${front.port}`
    await look({ source, here, url, setTrick })
    checkStored(here.db)
  } finally {
    await front.stop(true)
    await source.stop()
    await here.stop()
  }
}

const isCompanion = ({ pathname }: URL) => /\/(related|recordings|chapters)$/.test(pathname)

describe('Companions from another server', () => {
  test('are imported with a three-way merge, like fields', async () => {
    await between(async ({ source, here, url }) => {
      const live = listLive(source)
      const [one = 0, two = 0, three = 0] = live
      for (const id of [one, two, three]) await put(source, id, 'related', toLinks('a', 'slides.pdf'))
      await put(source, one, 'chapters', { chapters: [{ start: 0, title: 'Hello', end: 12.5 }] })
      const others = [
        { url: 'https://example.org/mirror', kind: 'page', language: 'German', note: 'without questions' },
      ]
      await put(source, one, 'recordings', { recordings: others })
      expect((await importInto(here.db, url)).exitCode).toBe(0)
      for (const id of live)
        for (const name of ['related', 'recordings', 'chapters'])
          expect([id, name, await read(here, id, name)]).toEqual([id, name, await read(source, id, name)])
      expect(toCounts((await importInto(here.db, url)).report)).toEqual([0, 0, live.length, 0])
      const folder = `${here.db}-pyvideo`
      expect((await exportFrom(here.db, 'pyvideo', folder)).exitCode).toBe(0)
      await put(here, two, 'related', toLinks('mine'))
      await put(source, one, 'related', toLinks('a', 'b'))
      await put(source, two, 'related', toLinks('a', 'b'))
      await put(source, three, 'related', { links: [] })
      const again = await importInto(here.db, url)
      expect(again.report).toMatchObject({ updated: 3, kept: [{ id: two, fields: ['related'] }] })
      const all = [one, two, three].map(async (id) => toUrls(await read(here, id, 'related')))
      expect(await Promise.all(all)).toEqual([['a', 'b'], ['mine'], []])
    })
  }, 60_000)

  const silent: readonly (readonly [what: string, trick: Trick])[] = [
    [
      'no longer knows them',
      ({ searchParams }) =>
        searchParams.has('has')
          ? Response.json(
              { count: 0, next: null, previous: null, results: [] },
              { headers: { 'Ignored-Parameters': 'has' } },
            )
          : null,
    ],
    ['refuses their lists', ({ searchParams }) => (searchParams.has('has') ? new Response('', { status: 400 }) : null)],
    ['forbids their lists', ({ searchParams }) => (searchParams.has('has') ? new Response('', { status: 403 }) : null)],
    [
      'has lists of them that go round',
      ({ searchParams }) =>
        searchParams.has('has') ? Response.json({ results: [], next: '/api/v2/video/?has=x' }) : null,
    ],
    ['lists something else', ({ searchParams }) => (searchParams.has('has') ? Response.json({ detail: 'x' }) : null)],
    ['answers 404 for each', (url) => (isCompanion(url) ? new Response('', { status: 404 }) : null)],
    ['gives garbage for each', (url) => (isCompanion(url) ? Response.json({ links: 7 }) : null)],
  ]
  test('stay when the server says nothing about them', async () => {
    await between(async ({ source, here, url, setTrick }) => {
      const live = listLive(source)
      const [one = 0, two = 0] = live
      await put(source, one, 'related', toLinks('a'))
      await put(source, one, 'recordings', { recordings: [{ url: 'https://example.org/mirror' }] })
      await put(source, one, 'chapters', { chapters: [{ start: 0, title: 'Hello', video: two }] })
      await importInto(here.db, url)
      const before = await Promise.all(['related', 'recordings', 'chapters'].map((name) => read(here, one, name)))
      expect(JSON.stringify(before)).toContain('example.org/mirror')
      for (const [what, trick] of silent) {
        setTrick(trick)
        const { exitCode, report } = await importInto(here.db, url)
        const now = await Promise.all(['related', 'recordings', 'chapters'].map((name) => read(here, one, name)))
        expect([what, exitCode, now]).toEqual([what, 0, before])
        const isGarbage = what.startsWith('gives garbage')
        expect([what, report.kept, report.unfit.length > 0]).toEqual([what, [], isGarbage])
        if (!isGarbage) expect([what, toCounts(report)]).toEqual([what, [0, 0, live.length, 0]])
      }
      setTrick(() => null)
      await put(source, one, 'related', { links: [] })
      await importInto(here.db, url)
      expect(toUrls(await read(here, one, 'related'))).toEqual([])
    })
  }, 120_000)

  test('are left out if the server fails their lists, and the report says so', async () => {
    await between(async ({ source, here, url, setTrick }) => {
      const live = listLive(source)
      const [one = 0] = live
      await put(source, one, 'related', toLinks('a'))
      setTrick(({ searchParams }) => (searchParams.has('has') ? new Response('', { status: 500 }) : null))
      const { exitCode, report } = await importInto(here.db, url)
      expect([exitCode, toCounts(report)]).toEqual([69, [live.length, 0, 0, 1]])
      expect(report.refused[0]?.reason).toContain('Related links, recordings and chapters were not read')
      setTrick(() => null)
      expect((await importInto(here.db, url)).exitCode).toBe(0)
      expect(toUrls(await read(here, one, 'related'))).toEqual(['a'])
    })
  }, 60_000)

  test('end the import if the server becomes unreachable between them', async () => {
    await between(async ({ source, here, url, setTrick }) => {
      const [one = 0, two = 0] = listLive(source)
      for (const id of [one, two]) await put(source, id, 'related', toLinks('a'))
      setTrick(({ pathname }) =>
        pathname === `/api/v2/video/${two}/related` ? new Response('', { status: 503 }) : null,
      )
      const { exitCode, report } = await importInto(here.db, url)
      expect([exitCode, toCounts(report)]).toEqual([69, [1, 0, 0, 1]])
      expect(report.refused[0]?.reason).toContain(`/api/v2/video/${two}/related does not answer`)
      expect(listLive(here)).toEqual([one])
      expect(toUrls(await read(here, one, 'related'))).toEqual(['a'])
    })
  }, 60_000)

  test('name the records of this store in chapters', async () => {
    await between(async ({ source, here, url, setTrick }) => {
      const [one = 0, two = 0, three = 0] = listLive(source)
      // These have ids that talks of the source have, and come from elsewhere.
      const other = startOldServer(toOldRecords(2), 10)
      await importInto(here.db, other.url)
      other.stop()
      const body = JSON.stringify({ title: 'Draft', category: 'Here', language: 'English', state: 2 })
      const made = await fetch(`${source.url}/api/v2/video/`, { method: 'POST', headers: toHeaders(source), body })
      const draft: number = Object(await made.json()).id
      const chapters = [
        { start: 0, title: 'Two', video: two },
        { start: 60, title: 'Three', video: three },
        { start: 90, title: 'Draft', video: draft },
      ]
      await put(source, one, 'chapters', { chapters })
      // Ours does not name the draft without a token; older servers do.
      setTrick(({ pathname }) => (pathname.endsWith(`/${one}/chapters`) ? Response.json({ chapters }) : null))
      const { exitCode, report } = await importInto(here.db, url)
      const toHere = new Map(report.renumbered.map(({ file, new_id: id }) => [file, id]))
      const find = (id: number) => toHere.get(`id ${id}`) ?? id
      expect(find(two)).not.toBe(two)
      expect([exitCode, report.lost_parts]).toEqual([0, [{ file: `id ${one}`, id: find(one), videos: [draft] }]])
      const videos = [find(two), find(three), undefined]
      const stored = await read(here, find(one), 'chapters')
      expect(stored.chapters.map(({ video }: { video?: number }) => video)).toEqual(videos)
      const again = await importInto(here.db, url)
      expect([again.report.created, again.report.updated, again.report.kept]).toEqual([0, 0, []])
    })
  }, 60_000)
})
