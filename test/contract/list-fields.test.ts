import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { fieldNames } from './every-record.ts'
import { getPage } from './list-page.ts'
import { type Call, type Fields, listPath, parseFields, type Service, tagOf, useService } from './service.ts'
import { createTalks } from './talks.ts'

// Runner: long PostgreSQL

const service: Service = useService({ roles: ['reader'] })
let made: readonly Fields[] = []

beforeAll(async () => {
  made = await createTalks(service)
})

const get = (path: string, more: Partial<Call> = {}) => service.call({ method: 'GET', path, ...more })

describe('fields', () => {
  test('cuts the records down to those named', async () => {
    const { results, count } = await getPage(service, 'fields=title,id&ordering=id')
    expect(count).toBe(results.length)
    const live = made.filter(({ state }) => state === 1)
    expect(results).toEqual(live.map(({ title, id }) => ({ title, id })))
  })

  test('takes every name there is', async () => {
    for (const name of fieldNames) {
      const { results } = await getPage(service, `fields=${name}&ordering=id`)
      expect(results[0]).toEqual({ [name]: made[0]?.[name] })
    }
    const { results } = await getPage(service, `fields=${fieldNames.join(',')}&ordering=id`)
    expect(results[0]).toEqual(made[0] ?? {})
  })

  test('takes spaces and repeats, and is kept by next', async () => {
    const { results, next } = await getPage(service, 'fields=id,%20title,id&page_size=2&ordering=id')
    expect(Object.keys(results[0] ?? {}).sort()).toEqual(['id', 'title'])
    expect(new URL(next ?? '').searchParams.get('fields')).toBe('id, title,id')
  })

  test('works with search, facets and cursors', async () => {
    const { results, facets } = await getPage(service, 'fields=id&q=apple&facets=language&cursor=')
    expect([results, Object.keys(facets)]).toEqual([[{ id: made[0]?.id }], ['language']])
  })

  test('is inert as HTML, as whole records are', async () => {
    const { body } = await get(`${listPath}?fields=embed`)
    expect(body).not.toMatch(/[^\x20-\x7f]|[<>]/)
  })
})

const lists = ['video', 'category', 'speaker', 'tag', 'language', 'category/pycon-2012'].map(
  (name) => `/api/v2/${name}`,
)

describe('Every list', () => {
  for (const path of lists) {
    // A category has versions, as a record has, and is never compressed.
    const vary = path.includes('/category/') ? 'Accept, Authorization' : 'Accept, Authorization, Accept-Encoding'
    test(`at ${path} has an ETag, and answers 304 to clients that send it`, async () => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(headerOf(answer, 'Vary')).toBe(vary)
      expect(headerOf(answer, 'Cache-Control')).toBe('public, max-age=0, must-revalidate')
      for (const tag of [tagOf(answer), `W/${tagOf(answer)}`, `"other", ${tagOf(answer)}`, '*']) {
        const known = await get(path, { headers: { 'If-None-Match': tag } })
        expect([tag, known.status, known.body]).toEqual([tag, 304, ''])
        expect(tagOf(known)).toBe(tagOf(answer))
        expect(headerOf(known, 'Vary')).toBe(vary)
      }
      expect((await get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
    })

    test(`at ${path} is private to token holders, under another tag`, async () => {
      const [open, held] = [await get(path), await get(path, { as: 'reader' })]
      expect(headerOf(held, 'Cache-Control')).toBe('private, no-store')
      expect(headerOf(held, 'Vary')).toBe(vary)
      expect(tagOf(held)).not.toBe(tagOf(open))
      const crossed = await get(path, { as: 'reader', headers: { 'If-None-Match': tagOf(open) } })
      expect(crossed.status).toBe(200)
    })

    test(`at ${path} has the same answer behind a slash and to HEAD`, async () => {
      const [bare, slash, head] = [await get(path), await get(`${path}/`), await get(path, { method: 'HEAD' })]
      expect(slash.body).toBe(bare.body)
      expect([head.status, head.body, tagOf(head)]).toEqual([200, '', tagOf(bare)])
      expect(headerOf(head, 'Content-Length')).toBe(String(bare.bytes.length))
    })

    test(`at ${path} is JSON, whatever a browser would like better`, async () => {
      const answer = await get(`${path}?format=json`, { headers: { Accept: 'text/html' } })
      expect(headerOf(answer, 'Content-Type')).toBe('application/json')
      expect((await get(`${path}?format=xml`)).status).toBe(404)
      expect((await get(path, { headers: { Accept: 'image/png' } })).status).toBe(406)
    })
  }

  test('gets another tag when one of its records changes', async () => {
    const before = await get(listPath)
    await service.patch(made[0]?.id, { whiteboard: 'changed' })
    const after = await get(listPath, { headers: { 'If-None-Match': tagOf(before) } })
    expect([after.status, tagOf(after) === tagOf(before)]).toEqual([200, false])
    expect(parseFields(after).count).toBe(parseFields(before).count)
  })
})
