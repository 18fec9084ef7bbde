import { beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import Parser from 'rss-parser'
import { type Fields, toPath, useService } from '../../contract/service.ts'
import { headerOf } from '../../harness/raw.ts'
import { findLink, get, listIds, listTitles, readAtom, readPodcast } from './feed-service.ts'
import { findAll, findText } from './xml-tree.ts'

// Runner: long PostgreSQL

const service = useService()

const talk = {
  category: 'Feed Conf 2024',
  title: 'Feeds for everybody',
  speakers: ['Ann Author', 'Bob Builder'],
  tags: ['feeds', 'atom & rss'],
  language: 'German',
  summary: 'A *short* text.',
  description: 'A longer text with a [link](https://example.org/).',
  copyright_text: 'CC BY 4.0',
  duration: 2347,
  thumbnail_url: 'https://example.org/t.jpg',
  video_mp4_url: 'https://example.org/a.mp4',
  video_mp4_length: 12_345_678,
  video_ogv_url: 'https://example.org/a.ogv',
  recorded: '2024-05-01',
}

let created: Fields = {}

beforeAll(async () => {
  created = await service.create(talk)
  await service.create({ category: 'Feed Conf 2024', title: 'Without anything' })
  const draft = await service.create({ category: 'Other Conf', title: 'First a draft', state: 2, tags: ['later'] })
  await service.create({ category: 'Other Conf', title: 'Elsewhere', video_webm_url: 'https://example.org/b.webm' })
  await service.patch(draft.id, { state: 1 })
}, 180_000)

const all = ['First a draft', 'Elsewhere', 'Without anything', 'Feeds for everybody']

test.each([
  ['/feed.atom', all],
  ['/category/feed-conf-2024/feed.atom', ['Without anything', 'Feeds for everybody']],
  ['/speaker/1/ann-author/feed.atom', ['Feeds for everybody']],
  ['/tag/1/feeds/feed.atom', ['Feeds for everybody']],
  ['/search.atom', all],
  ['/search.atom?q=everybody', ['Feeds for everybody']],
  ['/search.atom?category=other-conf&unknown=1', ['First a draft', 'Elsewhere']],
  ['/search.atom?q=nothing-has-this-word', []],
])('%s has the talks in the order in which they became live', async (path, titles) => {
  expect(listTitles(await readAtom(service, path))).toEqual(titles)
})

test.each([
  ['/feed.rss?format=mp4', ['Feeds for everybody']],
  ['/feed.rss', ['Feeds for everybody']],
  ['/feed.rss?format=webm', ['Elsewhere']],
  ['/feed.rss?format=ogv', ['Feeds for everybody']],
  ['/category/feed-conf-2024/feed.rss?format=mp4', ['Feeds for everybody']],
  ['/category/other-conf/feed.rss?format=mp4', []],
  ['/speaker/2/bob-builder/feed.rss?format=ogv', ['Feeds for everybody']],
  ['/tag/1/feeds/feed.rss?format=mp4', ['Feeds for everybody']],
  ['/search.rss?q=everybody&format=mp4', ['Feeds for everybody']],
])('%s has the talks with a file of that format', async (path, titles) => {
  expect(listTitles(await readPodcast(service, path))).toEqual(titles)
})

test('an entry says what the record says', async () => {
  const feed = await readAtom(service, '/tag/1/feeds/feed.atom')
  const [entry] = findAll(feed, 'entry')
  if (entry === undefined) throw new Error('no entry')
  const { url } = service.server()
  expect(entry.attributes).toEqual({ 'xml:lang': 'de' })
  expect(findText(entry, 'published')).toBe(`${created.added}Z`)
  expect(findText(entry, 'updated')).toBe(`${created.updated}Z`)
  expect(findLink(entry, 'alternate', 'text/html')).toBe(`${url}/video/${created.id}/feeds-for-everybody`)
  expect(findLink(entry, 'alternate', 'application/json')).toBe(`${url}${toPath(created.id)}`)
  expect(findLink(entry, 'enclosure', 'video/mp4')).toBe(talk.video_mp4_url)
  expect(findAll(entry, 'author').map((each) => findText(each, 'name'))).toEqual(talk.speakers)
  expect(findAll(entry, 'category').map(({ attributes }) => attributes.term)).toEqual(talk.tags)
  expect(findText(entry, 'summary')).toBe('A *short* text.')
  expect(findText(entry, 'content')).toContain('<em>short</em>')
  expect(findText(entry, 'content')).toContain('href="https://example.org/"')
  const [group] = findAll(entry, 'media:group')
  expect(group?.children.find(({ name }) => name === 'media:content')?.attributes).toEqual({
    url: talk.video_mp4_url,
    type: 'video/mp4',
    medium: 'video',
    fileSize: '12345678',
    duration: '2347',
  })
})

test('an episode has its file and size, or 0 bytes if the size is unknown', async () => {
  const [mp4] = findAll(await readPodcast(service, '/feed.rss?format=mp4'), 'item')
  expect(mp4?.children.find(({ name }) => name === 'enclosure')?.attributes).toEqual({
    url: talk.video_mp4_url,
    length: '12345678',
    type: 'video/mp4',
  })
  const [ogv] = findAll(await readPodcast(service, '/feed.rss?format=ogv'), 'item')
  expect(ogv?.children.find(({ name }) => name === 'enclosure')?.attributes).toMatchObject({
    length: '0',
    type: 'video/ogg',
  })
})

test('an episode is dated by the day of the talk, or by when it became live if that is unknown or earlier', async () => {
  const dateOf = async (path: string) =>
    findText(findAll(await readPodcast(service, path), 'item')[0] ?? fail(), 'pubDate')
  expect(await dateOf('/feed.rss?format=mp4')).toBe('Wed, 01 May 2024 12:00:00 GMT')
  const toDate = ({ added }: Fields) => new Date(`${added}Z`).toUTCString()
  const file = { category: 'Dated Conf', video_mp4_url: 'https://example.org/d.mp4' }
  for (const [tag, recorded] of [
    ['undated', null],
    ['ahead', '2999-01-01'],
  ] as const) {
    const talk = await service.create({ ...file, title: `A talk ${tag}`, tags: [tag], recorded })
    expect(await dateOf(`/search.rss?q=${tag}&format=mp4`)).toBe(toDate(talk))
    await service.patch(talk.id, { state: 2 })
  }
})

test('a real feed reader reads them', async () => {
  const parser = new Parser()
  const atom = await parser.parseString((await get(service, '/feed.atom')).body)
  expect(atom.items.map(({ title }) => title)).toEqual(all)
  expect(atom.items.at(-1)?.link).toContain(`/video/${created.id}/`)
  const rss = await parser.parseString((await get(service, '/feed.rss?format=mp4')).body)
  expect(rss.items[0]?.enclosure).toMatchObject({ url: talk.video_mp4_url, type: 'video/mp4' })
  expect(Number(rss.items[0]?.enclosure?.length)).toBe(12_345_678)
  expect(rss.itunes).toMatchObject({ author: 'Rostrum', explicit: 'false' })
  expect(rss.items[0]?.itunes).toMatchObject({ duration: '2347', explicit: 'false' })
})

describe('Ids', () => {
  test('are the same whatever the Host is, and in feeds of other formats', async () => {
    const feed = await readAtom(service, '/feed.atom')
    const other = await readAtom(service, '/feed.atom', { Host: 'other.example.org' })
    expect(findLink(other, 'self', 'application/atom+xml')).toBe('http://other.example.org/feed.atom')
    expect(findText(other, 'id')).toBe(findText(feed, 'id'))
    expect(listIds(other)).toEqual(listIds(feed))
    expect(listIds(await readPodcast(service, '/feed.rss'))).toEqual(listIds(feed).slice(-1))
  })

  test('stay as they are when a record is changed, and differ between feeds', async () => {
    const before = listIds(await readAtom(service, '/tag/1/feeds/feed.atom'))
    await service.patch(created.id, { title: 'Feeds for everyone', category: 'Feed Conf 2025' })
    expect(listIds(await readAtom(service, '/tag/1/feeds/feed.atom'))).toEqual(before)
    await service.patch(created.id, { title: talk.title, category: talk.category })
    const paths = [
      '/feed.atom',
      '/tag/1/feeds/feed.atom',
      '/speaker/1/ann-author/feed.atom',
      '/search.atom',
      '/search.atom?q=a',
    ]
    const ids = await Promise.all(paths.map(async (path) => findText(await readAtom(service, path), 'id')))
    expect(new Set(ids).size).toBe(paths.length)
  })
})

test.each([
  ['/speaker/1/another-slug/feed.atom', '/speaker/1/ann-author/feed.atom'],
  ['/speaker/1/bob-builder/feed.atom', '/speaker/2/bob-builder/feed.atom'],
  ['/speaker/999/ann-author/feed.rss?format=ogv', '/speaker/1/ann-author/feed.rss?format=ogv'],
  ['/tag/2/feeds/feed.atom', '/tag/1/feeds/feed.atom'],
])('%s is redirected', async (path, to) => {
  const answer = await get(service, path)
  expect([answer.status, headerOf(answer, 'Location')]).toEqual([301, to])
})

test.each([
  ['/category/unknown/feed.atom', 404],
  ['/category/unknown/feed.rss', 404],
  ['/speaker/999/nobody/feed.atom', 404],
  ['/speaker/x/ann-author/feed.atom', 404],
  ['/tag/999/nothing/feed.rss', 404],
  ['/feed.rss?format=exe', 400],
  ['/feed.json', 404],
  [`/search.atom?q=${'word+'.repeat(300)}`, 400],
])('%s is %d, and short', async (path, status) => {
  const answer = await get(service, path)
  expect(answer.status).toBe(status)
  if (path === '/feed.json') return
  expect(headerOf(answer, 'Content-Type')).toBe('text/plain; charset=utf-8')
  const program = await get(service, path, { Accept: 'application/json' })
  expect(headerOf(program, 'Content-Type')).toBe('application/problem+json')
})

describe('A feed over HTTP', () => {
  test('may be read from any origin, and is revalidated by its ETag', async () => {
    const answer = await get(service, '/feed.atom')
    expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBe('*')
    expect(headerOf(answer, 'Cache-Control')).toBe('public, max-age=0, must-revalidate')
    expect(headerOf(answer, 'X-Content-Type-Options')).toBe('nosniff')
    const again = await get(service, '/feed.atom', { 'If-None-Match': headerOf(answer, 'ETag') ?? '' })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  test('is the same for everybody', async () => {
    const path = '/feed.atom'
    const { body } = await get(service, path)
    expect((await service.call({ method: 'GET', path, as: 'admin' })).body).toBe(body)
    expect((await service.call({ method: 'GET', path, as: 'wrong' })).status).toBe(200)
  })

  test('is compressed if the client accepts it', async () => {
    const response = await fetch(`${service.server().url}/feed.atom`, {
      headers: { 'Accept-Encoding': 'gzip' },
      decompress: false,
    })
    expect(response.headers.get('Content-Encoding')).toBe('gzip')
    const text = gunzipSync(await response.arrayBuffer()).toString()
    expect(text).toBe(await (await fetch(`${service.server().url}/feed.atom`)).text())
  })

  test('has the same headers for HEAD', async () => {
    const [head, whole] = await Promise.all(
      ['HEAD', 'GET'].map((method) => service.call({ method, path: '/feed.atom' })),
    )
    expect(head?.status).toBe(200)
    expect(head?.body).toBe('')
    expect(headerOf(head ?? fail(), 'ETag')).toBe(headerOf(whole ?? fail(), 'ETag'))
  })
})

function fail(): never {
  throw new Error('no answer')
}
