import { afterAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { createFolder, removeFolder } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { importServed, writeFile } from './importing.ts'
import { type Fields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()
const folder = createFolder()
afterAll(() => removeFolder(folder))

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  service.call({ method, path, headers: { Accept: 'text/html', ...headers } })

const toPage = ({ id, slug }: Fields) => `/video/${id}/${slug}`
const locationOf = (answer: RawAnswer) => [answer.status, headerOf(answer, 'Location')]

/** What differs between two answers to the same kind of request, whatever they are about. */
const toShape = ({ status, headers, body }: RawAnswer) => ({
  status,
  headers: [...headers].filter(([name]) => !['date', 'content-length'].includes(name)),
  text: body.replace(/value="[^"]*"/, ''),
})

async function withdraw(id: unknown): Promise<void> {
  expect((await service.patch(id, { state: 2 })).status).toBe(200)
}

describe('The page of a talk', () => {
  test('shows its title, speakers, event, texts and tags', async () => {
    const talk = await service.create({
      title: 'Lamps & <b>Ladders</b>',
      category: 'Lamplight Conf',
      speakers: ['Ann Bell'],
      summary: 'About *lamps*.',
      tags: ['harbour'],
      whiteboard: 'Ask Ann for the slides',
      recorded: '2023-06-14',
      duration: 2347,
      language: 'English',
      copyright_text: 'CC BY-SA 4.0',
    })
    const { status, body } = await get(toPage(talk))
    expect(status).toBe(200)
    expect(body).toContain('Lamps &amp; &lt;b>Ladders&lt;/b></h1>')
    expect(body).toMatch(/<a href="\/speaker\/\d+\/ann-bell">Ann Bell<\/a>/)
    expect(body).toContain('<a href="/category/lamplight-conf">Lamplight Conf</a>')
    expect(body).toContain('<p>About <em>lamps</em>.</p>')
    expect(body).toMatch(/<a href="\/tag\/\d+\/harbour">harbour<\/a>/)
    expect(body).toContain('14 June 2023')
    expect(body).toContain('39 min')
    expect(body).toContain('https://creativecommons.org/licenses/by-sa/4.0/')
    expect(body).not.toContain('Ask Ann')
  })

  test('shows no length that no talk can have, nor do sums count it', async () => {
    const talk = await service.create({ title: 'Milliseconds', duration: 3_060_780, recorded: '1991-01-01' })
    const { body } = await get(toPage(talk))
    expect(body).toContain('Milliseconds')
    expect(body).not.toMatch(/850 h|850:13|PT850H|3060780/)
    expect((await get(`/video/${talk.id}.md`)).body).not.toContain('850:13')
    expect((await get(`/list?ids=${talk.id}`)).body).not.toContain('850 h')
    for (const page of ['/', '/stats'])
      expect((await get(page)).body).toContain('Hours exclude 1 talk with an unlikely length.')
    await service.patch(talk.id, { duration: 3_060 })
    expect((await get(toPage(talk))).body).toContain('51 min')
    for (const page of ['/', '/stats']) expect((await get(page)).body).not.toContain('Hours exclude')
  })

  test('never shows the stored embed', async () => {
    const talk = await service.create({ title: 'Flash', source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })
    const { body } = await get(toPage(talk))
    expect(body).not.toMatch(/<(?:object|embed|iframe|param)\b/)
    expect(body).toContain('data-frame="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"')
    expect(body).toContain('href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"')
  })

  test('has links to the record as JSON, in its head and its headers', async () => {
    const talk = await service.create({ title: 'As JSON' })
    const answer = await get(toPage(talk))
    const link = /<([^>]+)>; rel="alternate"; type="application\/json"/.exec(headerOf(answer, 'Link') ?? '')?.[1] ?? ''
    const { pathname, search } = new URL(link)
    expect(answer.body).toContain(`<link rel="alternate" type="application/json" href="${pathname}${search}"/>`)
    const json = await get(pathname + search)
    expect(JSON.parse(json.body)).toMatchObject({ id: talk.id, title: 'As JSON' })
  })

  test('describes the talk for search engines, in a script that ends where it should', async () => {
    const title = 'A </script><script>alert(1)</script> talk'
    const talk = await service.create({ title, speakers: ['Ann Bell'], duration: 61, tags: ['a', 'b'] })
    const { body } = await get(toPage(talk))
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
    const { '@graph': graph } = JSON.parse(text)
    expect(graph[0]).toMatchObject({ '@type': 'VideoObject', name: title, duration: 'PT1M1S', keywords: 'a, b' })
    expect(graph[0].url).toEndWith(toPage(talk))
    expect(graph[1]).toMatchObject({ '@type': 'BreadcrumbList' })
    expect(graph[1].itemListElement).toHaveLength(3)
  })

  test('answers HEAD like GET, and 304 to those who have it', async () => {
    const path = toPage(await service.create({ title: 'Conditional' }))
    const [answer, head] = [await get(path), await get(path, {}, 'HEAD')]
    expect([head.status, head.body]).toEqual([200, ''])
    expect(headerOf(head, 'ETag')).toBe(headerOf(answer, 'ETag'))
    const again = await get(path, { 'If-None-Match': headerOf(answer, 'ETag') ?? '' })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  test('is the same for everybody', async () => {
    const path = toPage(await service.create({ title: 'For everybody' }))
    const plain = await get(path)
    for (const headers of [{ Authorization: `Token ${service.keyOf('admin')}` }, { Authorization: 'Token wrong' }]) {
      expect(toShape(await get(path, headers))).toEqual(toShape(plain))
    }
  })

  test('plays files from the start time in its address, without a script', async () => {
    const talk = await service.create({ title: 'Starts late', video_mp4_url: 'http://media.example.org/a.mp4#x' })
    expect((await get(toPage(talk))).body).toContain('<source src="http://media.example.org/a.mp4" type="video/mp4"/>')
    expect((await get(`${toPage(talk)}?t=1m30s`)).body).toContain('src="http://media.example.org/a.mp4#t=90"')
    expect((await get(`${toPage(talk)}?t=%22%3E`)).body).toContain('src="http://media.example.org/a.mp4" ')
  })
})

describe('The address of a talk', () => {
  test('leads to the right slug from any other, and keeps the start time', async () => {
    const talk = await service.create({ title: 'The right slug' })
    for (const path of [
      `/video/${talk.id}`,
      `/video/${talk.id}/`,
      `/video/${talk.id}/wrong`,
      `/video/${talk.id}/%22%3E`,
    ]) {
      expect(locationOf(await get(path))).toEqual([301, toPage(talk)])
      expect(locationOf(await get(path, {}, 'HEAD'))).toEqual([301, toPage(talk)])
    }
    expect(locationOf(await get(`/video/${talk.id}/wrong?t=90&x=1`))).toEqual([301, `${toPage(talk)}?t=90`])
  })

  test('of an unknown talk is a page with a search for the words of its slug', async () => {
    const { status, body } = await get('/video/999999/the-tide-tables')
    expect(status).toBe(404)
    expect(body).toContain('value="the tide tables"')
    for (const path of ['/video/0/a', '/video/x/a', '/video/01/a', '/video/1/a/b']) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
  })

  test('of an unknown talk is problem+json for those who prefer it', async () => {
    const answer = await get('/video/999999/a', { Accept: 'application/json' })
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([404, 'application/problem+json'])
  })

  test('on the site that it was imported from leads to it', async () => {
    const imported = {
      title: 'Moved here',
      slug: 'moved-here',
      alias: 'video/70001/moved-from-there',
      related_urls: [
        'https://example.org/slides/',
        { label: 'The code', url: 'https://example.org/code' },
        'javascript:1',
      ],
      language: 'eng',
      videos: [],
    }
    writeFile(folder, 'data/some-event/category.json', { title: 'Some event' })
    writeFile(folder, 'data/some-event/videos/moved-here.json', imported)
    await importServed(service, `${folder}/data`)
    const moved = await get('/video/70001/moved-from-there')
    const [, path] = locationOf(moved)
    expect(locationOf(moved)).toEqual([301, expect.stringMatching(/^\/video\/\d+\/moved-here/)])
    const { status, body } = await get(String(path))
    expect(status).toBe(200)
    expect(body).toContain('<a href="https://example.org/slides/" rel="nofollow noopener ugc">Slides</a>')
    expect(body).toContain('>The code</a>')
    expect(body).not.toContain('javascript:')
    const other = await service.create({ title: 'Other' })
    expect(locationOf(await get(`/video/${other.id}/moved-from-there`))).toEqual([301, toPage(other)])
    // A withdrawn talk is not found by the address that it had elsewhere.
    await withdraw(/\d+/.exec(String(path))?.[0])
    expect([(await get('/video/70001/moved-from-there')).status, (await get(String(path))).status]).toEqual([404, 410])
  })
})

describe('What a talk claims as its address on another site', () => {
  const own = ['/', '/edit', '/api/v2/video', '/category/some-event', '/speaker/1/x', '/feed.atom', '/readyz', '/about']

  test('takes no address of ours, and the report of the import says so', async () => {
    const [known, draft] = [await service.create({ title: 'Known' }), await service.create({ title: 'Hidden once' })]
    await withdraw(draft.id)
    const short = `/video/${known.id}`
    const claimed = [...own, short, `//video//${known.id}/`, `/video/${draft.id}`, '/video/%31', '/video/60000001']
    const full = [toPage(known), toPage(draft)]
    const before = new Map<string, (string | number | null)[]>()
    const see = async (path: string) => {
      const answer = await get(path)
      return [answer.status, headerOf(answer, 'Location'), headerOf(answer, 'Content-Type')]
    }
    for (const path of [...claimed, ...full]) before.set(path, await see(path))
    for (const [number, alias] of [...claimed, ...full].entries()) {
      const talk = { title: `Claims ${number}`, slug: `claims-${number}`, alias, videos: [] }
      writeFile(folder, `claims/claimed/videos/${number}.json`, talk)
    }
    writeFile(folder, 'claims/claimed/category.json', { title: 'Claimed' })
    const { exitCode, stdout, report } = await importServed(service, `${folder}/claims`)
    expect(exitCode).toBe(0)
    expect(report.ignored_aliases.map(({ alias }) => alias).sort()).toEqual(claimed.toSorted())
    expect(stdout).toContain(`${claimed.length} addresses on other sites lead nowhere here`)
    expect(stdout).toContain(`: ${short}\n`)
    for (const path of [...claimed, ...full]) expect([path, await see(path)]).toEqual([path, before.get(path) ?? []])
    expect(locationOf(await get(short))).toEqual([301, toPage(known)])
  })
})

describe('A talk that is not public', () => {
  test('is gone if it was, at once', async () => {
    const talk = await service.create({ title: 'Withdrawn' })
    expect((await get(toPage(talk))).status).toBe(200)
    await withdraw(talk.id)
    for (const path of [toPage(talk), `/video/${talk.id}`, `/video/${talk.id}/wrong`, `/embed/${talk.id}`]) {
      const { status, body } = await get(path)
      expect([path, status]).toEqual([path, 410])
      expect(body).not.toContain('Withdrawn</')
    }
    expect((await service.patch(talk.id, { state: 1 })).status).toBe(200)
    expect((await get(toPage(talk))).status).toBe(200)
  })

  test('looks like an id that never was if it never was public', async () => {
    const draft = await service.create({ title: 'Secret draft', state: 2 })
    await service.patch(draft.id, { summary: 'Changed' })
    for (const path of [
      '/video/{id}/secret-draft',
      '/video/{id}',
      '/video/{id}/wrong',
      '/embed/{id}',
      '/oembed?url={url}',
    ]) {
      const ask = (id: unknown) =>
        get(path.replace('{id}', String(id)).replace('{url}', `${service.server().url}/video/${id}`))
      const [answer, unknown] = [await ask(draft.id), await ask(888_888)]
      expect(answer.status).toBe(404)
      const withoutId = (text: string) => text.replace(/urn:rostrum:request:[\w-]+/, '')
      expect(withoutId(JSON.stringify(toShape(answer)))).toBe(withoutId(JSON.stringify(toShape(unknown))))
    }
  })

  test('is gone after it was erased', async () => {
    const talk = await service.create({ title: 'Erased' })
    expect((await get(toPage(talk))).status).toBe(200)
    const { db } = service.server()
    expect(await runRostrum('purge', String(talk.id), '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
    await until('the page is gone', async () => (await get(toPage(talk))).status === 410)
  })

  test('is related to none', async () => {
    const category = 'Event with drafts'
    const talk = await service.create({ title: 'Seen', category, speakers: ['Dee Draft'], tags: ['drafts'] })
    const other = await service.create({ title: 'Unseen', category, speakers: ['Dee Draft'], tags: ['drafts'] })
    expect((await get(toPage(talk))).body).toContain('Unseen')
    await withdraw(other.id)
    expect((await get(toPage(talk))).body).not.toContain('Unseen')
  })
})
