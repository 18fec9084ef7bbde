import { describe, expect, test } from 'bun:test'
import { XMLParser } from 'fast-xml-parser'
import { headerOf } from '../harness/raw.ts'
import { type Fields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.call({ method: 'GET', path, headers: { Accept: 'text/html', ...headers } })

const toUrl = ({ id, slug }: Fields) => `${service.server().url}/video/${id}/${slug}`
const toOEmbed = (parameters: Readonly<Record<string, string>>) => `/oembed?${new URLSearchParams(parameters)}`

describe('/embed/<id>', () => {
  test('shows the player alone, in frames of any site', async () => {
    const talk = await service.create({ title: 'In a frame', video_mp4_url: 'http://media.example.org/a.mp4' })
    const answer = await get(`/embed/${talk.id}`)
    expect(answer.status).toBe(200)
    expect(headerOf(answer, 'Content-Security-Policy')).toContain('frame-ancestors *')
    expect(answer.body).toContain('<video controls')
    expect(answer.body).toContain(`<a href="${toUrl(talk)}" target="_blank" rel="noopener">In a frame</a>`)
    expect(answer.body).toContain('noindex')
    expect(answer.body).not.toContain('<header')
  })

  test('no other page of a talk can be framed', async () => {
    const talk = await service.create({ title: 'Not in a frame' })
    const answer = await get(new URL(toUrl(talk)).pathname)
    expect(headerOf(answer, 'Content-Security-Policy')).toContain("frame-ancestors 'none'")
  })

  test('of an unknown talk is a small page that can be framed, too', async () => {
    const answer = await get('/embed/999999')
    expect(answer.status).toBe(404)
    expect(headerOf(answer, 'Content-Security-Policy')).toContain('frame-ancestors *')
    expect(answer.body).toContain('<h1>Page not found</h1>')
    expect(answer.body).not.toContain('<search')
  })
})

describe('oEmbed', () => {
  const fields = {
    title: 'Trees & "Graphs" <3',
    speakers: ['Ann Bell', 'Cy Dahl'],
    thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
  }

  test('describes a video with a frame', async () => {
    const talk = await service.create(fields)
    const answer = await get(toOEmbed({ url: toUrl(talk) }))
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([200, 'application/json'])
    expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBe('*')
    const { html, ...others } = JSON.parse(answer.body)
    expect(others).toEqual({
      version: '1.0',
      type: 'video',
      title: fields.title,
      author_name: 'Ann Bell, Cy Dahl',
      provider_name: 'Rostrum',
      provider_url: `${service.server().url}/`,
      thumbnail_url: fields.thumbnail_url,
      thumbnail_width: 480,
      thumbnail_height: 360,
      width: 640,
      height: 360,
    })
    expect(html).toStartWith(
      `<iframe src="${service.server().url}/embed/${talk.id}" title="Trees &amp; &quot;Graphs&quot;`,
    )
  })

  test('says the same in XML', async () => {
    const url = toUrl(await service.create(fields))
    const json = JSON.parse((await get(toOEmbed({ url, format: 'json' }))).body)
    const answer = await get(toOEmbed({ url, format: 'xml' }))
    expect(headerOf(answer, 'Content-Type')).toBe('text/xml; charset=utf-8')
    const { oembed } = new XMLParser({ parseTagValue: false }).parse(answer.body)
    const asTexts = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]))
    expect(oembed).toEqual(asTexts)
  })

  test('fits into the given size', async () => {
    const url = toUrl(await service.create(fields))
    const { html, width, height } = JSON.parse((await get(toOEmbed({ url, maxwidth: '320', maxheight: '300' }))).body)
    expect([width, height]).toEqual([320, 180])
    expect(html).toContain('width="320" height="180"')
  })

  test('keeps the start time of the address', async () => {
    const talk = await service.create(fields)
    const { html } = JSON.parse((await get(toOEmbed({ url: `${toUrl(talk)}?t=90` }))).body)
    expect(html).toContain(`/embed/${talk.id}?t=90"`)
    expect((await get('/oembed')).status).toBe(400)
  })

  test('takes addresses without a slug, and none of other sites', async () => {
    const talk = await service.create(fields)
    const { url } = service.server()
    expect((await get(toOEmbed({ url: `${url}/video/${talk.id}` }))).status).toBe(200)
    const others = ['', 'x', `https://example.org/video/${talk.id}`, `${url}/embed/${talk.id}`, `${url}/video/999999/a`]
    for (const other of others) expect([other, (await get(toOEmbed({ url: other }))).status]).toEqual([other, 404])
    expect((await get('/oembed')).status).toBe(400)
  })

  test('has no other format', async () => {
    const url = toUrl(await service.create(fields))
    expect((await get(toOEmbed({ url, format: 'yaml' }))).status).toBe(501)
  })

  test('of a withdrawn talk is gone', async () => {
    const talk = await service.create(fields)
    const path = toOEmbed({ url: toUrl(talk) })
    expect((await get(path)).status).toBe(200)
    await service.patch(talk.id, { state: 2 })
    expect((await get(path)).status).toBe(410)
  })

  test('is linked from the page of the talk', async () => {
    const talk = await service.create(fields)
    const { body } = await get(new URL(toUrl(talk)).pathname)
    const [, href = ''] = /type="application\/json\+oembed" href="([^"]+)"/.exec(body) ?? []
    const { pathname, search } = new URL(href.replaceAll('&amp;', '&'))
    expect(JSON.parse((await get(pathname + search)).body)).toMatchObject({ title: fields.title })
  })
})
