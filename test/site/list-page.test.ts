import { beforeAll, describe, expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { get, listTitles, readAtom, readPodcast } from './machine/feed-service.ts'
import { createBrowser, hrefOf, linkOf, textsOf, titlesOf } from './search-talks.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })
const open = createBrowser(service)
const draft = 3
const unknown = 987_654

beforeAll(async () => {
  for (const [i, title] of ['First', 'Second', 'Secret', 'Fourth'].entries()) {
    const state = i + 1 === draft ? 2 : 1
    const file = i % 2 === 0 ? {} : { video_mp4_url: `https://files.example.org/${i}.mp4` }
    await service.create({ title, category: 'Listed', duration: 600, state, ...file })
  }
})

describe('A list', () => {
  test('has its talks in the order of their ids, once each', async () => {
    const page = await open('/list?ids=4,1,2,4')
    expect(titlesOf(page)).toEqual(['Fourth', 'First', 'Second'])
    expect(textsOf(page.one('.facts').all('li')).slice(0, 2)).toEqual(['3 talks', '30 min'])
    expect(page.all('.notice')).toBeEmpty()
  })

  test('says how many talks are not available', async () => {
    expect((await open(`/list?ids=1,${draft},${unknown}`)).one('.notice').text).toBe('2 of 3 talks are not available.')
    expect((await open(`/list?ids=1,${unknown}`)).one('.notice').text).toBe('1 of 2 talks is not available.')
  })

  test('tells no difference between a draft and an id that no talk has', async () => {
    const texts = await Promise.all(
      [draft, unknown].flatMap((id) =>
        [`/list?ids=${id},1`, `/list.atom?ids=${id},1`, `/list.rss?ids=${id},2`].map(async (path) => {
          const { status, body } = await get(service, path)
          const own = body.replaceAll(`=${id},`, '=ID,').replace(/urn:uuid:[\w-]+|<podcast:guid>[\w-]+/g, 'UUID')
          return { status, own }
        }),
      ),
    )
    expect(texts.slice(0, 3)).toEqual(texts.slice(3))
    expect(JSON.stringify(texts)).not.toContain('Secret')
  })

  test('is no page for search engines, and known by its ids alone', async () => {
    const page = await open('/list?ids=2,1&x=y')
    const robots = page.all('meta').filter((meta) => meta.attribute('name') === 'robots')
    expect(robots.map((meta) => meta.attribute('content'))).toEqual(['noindex'])
    const [canonical] = page.all('link').filter((link) => link.attribute('rel') === 'canonical')
    expect(canonical && hrefOf(canonical)).toBe(`${service.server().url}/list?ids=2,1`)
    expect(hrefOf(linkOf(page, 'JSON'))).toBe('/api/v2/video?id=2,1')
  })

  const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join(',')
  test.each(['1,x', '1,,2', '0', '-1', '1.5', '1;2', many(101)])('of %p is refused', async (ids) => {
    for (const path of ['/list', '/list.atom', '/list.rss']) {
      const { status, body } = await get(service, `${path}?ids=${ids}`, { Accept: 'text/html' })
      expect([path, status]).toEqual([path, 400])
      expect(body).toContain('A list has the numbers of up to 100 talks, separated by commas, such as /list?ids=3,1,2.')
    }
  })

  test('may have a hundred talks', async () => {
    expect(titlesOf(await open(`/list?ids=${many(100)}`))).toEqual(['First', 'Second', 'Fourth'])
  })

  test('without ids is the page of one’s own list; its feeds need ids', async () => {
    expect((await open('/list')).one('h1').text).toBe('Watch later')
    expect((await open('/list?ids=')).one('h1').text).toBe('Watch later')
    expect((await get(service, '/list.atom')).status).toBe(400)
  })

  test('without ids has an example that works', async () => {
    const example = await open(hrefOf((await open('/list')).one('p.prose').one('a')))
    expect(titlesOf(example)).toHaveLength(3)
    expect(example.all('.notice')).toBeEmpty()
  })

  test('is a feed and a podcast in the same order', async () => {
    expect(listTitles(await readAtom(service, `/list.atom?ids=4,${draft},1,2`))).toEqual(['Fourth', 'First', 'Second'])
    expect(listTitles(await readPodcast(service, `/list.rss?ids=4,${draft},1,2&format=mp4`))).toEqual([
      'Fourth',
      'Second',
    ])
  })

  test('changes as soon as one of its talks is withdrawn', async () => {
    const path = '/list?ids=1,2'
    const tag = headerOf(await get(service, path), 'ETag') ?? ''
    await service.patch(2, { state: 2 })
    expect(titlesOf(await open(path))).toEqual(['First'])
    expect((await get(service, path, { 'If-None-Match': tag })).status).toBe(200)
    await service.patch(2, { state: 1 })
  })
})

describe('The page of a talk', () => {
  test('links to its host from the time of its address on', async () => {
    const { id, slug } = await service.create({
      title: 'Hosted',
      category: 'Listed',
      source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      description: '1:05 The loom\n\nNot 12:34 here.',
      duration: 300,
    })
    const page = await open(`/video/${id}/${slug}?t=90`)
    const watch = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s'
    expect(page.one('.player').all('a').map(hrefOf)).toEqual([watch])
    expect(hrefOf(linkOf(page, 'Watch on YouTube'))).toBe(watch)
    expect(page.one('div.prose').all('a').map(hrefOf)).toEqual(['?t=65'])
  })

  test('has a link to copy, and a form that leads to a time', async () => {
    const share = (await open('/video/1/first?t=90')).one('details.share')
    const fields = share.all('input').map((field) => [field.attribute('name'), field.attribute('value')])
    expect(fields).toEqual([
      [undefined, `${service.server().url}/video/1/first`],
      ['t', '1:30'],
    ])
    expect(share.one('form').attribute('action')).toBe('/video/1/first')
    expect((await open('/video/1/first?t=1:30')).one('details.share').all('input')[1]?.attribute('value')).toBe('1:30')
    expect(share.one('.error').text).toBe('')
  })

  test('says so of a time after its end', async () => {
    const share = (await open('/video/1/first?t=10:00')).one('details.share')
    expect(share.one('.error').text).toBe('This talk is 10:00 long. Enter an earlier time.')
  })
})
