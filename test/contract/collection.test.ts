import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer, listAllow } from './every-answer.ts'
import { listPath, parseFields, requiredFields, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long checkout

const service = useService()

const listVary = 'Accept, Authorization, Accept-Encoding'
const asList = { 'Content-Type': 'application/json', Allow: listAllow, Vary: listVary }
const get = { method: 'GET', path: listPath, status: 200, has: asList }

const reads: readonly Row[] = [
  { ...get, name: 'The list is JSON' },
  { ...get, name: 'The list has the same answer behind a slash', path: `${listPath}/` },
  { ...get, name: 'The list is JSON to a client of anything', headers: { Accept: '*/*' } },
  { ...get, name: 'The list is JSON to a client of JSON', headers: { Accept: 'application/json' } },
  { ...get, name: 'The list is JSON to a browser', headers: { Accept: 'text/html' } },
  { ...get, name: 'The list ignores unknown parameters', path: `${listPath}?foo=bar` },
  { ...get, name: 'HEAD of the list has no body', method: 'HEAD' },
  {
    ...get,
    name: 'OPTIONS of the list is answered',
    method: 'OPTIONS',
    has: { Allow: listAllow, 'Content-Type': 'application/json' },
  },
  {
    name: 'The list with Accept image/png gets 406',
    method: 'GET',
    path: listPath,
    headers: { Accept: 'image/png' },
    status: 406,
  },
]

const otherMethods: readonly Row[] = ['PUT', 'PATCH', 'DELETE', 'TRACE'].map((method) => ({
  name: `${method} on the list is not allowed`,
  method,
  path: listPath,
  as: 'admin' as const,
  status: 405,
  has: { Allow: listAllow },
}))

const sizes: readonly Row[] = [
  ...['0', '-1', 'abc', '1.5', '', '1e1', '0x10', '%20', '10x'].map((size) => ({
    name: `page_size=${size} is refused by name`,
    method: 'GET',
    path: `${listPath}?page_size=${size}`,
    status: 400,
    contains: ['page_size'],
  })),
  ...['1', '100', '101', '1000000000', '99999999999999999999'].map((size) => ({
    ...get,
    name: `page_size=${size} is taken`,
    path: `${listPath}?page_size=${size}`,
  })),
]

const pages: readonly Row[] = [
  ...['2', '1000000000', '0', '-1', 'x', '1.5', 'first', '1e0', '99999999999999999999'].map((page) => ({
    name: `page=${page} of a list with one page is not found`,
    method: 'GET',
    path: `${listPath}?page=${page}`,
    status: 404,
  })),
  ...['1', 'last'].map((page) => ({
    ...get,
    name: `page=${page} of a list with one page is found`,
    path: `${listPath}?page=${page}`,
  })),
]

describe('An empty list', () => {
  test('is one empty page', async () => {
    const answer = await service.call({ method: 'GET', path: listPath })
    expect(answer.status).toBe(200)
    expect(answer.body).toBe('{"count":0,"next":null,"previous":null,"results":[]}')
  })
})

describe('The list', () => runTable([...reads, ...otherMethods], service))

describe('The size of a page', () => runTable(sizes, service))

describe('The number of a page', () => runTable(pages, service))

describe('POST', () => {
  const call = { method: 'POST', path: listPath, as: 'admin' as const, json: requiredFields }

  test('answers 201 with the whole record and its URL', async () => {
    const answer = await service.call(call)
    expect(answer.status).toBe(201)
    checkEveryAnswer(call, answer)
    const { id } = parseFields(answer)
    expect(headerOf(answer, 'Content-Type')).toBe('application/json')
    expect(headerOf(answer, 'Content-Location')).toEndWith(`/api/v2/video/${id}`)
    expect(headerOf(answer, 'Location')).toBeNull()
    expect((await service.read(id)).body).toBe(answer.body)
  })

  test('works with a slash at the end', async () => {
    expect((await service.call({ ...call, path: `${listPath}/` })).status).toBe(201)
  })

  test('gives each record a new id', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.call(call)))
    const ids = answers.map((answer) => parseFields(answer).id)
    expect(new Set(ids).size).toBe(20)
    const slugs = answers.map((answer) => parseFields(answer).slug)
    expect(new Set(slugs).size).toBe(20)
  })

  test('creates a draft by default', async () => {
    expect(parseFields(await service.call(call)).state).toBe(2)
    expect(parseFields(await service.call({ ...call, json: { ...requiredFields, state: 1 } })).state).toBe(1)
  })
})
