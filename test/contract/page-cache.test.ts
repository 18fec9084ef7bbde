import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { listPath, parseFields, type Service, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '2'] })

const get = (path: string, headers = {}) => service.call({ method: 'GET', path, headers })

const titlesOf = (answer: RawAnswer) => {
  const { results } = parseFields(answer)
  return Array.isArray(results) ? results.map(({ title }) => title) : expect.unreachable()
}

const withoutDate = (headers: RawAnswer['headers']) => [...headers].filter(([name]) => name !== 'date')

/** Each request has a connection of its own, so after this many all threads have been asked with near certainty. */
const manyTimes = 12

async function getManyTimes(path: string): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (let time = 0; time < manyTimes; time++) answers.push(await get(path))
  return answers
}

async function readMetric(of: Service, name: string): Promise<number> {
  // Threads tell the others once a second.
  await Bun.sleep(1_100)
  const { body } = await of.call({ method: 'GET', path: '/metrics' })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
}

describe('A page that is asked for again', () => {
  test('comes from the cache, byte for byte', async () => {
    await service.create({ title: 'Kept', category: 'Pages' })
    const path = `${listPath}?category=pages`
    const before = await readMetric(service, 'rostrum_page_cache_hits_total')
    const [first, ...others] = await getManyTimes(path)
    expect(first?.status).toBe(200)
    for (const { status, headers, body } of others) {
      expect({ status, body }).toEqual({ status: 200, body: first?.body ?? '' })
      expect(withoutDate(headers)).toEqual(withoutDate(first?.headers ?? new Map()))
    }
    expect((await readMetric(service, 'rostrum_page_cache_hits_total')) > before).toBe(true)
    expect((await readMetric(service, 'rostrum_page_cache_bytes')) > 0).toBe(true)
  })

  test('is 304 for a client that has it, and HEAD has its length', async () => {
    const path = `${listPath}?category=pages&page_size=1`
    const [got] = (await getManyTimes(path)).slice(-1)
    const answer = got ?? expect.unreachable()
    const known = await get(path, { 'If-None-Match': tagOf(answer) })
    expect({ status: known.status, tag: tagOf(known), body: known.body }).toEqual({
      status: 304,
      tag: tagOf(answer),
      body: '',
    })
    const head = await service.call({ method: 'HEAD', path })
    expect(headerOf(head, 'Content-Length')).toBe(String(answer.bytes.byteLength))
  })

  const changes: readonly (readonly [string, string, (id: unknown) => Promise<unknown>])[] = [
    ['a list after a PATCH', `${listPath}?category=fresh`, (id) => service.patch(id, { title: 'Changed' })],
    ['a list after a POST', `${listPath}?category=fresh`, () => service.create({ title: 'New', category: 'Fresh' })],
    ['a search', `${listPath}?q=needle`, (id) => service.patch(id, { summary: 'a needle' })],
    ['a list with facets', `${listPath}?facets=tag&category=fresh`, (id) => service.patch(id, { tags: ['hay'] })],
    ['speakers', '/api/v2/speaker', (id) => service.patch(id, { speakers: ['Nova'] })],
    ['tags', '/api/v2/tag', (id) => service.patch(id, { tags: ['straw'] })],
    ['languages', '/api/v2/language', (id) => service.patch(id, { language: 'Finnish' })],
    [
      'categories',
      '/api/v2/category',
      () => service.call({ method: 'POST', path: '/api/v2/category', as: 'admin', json: { title: 'Empty' } }),
    ],
    [
      'a category',
      '/api/v2/category/fresh',
      () =>
        service.call({ method: 'PATCH', path: '/api/v2/category/fresh', as: 'admin', json: { description: 'Now' } }),
    ],
    ['a category, when a record joins it', '/api/v2/category/fresh', () => service.create({ category: 'Fresh' })],
  ]
  test.each(changes)('is new on every thread once a write was answered: %s', async (_, path, change) => {
    const { id } = await service.create({ category: 'Fresh', title: 'Before' })
    const [before] = (await getManyTimes(path)).slice(-1)
    await change(id)
    const after = await getManyTimes(path)
    expect(after.map(tagOf)).not.toContain(tagOf(before ?? expect.unreachable()))
    expect(new Set(after.map(({ body }) => body)).size).toBe(1)
  })
})

describe('A page', () => {
  test('for a token holder has drafts, is not kept for others, and is not theirs', async () => {
    const path = `${listPath}?category=drafted`
    await service.create({ category: 'Drafted', title: 'Live' })
    await service.create({ category: 'Drafted', title: 'Draft', state: 2 })
    for (let time = 0; time < manyTimes; time++) {
      const held = await service.call({ method: 'GET', path, as: 'reader' })
      expect(titlesOf(held).toSorted()).toEqual(['Draft', 'Live'])
      expect(headerOf(held, 'Cache-Control')).toBe('private, no-store')
      expect(titlesOf(await get(path))).toEqual(['Live'])
    }
  })

  test('with unknown parameters names them, and its links repeat them; the page without them does neither', async () => {
    for (let index = 0; index < 2; index++) await service.create({ category: 'Odd' })
    const path = `${listPath}?category=odd&page_size=1`
    for (let time = 0; time < 3; time++) {
      const plain = await get(path)
      expect(headerOf(plain, 'Ignored-Parameters')).toBeNull()
      expect(String(parseFields(plain).next)).not.toContain('color')
      const odd = await get(`${path}&color=${time}`)
      expect(headerOf(odd, 'Ignored-Parameters')).toBe('color')
      expect(String(parseFields(odd).next)).toContain(`color=${time}`)
    }
  })

  test('has the addresses of the Host that it was asked by, and the slash', async () => {
    const path = '/api/v2/category/odd'
    for (let time = 0; time < manyTimes; time++) {
      const host = `host${time % 3}.example.org`
      expect((await get(path, { Host: host })).body).toContain(`"http://${host}/api/v2/video/`)
      const [slash, bare] = [`${listPath}/?category=odd&page_size=1`, `${listPath}?category=odd&page_size=1`]
      expect(String(parseFields(await get(slash)).next)).toContain('/video/?')
      expect(String(parseFields(await get(bare)).next)).toContain('/video?')
    }
  })

  test('that cannot be had is not kept', async () => {
    expect((await get('/api/v2/category/later')).status).toBe(404)
    await service.create({ category: 'Later' })
    expect((await get('/api/v2/category/later')).status).toBe(200)
  })
})

describe('In local mode', () => {
  const local = useService({ args: ['--threads', '1', '--auth', 'local'] })

  test('a caller that is an admin neither reads nor fills the cache', async () => {
    await local.create({ category: 'Here', state: 2, title: 'Draft' })
    const path = `${listPath}?category=here`
    for (let time = 0; time < 3; time++) {
      expect(titlesOf(await local.call({ method: 'GET', path }))).toEqual(['Draft'])
      const proxied = await local.call({ method: 'GET', path, headers: { 'X-Real-IP': '127.0.0.1' } })
      expect(titlesOf(proxied)).toEqual([])
    }
    // Those through a proxy have no role: the first is read, the others are kept.
    expect(await readMetric(local, 'rostrum_page_cache_misses_total')).toBe(1)
    expect(await readMetric(local, 'rostrum_page_cache_hits_total')).toBe(2)
  })
})

describe('Without --base-url, a page', () => {
  /** The first few Hosts are usual ones, for which pages are rendered. */
  const usual = ['one.example', 'two.example:8080', 'three.example', 'four.example']
  const unusual = ['Other.Example', '[2001:db8::1]:8080', '192.0.2.1:80', 'a_b.example']
  const ofHost = useService({ args: ['--threads', '1', '--sample'] })
  const ask = (host: string, path: string, headers = {}) =>
    ofHost.call({ method: 'GET', path, headers: { Host: host, ...headers } })

  /** A page that misses words is not kept, and one that is ready is rendered again when more were indexed. */
  async function isIndexed(): Promise<boolean> {
    const { body } = await ofHost.call({ method: 'GET', path: '/metrics' })
    const spoken = await ofHost.call({ method: 'GET', path: '/api/v2/moments?q=the' })
    return body.includes('\nrostrum_index_complete 1\n') && !spoken.body.includes('at_least')
  }

  beforeAll(async () => {
    await until('the sample is indexed', isIndexed)
    for (const host of usual) expect((await ask(host, '/about')).status).toBe(200)
  })

  /** How often a page is rendered for fifty other Hosts. */
  async function countRendered(path: string): Promise<number> {
    const before = await readMetric(ofHost, 'rostrum_page_cache_misses_total')
    for (let i = 0; i < 50; i++) {
      const answer = await ask(`h${i}.example`, path, { 'Accept-Encoding': 'br', 'If-Modified-Since': 'x' })
      expect(answer.status).toBe(200)
      // It is not compressed anew for each.
      expect(headerOf(answer, 'Content-Encoding')).toBeNull()
      expect(answer.body).toContain(`//h${i}.example`)
      expect(answer.body).not.toContain('.invalid')
    }
    return (await readMetric(ofHost, 'rostrum_page_cache_misses_total')) - before
  }

  test.each(['/sitemap.xml', '/feed.atom', '/', listPath])('is rendered once for all other Hosts: %s', async (path) => {
    let rendered = await countRendered(path)
    if (!ofHost.server().db.startsWith('postgres:')) return expect(rendered).toBe(1)
    expect(rendered).toBeGreaterThan(0)
    // A node that PostgreSQL tells nothing for a moment keeps no page meanwhile.
    await until('it is rendered at most once', async () => {
      if (rendered > 1) rendered = await countRendered(path)
      return rendered <= 1
    })
  })

  const paths = [
    ...['/', '/sitemap.xml', '/feed.atom', '/feed.rss', '/robots.txt', '/opensearch.xml', '/search?q=a', '/stats'],
    ...['/search.atom?q=a', '/suggestions.json?q=a', '/category', '/speaker', '/tag', '/video/1', '/embed/1'],
    ...[
      listPath,
      `${listPath}?page_size=1&page=2`,
      `${listPath}?color=1&page_size=1`,
      '/api/v2/category',
      '/api/v2/tag',
    ],
    ...['/api/v2/suggest?q=a', '/podcast.png', '/favicon.ico', '/nowhere', '/api/v2/speaker/1', '/oembed?url=x'],
  ]
  test.each(paths)('is the same for an unusual Host, but for its name: %s', async (path) => {
    const [first = ''] = usual
    const wanted = await ask(first, path)
    for (const host of unusual) {
      const got = await ask(host, path)
      const shown = host.toLowerCase().replace(/:80$/, '')
      const put = (text: string) =>
        text.replaceAll(first, shown).replaceAll(encodeURIComponent(first), encodeURIComponent(shown))
      const toHeaders = (answer: RawAnswer) =>
        withoutDate(answer.headers)
          .filter(([name]) => !['etag', 'content-length', 'transfer-encoding'].includes(name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
      expect([got.status, put(JSON.stringify(toHeaders(wanted)))]).toEqual([
        wanted.status,
        JSON.stringify(toHeaders(got)),
      ])
      const instance = /urn:rostrum:request:[0-9a-f-]+/g
      expect(got.body.replace(instance, '')).toBe(put(wanted.body).replace(instance, ''))
      expect(Number(headerOf(got, 'Content-Length') ?? got.bytes.length)).toBe(got.bytes.length)
      const etag = headerOf(got, 'ETag')
      if (etag === null) continue
      expect((await ask(host, path, { 'If-None-Match': etag })).status).toBe(304)
      expect((await ask('yet.another.example', path)).status).toBe(200)
    }
  })

  test('has the ETag of its version for a category of an unusual Host', async () => {
    const path = '/api/v2/category'
    const [{ slug } = { slug: '' }] = JSON.parse((await ask('h.example', path)).body).results
    const read = await ask('h.example', `${path}/${slug}`)
    const headers = { Host: 'h.example', 'If-Match': headerOf(read, 'ETag') ?? '' }
    const patched = await ofHost.call({
      ...{ method: 'PATCH', path: `${path}/${slug}`, as: 'admin', headers, json: { description: 'x' } },
    })
    expect(patched.status).toBe(200)
    const date = headerOf(await ask('h.example', `${path}/${slug}`), 'Last-Modified') ?? ''
    expect((await ask('h.example', `${path}/${slug}`, { 'If-Modified-Since': date })).status).toBe(304)
  })

  test('is compressed for a Host that asks often', async () => {
    const codings: (string | null)[] = []
    for (let i = 0; i < 110; i++) {
      codings.push(headerOf(await ask('often.example', '/about', { 'Accept-Encoding': 'br' }), 'Content-Encoding'))
    }
    expect([codings.at(-1), codings.filter((coding) => coding === null).length < 110]).toEqual(['br', true])
  })
})
