import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Refused } from '../../../src/http/problem.ts'
import { type Call, QueryParameters } from '../../../src/http/route.ts'
import { createSitemap } from '../../../src/site/machine/sitemap.ts'
import type { SiteDeps } from '../../../src/site/site.ts'
import type { ReadStore } from '../../../src/store/store.ts'
import { useService } from '../../contract/service.ts'
import { headerOf } from '../../harness/raw.ts'
import { until } from '../../harness/until.ts'
import { describeEngines, type SiteStore, timeoutMs } from '../../store/site/site-store.ts'
import { get, readXml } from './feed-service.ts'
import { openSearch, sitemapIndex, urlset } from './other-schemas.ts'
import { findFaults } from './schema.ts'
import { findAll, findText, parseXml, type XmlNode } from './xml-tree.ts'

// Runner: long PostgreSQL

const toPaths = (root: XmlNode, name: string) =>
  findAll(root, name).map((each) => {
    const { pathname, search } = new URL(findText(each, 'loc') ?? '')
    return pathname + search
  })

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
    for (let i = 1; i <= 7; i++) {
      await store.create({ title: `Talk ${i}`, speakers: [`Speaker ${i % 2}`], tags: ['tag'], state: i === 4 ? 2 : 1 })
    }
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  async function read(maxUrls: number, part?: string): Promise<XmlNode> {
    const queryText = part === undefined ? '' : `part=${part}`
    // The handler uses no more than this of a call and of what handlers need.
    const call = {
      method: 'GET',
      head: {},
      route: { path: '/sitemap.xml', headers: new Headers() },
      query: () => new QueryParameters(queryText),
    } as unknown as Call
    const deps = {
      store: store.site as unknown as ReadStore,
      baseUrl: () => 'https://example.org/archive',
      settings: {},
      assets: { load: async () => ({}) },
    } as unknown as SiteDeps
    const { pieces } = await createSitemap(maxUrls, maxUrls)(call, deps)
    return parseXml(Buffer.from(pieces.join(''), 'latin1').toString())
  }

  test('few pages are one sitemap', async () => {
    const root = await read(17)
    expect(findFaults(root, urlset)).toEqual([])
    expect(toPaths(root, 'url')).toEqual([
      ...['', 'category', 'speaker', 'tag', 'stats', 'about', 'category/alpha'].map((path) => `/archive/${path}`),
      ...[1, 2, 3, 5, 6, 7].map((i) => `/archive/video/${i}/talk-${i}`),
      '/archive/speaker/1/speaker-1',
      '/archive/speaker/2/speaker-0',
      '/archive/tag/1/tag',
    ])
    expect(findAll(root, 'url').filter((url) => findText(url, 'lastmod') !== null).length).toBe(6)
  })

  test('many pages are an index, whose parts list each page once and stay within the limit', async () => {
    const whole = toPaths(await read(1_000), 'url')
    for (const maxUrls of [1, 2, 3, 5]) {
      const index = await read(maxUrls)
      expect(findFaults(index, sitemapIndex)).toEqual([])
      const found: string[] = []
      for (const path of toPaths(index, 'sitemap')) {
        const part = await read(maxUrls, new URLSearchParams(path.split('?')[1]).get('part') ?? '')
        expect(findFaults(part, urlset)).toEqual([])
        expect(toPaths(part, 'url').length).toBeLessThanOrEqual(maxUrls)
        found.push(...toPaths(part, 'url'))
      }
      expect(found).toEqual(whole)
    }
  })

  test.each(['video-99', 'x', '', 'video-0/../1', 'pages-9'])('there is no part %p', async (part) => {
    expect(read(2, part)).rejects.toThrow(Refused)
  })
})

describe('Over HTTP', () => {
  const service = useService({ args: ['--threads', '2', '--site-name', 'An archive with a long name & more'] })

  beforeAll(async () => {
    await service.create({ title: 'One', language: 'German' })
  })

  test('the sitemap has every page, and they exist', async () => {
    const root = await readXml(service, '/sitemap.xml', 'application/xml', urlset)
    const paths = toPaths(root, 'url')
    expect(paths).toContain('/language/de')
    expect(paths).toContain('/video/1/one')
    for (const path of paths) expect([path, (await get(service, path)).status]).toEqual([path, 200])
    expect((await get(service, '/sitemap.xml?part=x')).status).toBe(404)
  })

  test('robots.txt names the excluded paths and the sitemap', async () => {
    const { url } = service.server()
    const answer = await get(service, '/robots.txt')
    expect(headerOf(answer, 'Content-Type')).toBe('text/plain; charset=utf-8')
    expect(answer.body.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /search',
      'Disallow: /moments',
      'Disallow: /edit',
      'Disallow: /embed',
      '',
      `Sitemap: ${url}/sitemap.xml`,
      '',
    ])
  })

  test('the OpenSearch description is valid, and each of its URLs works', async () => {
    const root = await readXml(service, '/opensearch.xml', 'application/opensearchdescription+xml', openSearch)
    expect(findText(root, 'LongName')).toBe('An archive with a long name & more')
    for (const { attributes } of findAll(root, 'Url')) {
      const address = String(attributes.template).replace('{searchTerms}', 'one').slice(service.server().url.length)
      const answer = await get(service, address)
      expect(answer.status).toBe(200)
      expect(headerOf(answer, 'Content-Type')).toStartWith(String(attributes.type))
    }
  })

  test('browsers get suggestions of live talks', async () => {
    await service.create({ title: 'Onerous draft', state: 2 })
    const read = async (q: string) => JSON.parse((await get(service, `/suggestions.json?q=${q}`)).body)
    await until('titles are loaded', async () => (await read('on'))[1].length > 0)
    expect(await read('on')).toEqual(['on', ['One']])
    expect(await read('')).toEqual(['', []])
    expect((await read('x'.repeat(300)))[1]).toEqual([])
  })

  test('the icons are pictures', async () => {
    const icon = Buffer.from(await (await fetch(`${service.server().url}/favicon.ico`)).arrayBuffer())
    expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
    expect(icon.readUInt32LE(14) + icon.readUInt32LE(18)).toBe(icon.length)
    const picture = Buffer.from(await (await fetch(`${service.server().url}/podcast.png`)).arrayBuffer())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1400, 1400])
  })
})
