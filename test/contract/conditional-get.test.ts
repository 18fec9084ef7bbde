import { describe, expect, test } from 'bun:test'
import { exchange, type HeaderList, headerOf, toBytes } from '../harness/raw.ts'
import { checkItemHeaders } from './every-answer.ts'
import { fail, parseFields, tagOf, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const json = 'application/json'
const past = 'Mon, 01 Jan 2001 00:00:00 GMT'
const future = 'Fri, 01 Jan 2100 00:00:00 GMT'

type Tags = { readonly html: string; readonly json: string; readonly modified: string }
type Case = { readonly name: string; readonly headers: (tags: Tags) => HeaderList; readonly status: 200 | 304 }

const cases: readonly Case[] = [
  { name: 'its own tag', headers: (tags) => ({ 'If-None-Match': tags.html }), status: 304 },
  { name: 'its own tag as a weak one', headers: (tags) => ({ 'If-None-Match': `W/${tags.html}` }), status: 304 },
  { name: 'any tag', headers: () => ({ 'If-None-Match': '*' }), status: 304 },
  { name: 'a list with its tag', headers: (tags) => ({ 'If-None-Match': `"a", W/"b,c", ${tags.html}` }), status: 304 },
  { name: 'a tight list with its tag', headers: (tags) => ({ 'If-None-Match': `"a",${tags.html},"b"` }), status: 304 },
  {
    name: 'two lines, the second with its tag',
    headers: (tags) => ({ 'If-None-Match': ['"a"', tags.html] }),
    status: 304,
  },
  { name: 'another tag', headers: () => ({ 'If-None-Match': '"another"' }), status: 200 },
  { name: 'a list of other tags', headers: () => ({ 'If-None-Match': '"a", "b"' }), status: 200 },
  { name: 'the other representation’s tag', headers: (tags) => ({ 'If-None-Match': tags.json }), status: 200 },
  { name: 'its tag without quotes', headers: (tags) => ({ 'If-None-Match': tags.html.slice(1, -1) }), status: 200 },
  { name: 'its time', headers: (tags) => ({ 'If-Modified-Since': tags.modified }), status: 304 },
  { name: 'a later time', headers: () => ({ 'If-Modified-Since': future }), status: 304 },
  { name: 'an earlier time', headers: () => ({ 'If-Modified-Since': past }), status: 200 },
  { name: 'a time that is none', headers: () => ({ 'If-Modified-Since': 'yesterday' }), status: 200 },
  {
    name: 'another tag and its time',
    headers: (tags) => ({ 'If-None-Match': '"a"', 'If-Modified-Since': tags.modified }),
    status: 200,
  },
  {
    name: 'its tag and an earlier time',
    headers: (tags) => ({ 'If-None-Match': tags.html, 'If-Modified-Since': past }),
    status: 304,
  },
]

async function createTags(): Promise<Tags & { path: string }> {
  const { id } = await service.create()
  const [page, data] = [await service.read(id, 'text/html'), await service.read(id, json)]
  const modified = headerOf(page, 'Last-Modified') ?? fail('No Last-Modified')
  return { path: toPath(id), html: tagOf(page), json: tagOf(data), modified }
}

const repeated = ['ETag', 'Last-Modified', 'Cache-Control', 'Content-Type', 'Vary', 'Allow', 'X-Content-Type-Options']

describe('A conditional read', () => {
  for (const method of ['GET', 'HEAD']) {
    for (const { name, headers, status } of cases) {
      test(`by ${method} with ${name} gets ${status}`, async () => {
        const tags = await createTags()
        const whole = await service.call({ method, path: tags.path })
        const answer = await service.call({ method, path: tags.path, headers: headers(tags) })
        expect(answer.status).toBe(status)
        checkItemHeaders(answer)
        for (const header of repeated)
          expect([header, headerOf(answer, header)]).toEqual([header, headerOf(whole, header)])
        expect(answer.body).toBe(status === 304 ? '' : whole.body)
      })
    }
  }
})

describe('A 304', () => {
  test('has no body, so that the next response on its connection can be read', async () => {
    const { path, html } = await createTags()
    const { port } = service.server()
    const known = toBytes(port, { method: 'GET', target: path, headers: { 'If-None-Match': html } })
    const whole = toBytes(port, { method: 'GET', target: path })
    const answers = await exchange(port, [known, whole], { methods: ['GET', 'GET'] })
    expect(answers.map(({ status }) => status)).toEqual([304, 200])
  })
})

describe('A conditional read', () => {
  test('of the JSON representation matches its own ETag', async () => {
    const tags = await createTags()
    const toHeaders = (tag: string) => ({ Accept: json, 'If-None-Match': tag })
    const own = await service.call({ method: 'GET', path: tags.path, headers: toHeaders(tags.json) })
    const other = await service.call({ method: 'GET', path: tags.path, headers: toHeaders(tags.html) })
    expect([own.status, other.status]).toEqual([304, 200])
  })

  test('gets the record again after a change', async () => {
    const tags = await createTags()
    await service.call({ method: 'PATCH', path: tags.path, as: 'admin', json: { summary: 'changed' } })
    const answer = await service.call({ method: 'GET', path: tags.path, headers: { 'If-None-Match': tags.html } })
    expect([answer.status, parseFields(answer).summary]).toEqual([200, 'changed'])
    expect(tagOf(answer)).not.toBe(tags.html)
  })

  test('of a draft gets 304 and stays private', async () => {
    const { id } = await service.create({ state: 2 })
    const tag = tagOf(await service.read(id))
    const headers = { Accept: json, 'If-None-Match': tag }
    const answer = await service.call({ method: 'GET', path: toPath(id), as: 'reader', headers })
    expect([answer.status, headerOf(answer, 'Cache-Control')]).toEqual([304, 'private, no-store'])
  })

  test('of a draft without a token is 404, not 304', async () => {
    const { id } = await service.create({ state: 2 })
    const answer = await service.call({ method: 'GET', path: toPath(id), headers: { 'If-None-Match': '*' } })
    expect(answer.status).toBe(404)
  })
})

describe('The caching headers', () => {
  test('of a live record let any cache keep and revalidate it', async () => {
    const { id } = await service.create()
    const answer = await service.call({ method: 'GET', path: toPath(id) })
    expect(headerOf(answer, 'Cache-Control')).toBe('public, max-age=0, must-revalidate')
  })

  test('of a draft let no cache keep it', async () => {
    const { id } = await service.create({ state: 2 })
    const answer = await service.call({ method: 'GET', path: toPath(id), as: 'reader' })
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
  })

  test('say when the record was updated', async () => {
    const { id, updated } = await service.create()
    const answer = await service.read(id)
    const atSecond = Math.floor(Date.parse(`${updated}Z`) / 1000) * 1000
    expect(headerOf(answer, 'Last-Modified')).toBe(new Date(atSecond).toUTCString())
  })
})
