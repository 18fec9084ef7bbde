import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isLong } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { crawl, type Visit } from '../proxy/crawl.ts'

// Runner: slow, long checkout (it bundles scripts and styles itself)

const maxPerKind = isLong ? 40 : 20

let server: Server
let visits: readonly Visit[] = []

beforeAll(async () => {
  server = await startServer({ args: ['--threads', '1', '--query-threads', '1', '--sample'] })
  visits = await crawl({
    start: [`${server.url}/`],
    isWanted: (url) => url.startsWith(`${server.url}/`),
    toKind,
    maxPerKind,
    fetch: (url) => fetch(url, { redirect: 'manual', headers: { Accept: 'text/html' } }),
  })
}, 120_000)

afterAll(() => server?.kill9())

/** The first segment, the depth, the ending and the names of the parameters of an address. */
function toKind(url: string): string {
  const { pathname, searchParams } = new URL(url)
  const segments = pathname.split('/')
  const ending = /\.\w+$/.exec(pathname)?.[0] ?? ''
  return [...segments.slice(1, 2), segments.length, ending, ...new Set(searchParams.keys())].join(' ')
}

const pages = () =>
  visits.filter(({ type, status, body }) => type.startsWith('text/html') && status === 200 && !body.startsWith('{'))
const pick = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]

test('a visitor who follows every link finds every kind of page and no error', () => {
  expect(visits.filter(({ status }) => status >= 400).map(({ url, status }) => `${status} ${url}`)).toEqual([])
  const kinds = new Set(pages().map(({ url }) => new URL(url).pathname.split('/')[1]))
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining([
      '',
      'about',
      'category',
      'embed',
      'language',
      'search',
      'speaker',
      'stats',
      'tag',
      'video',
    ]),
  )
  expect(pages().length).toBeGreaterThan(150)
})

test('no page links to a redirect, except to sign in', () => {
  const isMoved = ({ status, links }: Visit) =>
    status >= 300 && status < 400 && !(status === 303 && links.every((link) => link.includes('/edit/sign-in?next=')))
  const moved = new Set(visits.filter(isMoved).map(({ url }) => url))
  const links = pages().flatMap(({ url, links }) =>
    links.filter((link) => moved.has(link)).map((link) => `${url}: ${link}`),
  )
  expect(links).toEqual([])
})

test('every page has a unique title, a single h1, and a canonical URL of its own', async () => {
  const titles = new Map<string, string>()
  for (const { url, body } of pages()) {
    const { pathname } = new URL(url)
    if (/^\/(?:embed|api|edit)\b/.test(pathname)) continue
    expect([url, body.match(/<h1[\s>]/g)?.length]).toEqual([url, 1])
    const canonical = pick(body, /<link rel="canonical" href="([^"]*)"/)?.replaceAll('&amp;', '&') ?? ''
    expect([url, canonical.startsWith(server.url)]).toEqual([url, true])
    expect([url, new URL(canonical).pathname]).toEqual([url, pathname])
    const title = pick(body, /<title>([^<]*)<\/title>/) ?? ''
    expect([url, title.length > 3]).toEqual([url, true])
    // A narrowed list shares the title of the whole one: a search with filters, a day of an event.
    const own = canonical.replace(/[?&]day=[^&]*/, '')
    if (pathname !== '/search') expect([title, titles.get(title) ?? own]).toEqual([title, own])
    titles.set(title, own)
  }
  expect(titles.size).toBeGreaterThan(100)
})

test('the page at a canonical URL names itself as canonical', async () => {
  const canonical = pages().map(({ body }) =>
    pick(body, /<link rel="canonical" href="([^"]*)"/)?.replaceAll('&amp;', '&'),
  )
  const known = new Set(visits.map(({ url }) => url))
  const unseen = [...new Set(canonical)]
    .flatMap((url) => (url === undefined || known.has(url) ? [] : [url]))
    .slice(0, 100)
  for (const url of unseen) {
    const answer = await fetch(url, { redirect: 'manual' })
    expect([url, answer.status]).toEqual([url, 200])
    expect([url, pick(await answer.text(), /<link rel="canonical" href="([^"]*)"/)?.replaceAll('&amp;', '&')]).toEqual([
      url,
      url,
    ])
  }
})

test('robots may not follow links of a search, and none of its pages is indexed', () => {
  const searches = pages().filter(({ url }) => new URL(url).pathname === '/search')
  expect(searches.length).toBeGreaterThan(10)
  for (const { url, body } of searches) {
    expect([url, body.includes('<meta name="robots" content="noindex"')]).toEqual([url, true])
    const links = [...body.matchAll(/<a [^>]*>/g)].map(([link]) => link)
    const narrowing = links.filter((link) =>
      /href="\/search\?[^"]*(?:speaker|tag|category|year|length|download)=/.test(link),
    )
    const isPager = (link: string) => /aria-label="Page|class="step"/.test(link)
    const followed = narrowing.filter((link) => !link.includes('rel="nofollow"') && !isPager(link))
    expect([url, followed]).toEqual([url, []])
  }
})
