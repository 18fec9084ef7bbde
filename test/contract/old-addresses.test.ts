import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { headerOf } from '../harness/raw.ts'
import { importServed, writeFile } from './importing.ts'
import { parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

/** Status, and where it leads without the host. */
async function follow(path: string, headers = {}) {
  const answer = await service.call({ method: 'GET', path, headers })
  return [answer.status, headerOf(answer, 'Location')?.replace(/^https?:\/\/[^/]+/, '') ?? null]
}

let talk: string
let speaker: string

beforeAll(async () => {
  const made = await service.create({
    title: 'A/B tests, or: what’s a lighthouse.py worth?',
    category: 'Harbour.Con 2019',
    speakers: ['J.R. Keeper'],
    tags: ['lamp.oil'],
  })
  talk = `/video/${made.id}/${made.slug}`
  await service.create({ title: 'Opening', category: 'Harbour.Con 2019', speakers: ['Ann Keeper'] })
  await service.create({ title: 'Opening!', category: 'Harbour.Con 2019' })
  await service.create({ title: 'Unpublished lamps of winter', category: 'Harbour.Con 2019', state: 2 })
  speaker = '/speaker/1/j-r-keeper'
})

describe('Addresses of a static site with the same talks lead on:', () => {
  test('those of a talk', async () => {
    for (const event of ['harbour-con-2019', 'harbourcon-2019']) {
      for (const slug of ['ab-tests-or-whats-a-lighthousepy-worth', 'a-b-tests-or-whats-a-lighthouse-py-worth']) {
        expect(await follow(`/${event}/${slug}.html`)).toEqual([301, talk])
      }
    }
  })

  test('those of a speaker, a tag and an event', async () => {
    for (const path of [
      '/speaker/jr-keeper.html',
      '/speaker/j-r-keeper',
      '/speaker/jr-keeper/',
      '/speakers/j-r-keeper',
    ]) {
      expect([path, ...(await follow(path))]).toEqual([path, 301, speaker])
    }
    expect(await follow('/tag/lampoil/')).toEqual([301, '/tag/1/lamp-oil'])
    expect(await follow('/tags/lamp-oil')).toEqual([301, '/tag/1/lamp-oil'])
    expect(await follow('/tag/lamp-oil.html')).toEqual([301, '/tag/1/lamp-oil'])
    expect(await follow('/events/harbourcon-2019.html')).toEqual([301, '/category/harbour-con-2019'])
    expect(await follow('/events/harbour-con-2019')).toEqual([301, '/category/harbour-con-2019'])
  })

  test('those of a talk and an event without .html, and with a slash', async () => {
    for (const path of ['/harbour-con-2019', '/harbourcon-2019/', '/Harbour-Con-2019']) {
      expect([path, ...(await follow(path))]).toEqual([path, 301, '/category/harbour-con-2019'])
    }
    const slug = 'ab-tests-or-whats-a-lighthousepy-worth'
    for (const path of [`/harbour-con-2019/${slug}`, `/harbourcon-2019/${slug}/`]) {
      expect([path, ...(await follow(path))]).toEqual([path, 301, talk])
    }
    expect(await follow('/harbourcon-2019/opening_')).toEqual([302, '/search?q=opening&category=harbour-con-2019'])
    for (const path of ['/harbour-con-2019/no-such-talk', '/harbour-con-2019.php', `/x/harbour-con-2019/${slug}`]) {
      expect([path, ...(await follow(path))]).toEqual([path, 404, null])
    }
  })

  test('to a search of the words if several talks may be meant', async () => {
    expect(await follow('/harbourcon-2019/opening_.html')).toEqual([302, '/search?q=opening&category=harbour-con-2019'])
  })

  test('but never to a draft', async () => {
    for (const end of ['.html', '']) {
      expect(await follow(`/harbourcon-2019/unpublished-lamps-of-winter${end}`)).toEqual([404, null])
    }
  })

  test('not by a former name', async () => {
    const json = { name: 'Jo Keeper' }
    await service.call({ method: 'PATCH', path: '/api/v2/speaker/2', as: 'admin', json })
    expect(await follow('/speaker/ann-keeper.html')).toEqual([404, null])
  })
})

test('An imported talk has the address of the file of its event, and that of its own file', () =>
  withFolder(async (folder) => {
    const archive = join(folder, 'archive')
    writeFile(archive, 'buoys/category.json', { title: 'Buoys of the North 2012' })
    writeFile(archive, 'buoys/videos/gieomang.json', { title: '기어망', category: 'Buoys 2012' })
    await importServed(service, archive)
    const { results } = parseFields(await service.call({ method: 'GET', path: '/api/v2/video?category=buoys-2012' }))
    const [talk] = Array.isArray(results) ? results : []
    for (const event of ['buoys-of-the-north-2012', 'buoys-2012']) {
      expect(await follow(`/${event}/gieomang.html`)).toEqual([301, `/video/${talk.id}/${talk.slug}`])
      expect(await follow(`/events/${event}.html`)).toEqual([301, '/category/buoys-2012'])
    }
  }))

test('Addresses that people guess lead on', async () => {
  const guessed = {
    '/events': '/category',
    '/speakers': '/speaker',
    '/tags/': '/tag',
    '/statistics': '/stats',
    '/feed': '/feed.atom',
    '/rss': '/feed.atom',
    '/events.html': '/category',
    '/feeds/all.atom.xml': '/feed.atom',
    '/feed.xml': '/feed.atom',
    '/podcast': '/feed.rss',
    '/talks': '/search',
    '/video': '/search',
    '/watch-later': '/list',
    '/event/harbour-con-2019': '/category/harbour-con-2019',
  }
  for (const [path, target] of Object.entries(guessed)) {
    expect([path, ...(await follow(path))]).toEqual([path, 301, target])
  }
  expect(await follow('/api')).toEqual([302, '/api/docs'])
  expect(await follow('/api/', { Accept: 'application/json' })).toEqual([302, '/api/v2'])
})

describe('A page that does not exist', () => {
  const get = async (path: string, headers = {}) => service.call({ method: 'GET', path, headers })

  test('leads to the nearest editions of an event that the archive lacks', async () => {
    for (const path of ['/harbour-con-2021', '/category/harbour-con-2021']) {
      const { status, body } = await get(path)
      expect([
        path,
        status,
        /This archive has no talks from .*Nearest: .*href="[^"]*harbour-con-2019"/.test(body),
      ]).toEqual([path, 404, true])
    }
    const { body } = await get('/category?q=harbour+con+2021')
    expect(body).toMatch(/No events match\..*Nearest: .*harbour-con-2019"/)
  })

  test('says where talks have only some of the words', async () => {
    expect((await get('/lighthouse-unheardof')).body).toContain('Talks with some of these words')
    expect((await get('/lighthouse-worth')).body).toContain('Did you mean one of these?')
  })

  test('shows results for the words of its address', async () => {
    for (const path of [
      '/lighthouse-worth',
      '/video/999999/lighthouse-worth',
      '/a/b/lighthouse',
      '/video/lighthouse',
      '/no-such-event/lighthouse-worth.html',
      '/speaker/999/lighthouse-worth',
      '/category/lighthouse-worth',
    ]) {
      const answer = await get(path)
      expect([path, answer.status, answer.body.includes(`href="${talk}"`)]).toEqual([path, 404, true])
      expect([path, /value="[^"]*lighthouse/.test(answer.body)]).toEqual([path, true])
      expect([headerOf(answer, 'Cache-Control'), headerOf(answer, 'Allow') !== '']).toEqual(['no-store', true])
    }
  })

  test('shows none where nothing was meant', async () => {
    for (const path of ['/lighthouse.php', '/.lighthouse', '/12345', '/%FF%FE']) {
      const answer = await get(path)
      expect([path, answer.status, answer.body.includes('talk-card')]).toEqual([path, 404, false])
    }
  })

  test('is 404 for every method, and JSON for programs', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await service.call({ method, path: '/lighthouse-worth' })).status).toBe(404)
    }
    const answer = await get('/lighthouse-worth', { Accept: 'application/json' })
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([404, 'application/problem+json'])
  })
})

describe('A withdrawn talk', () => {
  const withdraw = async (fields: object) => {
    const made = await service.create({ ...fields })
    await service.patch(made.id, { state: 2 })
    return { path: `/video/${made.id}/${made.slug}`, id: made.id }
  }
  const source = 'https://www.youtube.com/watch?v=lanternlan1'

  test('leads to the live talk with the same video', async () => {
    const { path } = await withdraw({ title: 'Gone', category: 'Other Days', source_url: source })
    const now = await service.create({ title: 'Kept', category: 'Harbour.Con 2019', source_url: source })
    const { status, body } = await service.call({ method: 'GET', path })
    expect([status, body.includes(`href="/video/${now.id}/kept"`), body.includes('This talk is now here')]).toEqual([
      410,
      true,
      true,
    ])
  })

  test('leads to the live talk with the same title in the same event, not in another', async () => {
    const { path } = await withdraw({ title: 'Fog signals', category: 'Signal Days' })
    const elsewhere = await service.create({ title: 'Fog signals', category: 'Other Days' })
    const before = await service.call({ method: 'GET', path })
    expect([before.status, before.body.includes('This talk is now here')]).toEqual([410, false])
    // A search finds it.
    expect(before.body).toContain(`href="/video/${elsewhere.id}/`)
    const now = await service.create({ title: 'Fog Signals', category: 'Signal Days' })
    const { body } = await service.call({ method: 'GET', path })
    expect(body.slice(body.indexOf('This talk is now here'))).toContain(`href="/video/${now.id}/`)
  })

  test('says nothing of itself', async () => {
    const { id } = await withdraw({ title: 'Semaphore secrets', category: 'Secret Days', summary: 'Unspoken' })
    const { status, body } = await service.call({ method: 'GET', path: `/video/${id}/other-words` })
    expect([status, /semaphore|secret|unspoken/i.test(body)]).toEqual([410, false])
  })
})

test('Searches for the words of made-up addresses are limited', async () => {
  const found: boolean[] = []
  for (let i = 0; i < 1_300; i++) {
    const { status, body } = await service.call({ method: 'GET', path: `/crawled-${i}-lighthouse` })
    expect(status).toBe(404)
    found.push(body.includes('talk-card'))
  }
  expect(found.at(-1)).toBe(false)
})
