import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:tls'
import { createBaseUrl } from '../../src/http/host.ts'
import { createPageRoutes } from '../../src/serve/page-routes.ts'
import { listForms } from '../contract/curator.ts'
import { sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { crawl, type Visit } from './crawl.ts'
import { findFreePort, type Nginx, readSample, startNginx } from './proxies.ts'

// Runner: long, slow (every page through nginx; contract/trusted-proxy has the headers of proxies)

setDefaultTimeout(180_000)

/** Starts Rostrum with the sample behind nginx. */
async function start(sample: string, toArgs: (origin: string) => readonly string[]) {
  const port = findFreePort()
  const own = ['--threads', '1', '--sample', '--trusted-proxy', '127.0.0.1']
  const args = [...own, ...toArgs(`https://localhost:${port}`)]
  const server = await startServer({ args })
  try {
    const own = sample.replace('127.0.0.1:8000', `127.0.0.1:${server.port}`)
    return { server, nginx: await startNginx(own, port, 'example.org') }
  } catch (error) {
    await server.kill9()
    throw error
  }
}

const cases: readonly (readonly [string, string, (sample: string) => string, (origin: string) => readonly string[]])[] =
  [
    ['below a path, with --base-url', '/talks', (sample) => sample, (origin) => ['--base-url', `${origin}/talks`]],
    [
      'at the root, with --trusted-proxy alone',
      '',
      (sample) =>
        sample
          .replaceAll('/talks/', '/')
          .replace('http://rostrum/;', 'http://rostrum;')
          .replace(/location = \/robots.*\n/, ''),
      () => [],
    ],
  ]

describe.each(sample(cases))('Behind nginx with TLS, %s', (_, prefix, toSample, toArgs) => {
  let server: Server
  let nginx: Nginx
  let visits: readonly Visit[] = []
  const toUrl = (path: string) => `https://localhost:${nginx.port}${prefix}${path}`
  const ask = (url: string, init: BunFetchRequestInit = {}) =>
    fetch(url, { redirect: 'manual', ...init, tls: { ca: nginx.ca } })
  /** Ours, by any of our addresses, right or wrong. What sample records store of their clips is data. */
  const isOurs = (url: string) =>
    /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$)/.test(url) &&
    !url.startsWith(`${server.url}/assets/sample/`)
  const isBelow = (url: string) => url.startsWith(toUrl('/')) || url === toUrl('')

  beforeAll(async () => {
    ;({ server, nginx } = await start(toSample(readSample()), toArgs))
    const session = await signIn()
    await changeMany(session)
    visits = await crawl({
      start: ['/', ...unlinked].map(toUrl),
      isWanted: (url) => url !== toUrl('') && isBelow(url) && !formPaths.includes(toPattern(toPath(url))),
      toKind: (url) => toPattern(toPath(url)),
      maxPerKind: 8,
      // Pages for curators as one of them sees them.
      fetch: (url) => ask(url, toPath(url).startsWith('/edit') ? { headers: { Cookie: session } } : {}),
    })
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.kill9()
  })

  const toPath = (url: string) => new URL(url).pathname.slice(prefix.length)

  async function send(
    path: string,
    fields: readonly (readonly [string, string])[],
    headers: Record<string, string> = {},
  ) {
    const body = new FormData()
    for (const [name, value] of fields) body.append(name, value)
    const own = { Origin: `https://localhost:${nginx.port}`, Accept: 'text/html' }
    return ask(toUrl(path), { method: 'POST', body, headers: { ...own, ...headers } })
  }

  /** Gives the cookie of the session. */
  async function signIn(): Promise<string> {
    const { status, headers } = await send('/edit/sign-in', [['key', server.adminKey]])
    expect([status, headers.get('Location')]).toEqual([303, `${prefix}/edit`])
    const [cookie = '', ...attributes] = (headers.get('Set-Cookie') ?? '').split('; ')
    const isSecure = cookie.startsWith('__Secure-')
    // Only the configured address says that browsers always use TLS.
    expect([isSecure, attributes.includes('Secure')]).toEqual([prefix !== '', prefix !== ''])
    expect(attributes).toContain(`Path=${prefix}/edit`)
    return cookie
  }

  /** Makes a batch: previews a bulk change, and sends the form of the preview. */
  async function changeMany(session: string): Promise<void> {
    const headers = { Cookie: session }
    const page = await (await ask(toUrl('/edit/bulk?id=1,2'), { headers })).text()
    const [, token = ''] = /name="csrf" value="([^"]+)"/.exec(page) ?? []
    const filled = Object.entries({ csrf: token, id: '1,2', 'field.whiteboard': 'Checked', do: 'preview' })
    const preview = await (await send('/edit/bulk', filled, headers)).text()
    const form = listForms(preview).find(({ action }) => action === `${prefix}/edit/bulk`)
    const applied = await send('/edit/bulk', [...(form?.fields ?? []), ['do', 'apply']], headers)
    expect([applied.status, applied.headers.get('Location')]).toEqual([303, `${prefix}/edit/batches/1?done=1`])
  }

  test('a curator signs in, and out by a form of the page', async () => {
    const session = await signIn()
    const read = () => ask(toUrl('/edit/sessions'), { headers: { Cookie: session } })
    const page = await (await read()).text()
    const [, token = ''] = /name="csrf" value="([^"]+)"/.exec(page) ?? []
    expect(page).toContain(`action="${prefix}/edit/sign-out"`)
    expect((await send('/edit/sign-out', [['csrf', 'of another session']], { Cookie: session })).status).toBe(403)
    expect((await send('/edit/sign-out', [['csrf', token]], { Cookie: session })).status).toBe(303)
    const ended = await read()
    expect([ended.status, ended.headers.get('Location')]).toEqual([
      303,
      `${prefix}/edit/sign-in?next=${encodeURIComponent(`${prefix}/edit/sessions`)}`,
    ])
  })

  test('a form of 4 MB passes the proxy', async () => {
    const { status } = await send('/edit/sessions', [['text', 'x'.repeat(4_190_000)]], { Cookie: await signIn() })
    // Read whole, and found to have no token.
    expect(status).toBe(403)
  })

  test('every link, form, redirect, file and feed is below the address of the site', () => {
    const wrong = visits.flatMap(({ url, links }) =>
      links.filter((link) => isOurs(link) && !isBelow(link)).map((link) => `${url}: ${link}`),
    )
    expect(wrong).toEqual([])
    expect(visits.length).toBeGreaterThan(100)
  })

  test('all of them answer', () => {
    const failed = visits.filter(({ status }) => status >= 400)
    expect(failed.map(({ url, status }) => `${status} ${url}`)).toEqual([])
  })

  test('every kind of page was visited', () => {
    const visited = new Set(visits.filter(({ status }) => status < 400).map(({ url }) => toPattern(toPath(url))))
    expect(sitePaths.filter((path) => !visited.has(path) && !formPaths.includes(path))).toEqual([])
  })

  test('pages of errors link below the address of the site, too', async () => {
    const answer = await ask(toUrl('/no-such-page'), { headers: { Accept: 'text/html' } })
    const body = await answer.text()
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8'])
    const links = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link = '']) => link)
    expect(links).not.toEqual([])
    expect(links.filter((link) => !link.startsWith(`${prefix}/`))).toEqual([])
  })

  test('crawlers find robots.txt at the root of the host, with the paths of the site', async () => {
    const text = await (await ask(`https://localhost:${nginx.port}/robots.txt`)).text()
    expect(text).toContain(`Disallow: ${prefix}/search`)
    expect(text).toContain(`Sitemap: ${toUrl('/sitemap.xml')}`)
  })

  test('a page is revalidated through the proxy', async () => {
    const first = await ask(toUrl('/'))
    const etag = first.headers.get('ETag') ?? ''
    expect([first.status, first.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=0, must-revalidate'])
    expect((await ask(toUrl('/'), { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  /** As no client that parses URLs would. */
  const sendRaw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ port: nginx.port, host: '127.0.0.1', servername: 'localhost', ca: nginx.ca })
      let got = ''
      socket.on('data', (data) => {
        got += data.toString('latin1')
      })
      socket.on('end', () => resolve(got)).on('error', reject)
      socket.write(text)
    })

  test('nobody reads the metrics through it', async () => {
    for (const path of ['/metrics', '/metrics/', '//metrics', '/%6detrics', '/x/../metrics', '/metrics?x']) {
      expect([path, (await ask(toUrl(path))).status]).toEqual([path, 403])
    }
    for (const path of ['/\\metrics', '/.\\metrics', '/x\\..\\edit']) {
      expect([path, await sendRaw(`GET ${prefix}${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`)]).toEqual([
        path,
        expect.stringMatching(/^HTTP\/1\.1 400 /),
      ])
    }
  })

  test('clients cannot choose their address', async () => {
    const statuses: number[] = []
    for (let number = 0; number < 21; number += 1) {
      const headers = {
        Authorization: `Token rst_${String(number).padStart(40, '0')}`,
        'X-Forwarded-For': `192.0.2.${number}`,
        Forwarded: `for=192.0.2.${number}`,
      }
      statuses.push((await ask(toUrl('/api/v2/video'), { headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429])
  })
})

/** What nothing links to; chapters only from players of files, and these files have no TLS. */
const unlinked: readonly string[] = [
  '/edit/sign-in',
  '/edit/bulk?id=1',
  '/edit/video/1/history/1',
  '/edit/video/1/preview',
  '/edit/pick/speaker?q=a',
  '/edit/new?address=https://media.example.org/a.mp4',
  '/category/1/lamplight-conf-2025',
  '/category/lamplight-conf-2025/changes.atom',
  '/speaker/1',
  '/tag/1',
  '/video/1',
  '/video/127/chapters.vtt',
  '/moments?q=the',
  '/video/127.txt',
  '/assets/sample/dusk.webp',
  '/robots.txt',
  '/feed.rss?format=mp4',
  '/search.rss?format=mp4&q=the',
  '/category/lamplight-conf-2025/feed.rss?format=mp4',
  '/speaker/4/marguerite-osei-lund/feed.rss?format=mp4',
  '/tag/7/operations/feed.rss?format=mp4',
  ...[
    '/events',
    '/events.html',
    '/speakers',
    '/speakers.html',
    '/tags',
    '/tags.html',
    '/languages',
    '/statistics',
    '/pages/about.html',
  ],
  ...[
    '/talks',
    '/video',
    '/videos',
    '/speakers/marguerite-osei-lund',
    '/tags/operations',
    '/watch-later',
    '/podcast',
    '/event/lamplight-conf-2025',
  ],
  ...['/feed', '/rss', '/feed.xml', '/rss.xml', '/atom.xml', '/feeds/all.atom.xml', '/feeds/all.rss.xml'],
  ...[
    '/events/lamplight-conf-2025',
    '/events/lamplight-conf-2025.html',
    '/lamplight-conf-2025/please-stop-retrying.html',
  ],
  ...['/speaker/marguerite-osei-lund', '/speaker/marguerite-osei-lund.html', '/tag/operations', '/tag/operations.html'],
  '/languages/de',
]

/** The paths of the site, as its table of routes has them. */
const siteRoutes = createPageRoutes({
  settings: {
    ...{ name: '', accent: '#000000', about: null, contact: null, imprintUrl: null, privacyUrl: null },
    ...{ playerHosts: [], hasThumbnails: true },
  },
  baseUrl: createBaseUrl('https://a.test', ''),
  assets: { load: () => Promise.reject(new Error('not needed')) },
  // Only handlers use the store, and none is called.
} as unknown as Parameters<typeof createPageRoutes>[0]).all
const sitePaths = siteRoutes.map(({ path }) => path)
/** Forms are sent there, and no page is. */
const formPaths = siteRoutes.filter(({ actions }) => actions.GET === undefined).map(({ path }) => path)

/** The route of a path: a fixed one before one with parameters; else its first two segments. */
function toPattern(path: string): string {
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/:id/g, '\\d+').replace(/:\w+/g, '[^/]+')}/?$`).test(path)
  const [best] = sitePaths.filter(fits).sort((a, b) => a.split(':').length - b.split(':').length)
  return best ?? path.split('/').slice(0, 4).join('/')
}
