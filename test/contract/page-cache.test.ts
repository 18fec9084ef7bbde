import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { isFast } from '../harness/server.ts'
import { listPath, parseFields, type Service, tagOf, useService } from './service.ts'

// Runner: fast

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
    expect((await readMetric(service, 'rostrum_page_cache_hits_total')) > before).toBe(isFast)
    expect((await readMetric(service, 'rostrum_page_cache_bytes')) > 0).toBe(isFast)
  })

  test('is 304 for a client that has it, and HEAD tells its length', async () => {
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
    expect(await readMetric(local, 'rostrum_page_cache_misses_total')).toBe(isFast ? 1 : 0)
    expect(await readMetric(local, 'rostrum_page_cache_hits_total')).toBe(isFast ? 2 : 0)
  })
})
