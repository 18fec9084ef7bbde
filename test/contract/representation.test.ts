import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { tagOf, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const html = 'text/html; charset=utf-8'
const json = 'application/json'
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const chrome = `${firefox.replace('*/*', 'image/avif,image/webp,image/apng,*/*')},application/signed-exchange;v=b3;q=0.7`

const asHtml: readonly (string | readonly string[])[] = [
  [],
  '',
  ',',
  '*/*',
  'text/*',
  'text/html',
  'TEXT/HTML',
  firefox,
  chrome,
  'text/html, */*',
  'text/plain, */*',
  'image/png, */*;q=0.1',
  'text/html, application/json;q=0.9',
  'application/json;q=0.9, text/html',
  'application/json;q=0.5, */*',
  '*/*;q=0.5, application/json;q=0.1',
  'application/json;q=0, */*',
  'application/*;q=0.2, text/*;q=0.3',
  'text/*;q=0.3, application/json;q=0.2',
  'text/html;q=0.002, application/json;q=0.001',
  'application/xml, text/html;q=0.1',
  'text/html;q=0.5, */*;q=0.5',
  ['application/json;q=0.5', 'text/html'],
  'garbage',
  ';;;',
  '%%%',
]

const asJson: readonly (string | readonly string[])[] = [
  'application/json',
  'Application/JSON',
  'application/*',
  'application/json, text/plain, */*',
  'application/json, text/javascript, */*; q=0.01',
  'text/html, application/json',
  'application/json, text/html',
  'text/*, application/*',
  'text/*, application/json',
  'application/json, */*',
  '*/*, application/json',
  'application/*, */*',
  'application/json;q=0.5, */*;q=0.5',
  'text/html;q=0.9, application/json',
  'text/html ; q=0.2 , application/json ; q=0.3',
  'text/html;q=0.5,application/json;q=0.5',
  'text/html;q=0, application/json',
  'text/html;q=0, */*',
  'text/*;q=0, */*;q=0.1',
  'text/*;q=0.3, text/html;q=0.1, application/json;q=0.2',
  'application/json;q=0.001',
  'image/png, application/json;q=0.1',
  ['text/html', 'application/json'],
]

const asNothing = [
  'image/png',
  'application/xml',
  'text/plain',
  'image/*',
  'text/html;q=0',
  'application/json;q=0',
  '*/*;q=0',
  'text/html;q=0, application/json;q=0',
  'image/png, text/plain;q=0.5',
  'text/html;q=0.0, application/json;q=0.000, image/*',
]

const nameOf = (accept: string | readonly string[]) => (typeof accept === 'string' ? accept : accept.join(' + '))

function toRows(accepts: readonly (string | readonly string[])[], type: string): Row[] {
  return accepts.map((accept) => ({
    name: `Accept ${JSON.stringify(nameOf(accept))} gets ${type}`,
    method: 'GET',
    path: toPath('{id}'),
    headers: { Accept: accept },
    status: 200,
    has: { 'Content-Type': type },
  }))
}

const refused: readonly Row[] = asNothing.map((accept) => ({
  name: `Accept ${accept} gets 406`,
  method: 'GET',
  path: toPath('{id}'),
  headers: { Accept: accept },
  status: 406,
}))

const get = { method: 'GET', status: 200 }

const queries: readonly Row[] = [
  { ...get, name: '?format=json asks for JSON', path: toPath('{id}?format=json'), has: { 'Content-Type': json } },
  {
    ...get,
    name: '?format=json works behind a slash',
    path: toPath('{id}/?format=json'),
    has: { 'Content-Type': json },
  },
  {
    ...get,
    name: '?format=json works among others',
    path: toPath('{id}?a=1&format=json&b'),
    has: { 'Content-Type': json },
  },
  ...[firefox, 'text/html', 'image/png', 'application/json;q=0'].map((accept) => ({
    ...get,
    name: `?format=json wins over Accept ${accept}`,
    path: toPath('{id}?format=json'),
    headers: { Accept: accept },
    has: { 'Content-Type': json },
  })),
  ...['html', 'xml', 'api', 'jsonp'].map((format) => ({
    name: `?format=${format} is not found`,
    method: 'GET',
    path: toPath(`{id}?format=${format}`),
    status: 404,
  })),
  ...['?', '?foo=bar', '?Format=json', '?x=%zz', '?a=//b', '?format2=xml', '?&&=&'].map((query) => ({
    ...get,
    name: `The query ${query} is ignored`,
    path: toPath(`{id}${query}`),
    has: { 'Content-Type': html },
  })),
]

const writes: readonly Row[] = ['PUT', 'PATCH'].flatMap((method) => {
  const base = { method, path: toPath('{id}'), as: 'admin' as const, json: { category: 'C', title: 'T' } }
  return [
    { ...base, name: `${method} answers text/html by default`, status: 200, has: { 'Content-Type': html } },
    {
      ...base,
      name: `${method} answers JSON on demand`,
      headers: { Accept: json },
      status: 200,
      has: { 'Content-Type': json },
    },
    { ...base, name: `${method} with Accept image/png gets 406`, headers: { Accept: 'image/png' }, status: 406 },
    {
      ...base,
      name: `${method} with ?format=json answers JSON`,
      path: toPath('{id}?format=json'),
      status: 200,
      has: { 'Content-Type': json },
    },
  ]
})

describe('The default representation', () => runTable(toRows(asHtml, html), service))

describe('The JSON representation', () => runTable(toRows(asJson, json), service))

describe('An Accept that nothing satisfies', () => runTable(refused, service))

describe('The query', () => runTable(queries, service))

describe('The answer to a write', () => runTable(writes, service))

describe('The two representations', () => {
  test('have the same bytes and different strong tags', async () => {
    const { id } = await service.create({ title: 'Größe & <Form>' })
    const asPage = await service.read(id, 'text/html')
    const asData = await service.read(id, json)
    expect([headerOf(asPage, 'Content-Type'), headerOf(asData, 'Content-Type')]).toEqual([html, json])
    expect(asData.body).toBe(asPage.body)
    expect(tagOf(asData)).not.toBe(tagOf(asPage))
    for (const answer of [asData, asPage]) expect(tagOf(answer)).toMatch(/^"[^"]+"$/)
  })
})
