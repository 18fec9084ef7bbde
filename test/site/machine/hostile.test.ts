import { beforeAll, expect, test } from 'bun:test'
import { useService } from '../../contract/service.ts'
import { changesFeed } from './atom-schema.ts'
import { get, listTitles, readAtom, readPodcast, readXml } from './feed-service.ts'
import { urlset } from './other-schemas.ts'
import { findAll, findText, parseXml } from './xml-tree.ts'

// Runner: long PostgreSQL

const service = useService()

const nasty = '<script>alert(1)</script>]]>&amp;"\'\u202eevil\u2066 👩‍💻 \uffff\ufffe <!-- --> <?php ?>'
/** As a reader sees it: without what XML cannot have. */
const readable = nasty.replace(/[\uffff\ufffe]/g, '')
const long = 'x'.repeat(100_000)

beforeAll(async () => {
  await service.create({
    category: `Event ${nasty}`,
    title: `Title ${nasty}`,
    speakers: [`Speaker ${nasty}`, ...Array.from({ length: 199 }, (_, i) => `Speaker ${i}`)],
    tags: [`t${nasty}`.slice(0, 100), ...Array.from({ length: 199 }, (_, i) => `tag ${i}`)],
    summary: nasty,
    description: `${nasty}\n[click](javascript:alert(1)) <img src=x onerror=alert(1)>\n${long}`.slice(0, 100_000),
    copyright_text: long,
    thumbnail_url: 'https://example.org/t.jpg?a=1&b=<2>',
    video_mp4_url: 'https://example.org/a.mp4?a=1&b="2"',
    source_url: 'https://example.org/watch?a=1&b=2',
  })
  await service.create({ category: 'Long', title: 'y'.repeat(255), summary: long, description: long })
}, 180_000)

test('markup, bidirectional marks, emoji and noncharacters stay text', async () => {
  const feed = await readAtom(service, '/feed.atom')
  expect(listTitles(feed)).toEqual(['y'.repeat(255), `Title ${readable}`])
  const entry = findAll(feed, 'entry').at(-1)
  expect(entry === undefined ? null : findText(entry, 'summary')).toBe(readable)
  expect(entry === undefined ? 0 : findAll(entry, 'author').length).toBe(200)
  expect(entry === undefined ? 0 : findAll(entry, 'category').length).toBe(200)
})

test('texts as HTML neither run nor load anything', async () => {
  const feed = await readAtom(service, '/feed.atom')
  for (const entry of findAll(feed, 'entry')) {
    const content = findText(entry, 'content') ?? ''
    expect(content).not.toBe('')
    expect(content).not.toMatch(/<(?:script|img|iframe|object|embed|style|link)|href="(?!https?:)/i)
  }
})

test('a feed of long texts stays small', async () => {
  expect((await get(service, '/feed.atom')).body.length).toBeLessThan(150_000)
})

test('podcasts, feeds of names, the sitemap and a search for markup are valid too', async () => {
  expect(listTitles(await readPodcast(service, '/feed.rss'))).toEqual([`Title ${readable}`])
  const sitemap = await readXml(service, '/sitemap.xml', 'application/xml', urlset)
  const pages = findAll(sitemap, 'url').map((url) => new URL(findText(url, 'loc') ?? '').pathname)
  const named = pages.filter((path) => /^\/(?:speaker|tag|category)\/./.test(path)).slice(0, 20)
  expect(named.length).toBe(20)
  for (const page of named) expect(listTitles(await readAtom(service, `${page}/feed.atom`)).length).toBe(1)
  const events = named.filter((path) => path.startsWith('/category/'))
  expect(events.length).toBeGreaterThan(0)
  for (const page of events) {
    const feed = await readXml(service, `${page}/changes.atom`, 'application/atom+xml', changesFeed)
    expect(listTitles(feed)).toEqual(listTitles(await readAtom(service, `${page}/feed.atom`)))
  }
  const search = encodeURIComponent('<b>&"')
  expect(parseXml((await get(service, `/search.atom?q=${search}`)).body).name).toBe('feed')
})

/** 2,000 characters, most of them links to one long address, or rows of a wide table. */
const bombs = [
  `[a]: https://example.org/${'ä'.repeat(900)}\n\n${'[a]'.repeat(350)}`,
  `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'a\n'.repeat(590)}`,
]

test('a feed and a page stay small if their texts would become long HTML', async () => {
  const [summary = '', description = ''] = bombs
  const ids: unknown[] = []
  for (let i = 0; i < 50; i++) {
    const { id } = await service.create({
      ...{ category: 'Bombs', title: `Bomb ${i}`, summary, description, quality_notes: summary },
      video_mp4_url: 'https://example.org/a.mp4',
    })
    ids.push(id)
  }
  for (const path of ['/category/bombs/feed.atom', '/feed.atom', '/search.atom?q=bomb', '/category/bombs/feed.rss']) {
    const { status, body } = await get(service, path)
    expect([path, status]).toEqual([path, 200])
    expect(body.length).toBeLessThan(50 * 2 * 20_000)
  }
  const page = await get(service, `/video/${ids[0]}/bomb-0`)
  expect([page.status, page.body.length < 100_000]).toEqual([200, true])
})
