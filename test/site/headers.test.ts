import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type Server, startServer } from '../harness/server.ts'
import { listMachineFormats, listPages, type PageCase } from './every-page.ts'

let server: Server
let pages: readonly PageCase[]
let formats: readonly (readonly [string, string])[]

beforeAll(async () => {
  const args = ['--threads', '1', '--query-threads', '1', '--sample', '--player-hosts', 'tube.example.org']
  server = await startServer({ args })
  pages = await listPages(server)
  formats = await listMachineFormats(server)
}, 180_000)

afterAll(() => server?.kill9())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, {
    method,
    headers: { Accept: 'text/html', ...headers },
    redirect: 'manual',
    decompress: false,
  })

const toPolicy = (ancestors: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: http:; media-src 'self' https: http:; frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://archive.org https://media.ccc.de https://tube.example.org; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`

const securityOf = ({ headers }: Response) => ({
  policy: headers.get('Content-Security-Policy'),
  sniff: headers.get('X-Content-Type-Options'),
  referrer: headers.get('Referrer-Policy'),
})

describe('The policy', () => {
  test('is the designed one on every page, and other sites may frame the player alone', async () => {
    const redirects = ['/video/1', '/speaker/1', '/tag/1'].map((path) => ({ name: path, path, status: 301 }))
    for (const { path, status } of [...pages, ...redirects]) {
      const answer = await ask(path)
      const policy = toPolicy(path.startsWith('/embed') ? '*' : "'none'")
      expect([path, answer.status]).toEqual([path, status])
      expect([path, securityOf(answer)]).toEqual([
        path,
        { policy, sniff: 'nosniff', referrer: 'strict-origin-when-cross-origin' },
      ])
    }
  })

  test('is also on refusals', async () => {
    const refused = [
      await ask('/', {}, 'POST'),
      await ask('/search', {}, 'DELETE'),
      await ask('/video/1', {}, 'PUT'),
      await ask('/%ff', {}),
    ]
    for (const answer of refused) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(securityOf(answer)).toMatchObject({ policy: toPolicy("'none'"), sniff: 'nosniff' })
    }
  })

  test('of machine formats allows nothing but the style sheet of feeds, and any origin may read them', async () => {
    for (const [path, type] of formats) {
      const answer = await ask(path, { Accept: '*/*' })
      const { headers } = answer
      const isFeed = /\.(?:atom|rss)\b/.test(path)
      const policy = isFeed ? "default-src 'none'; style-src 'self'; sandbox" : "default-src 'none'; sandbox"
      expect([path, answer.status, headers.get('Content-Type')]).toEqual([path, 200, type])
      expect([path, securityOf(answer)]).toEqual([path, { policy, sniff: 'nosniff', referrer: null }])
      expect([path, headers.get('Access-Control-Allow-Origin')]).toEqual([path, '*'])
    }
  })
})

describe('A page', () => {
  const codings = ['identity', 'gzip', 'br'] as const
  const decoders = { identity: (bytes: Uint8Array) => bytes, gzip: gunzipSync, br: undefined }

  test('must be revalidated, and has one ETag per content coding', async () => {
    const { brotliDecompressSync } = await import('node:zlib')
    for (const { path } of pages.filter(({ status }) => status === 200)) {
      const answers = await Promise.all(
        codings.map(async (coding) => {
          const answer = await ask(path, { 'Accept-Encoding': coding })
          const bytes = new Uint8Array(await answer.arrayBuffer())
          const decode = decoders[coding] ?? brotliDecompressSync
          return { coding, answer, text: Buffer.from(decode(bytes)).toString(), bytes }
        }),
      )
      expect([path, answers.map(({ answer }) => answer.headers.get('Content-Encoding'))]).toEqual([
        path,
        [null, 'gzip', 'br'],
      ])
      expect([path, new Set(answers.map(({ answer }) => answer.headers.get('ETag'))).size]).toEqual([path, 3])
      expect([path, new Set(answers.map(({ text }) => text)).size]).toEqual([path, 1])
      for (const { answer, bytes, coding } of answers) {
        const { headers } = answer
        expect([path, headers.get('Cache-Control')]).toEqual([path, 'public, max-age=0, must-revalidate'])
        expect([path, headers.get('Vary')]).toEqual([
          path,
          path === '/' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
        ])
        expect([path, headers.get('Content-Length')]).toEqual([path, String(bytes.length)])
        expect([path, headers.get('Set-Cookie')]).toEqual([path, null])
        const known = { 'Accept-Encoding': coding, 'If-None-Match': headers.get('ETag') ?? '' }
        const again = await ask(path, known)
        expect([path, coding, again.status, again.headers.get('ETag')]).toEqual([
          path,
          coding,
          304,
          headers.get('ETag'),
        ])
      }
    }
  }, 180_000)

  test('that is missing or gone is not cached', async () => {
    for (const { path, status } of pages.filter((page) => page.status !== 200)) {
      const answer = await ask(path)
      expect([path, answer.status, answer.headers.get('Cache-Control'), answer.headers.get('ETag')]).toEqual([
        path,
        status,
        'no-store',
        null,
      ])
    }
  })

  test('answers HEAD like GET', async () => {
    for (const { path, status } of pages) {
      const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')]
      expect([path, head.status, head.headers.get('ETag')]).toEqual([path, status, get.headers.get('ETag')])
      expect((await head.arrayBuffer()).byteLength).toBe(0)
      await get.arrayBuffer()
    }
  })

  test('with a malformed Host is refused, and no error is logged', async () => {
    for (const host of ['talks.example:99999', 'xn--', 'a b', 'a%zz', '[::1', '256.256.256.256'])
      for (const path of ['/', '/about', '/nothing', '/video/1', '/embed/1', '/feed.atom']) {
        const answer = await ask(path, { Host: host, Accept: 'application/json' })
        const { type } = (await answer.json()) as { type: string }
        expect([host, path, answer.status, type]).toEqual([host, path, 400, 'urn:rostrum:problem:bad_host'])
      }
    expect(server.stderr()).not.toContain('"level":"error"')
  })
})
