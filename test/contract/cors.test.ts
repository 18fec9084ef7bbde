import { describe, expect, test } from 'bun:test'
import { exchange, headerOf, type RawAnswer, toBytes } from '../harness/raw.ts'
import { itemAllow, listAllow } from './every-answer.ts'
import { type Call, listPath, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: one engine (CORS headers come from the HTTP layer)

const service = useService()

const origin = { Origin: 'https://editor.example' }
const asked = { ...origin, 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': 'authorization' }
const requestHeaders = [
  ...['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  ...['Prefer', 'Idempotency-Key', 'Change-Reason', 'Last-Event-ID'],
]
const exposed = [
  'ETag',
  'Allow',
  'Accept-Patch',
  'Content-Location',
  'Preference-Applied',
  'Retry-After',
  'Ignored-Parameters',
  'Unknown-Values',
]

function namesIn(answer: RawAnswer, header: string): string[] {
  return (headerOf(answer, header) ?? '').split(',').map((name) => name.trim().toLowerCase())
}

function checkPreflight(methods: string): (json: unknown, answer: RawAnswer) => void {
  return (_, answer) => {
    expect(namesIn(answer, 'Access-Control-Allow-Methods').sort()).toEqual(methods.toLowerCase().split(', ').sort())
    expect(namesIn(answer, 'Access-Control-Allow-Headers')).toEqual(requestHeaders.map((name) => name.toLowerCase()))
  }
}

const preflight = {
  method: 'OPTIONS',
  path: toPath('{id}'),
  headers: asked,
  status: 204,
  check: checkPreflight(itemAllow),
}

const preflights: readonly Row[] = [
  { ...preflight, name: 'A preflight of the item is answered' },
  { ...preflight, name: 'A preflight behind a slash is answered', path: toPath('{id}/') },
  { ...preflight, name: 'A preflight of an unknown record is answered', path: toPath('1234567') },
  { ...preflight, name: 'A preflight of a draft is answered', fresh: { state: 2 } },
  { ...preflight, name: 'A preflight comes before the token', as: 'wrong' },
  { ...preflight, name: 'A preflight comes before Accept', headers: { ...asked, Accept: 'image/png' } },
  {
    ...preflight,
    name: 'A preflight for PUT is answered',
    headers: { ...origin, 'Access-Control-Request-Method': 'PUT' },
  },
  { ...preflight, name: 'A preflight of the list is answered', path: listPath, check: checkPreflight(listAllow) },
]

const answers: readonly (Call & { name: string; status: number })[] = [
  { name: 'a read', method: 'GET', path: toPath('{id}'), status: 200 },
  { name: 'a HEAD', method: 'HEAD', path: toPath('{id}'), status: 200 },
  { name: 'an OPTIONS', method: 'OPTIONS', path: toPath('{id}'), status: 200 },
  { name: 'a revalidation', method: 'GET', path: toPath('{id}'), headers: { 'If-None-Match': '*' }, status: 304 },
  { name: 'a write', method: 'PATCH', path: toPath('{id}'), as: 'admin', json: { summary: 'x' }, status: 200 },
  { name: 'the list', method: 'GET', path: listPath, status: 200 },
  { name: 'a 401', method: 'PUT', path: toPath('{id}'), json: {}, status: 401 },
  { name: 'a 404', method: 'GET', path: toPath('1234567'), status: 404 },
  { name: 'a 404 elsewhere', method: 'GET', path: '/api/v2/nothing', status: 404 },
  { name: 'a 405', method: 'DELETE', path: toPath('{id}'), status: 405 },
  { name: 'a 406', method: 'GET', path: toPath('{id}'), headers: { Accept: 'image/png' }, status: 406 },
  {
    name: 'a 415',
    method: 'PATCH',
    path: toPath('{id}'),
    as: 'admin',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
  },
  {
    name: 'a 412',
    method: 'PATCH',
    path: toPath('{id}'),
    as: 'admin',
    json: {},
    headers: { 'If-Match': '"x"' },
    status: 412,
  },
  { name: 'a 400', method: 'PATCH', path: toPath('{id}'), as: 'admin', body: '{', status: 400 },
]

const shared: readonly Row[] = answers.map((call) => ({
  ...call,
  name: `Scripts of every origin may see ${call.name}`,
  headers: { ...origin, ...call.headers },
  has: { 'Access-Control-Allow-Origin': '*' },
  lacks: ['Access-Control-Allow-Credentials', 'Set-Cookie'],
  check: (_, answer) => {
    const names = namesIn(answer, 'Access-Control-Expose-Headers')
    expect(names).toEqual(exposed.map((name) => name.toLowerCase()))
  },
}))

describe('A preflight', () => {
  runTable(preflights, service)

  test('has no byte of a body, so that the next answer on its connection can be read', async () => {
    const { port } = service.server()
    const first = toBytes(port, { method: 'OPTIONS', target: toPath('1'), headers: asked })
    const second = toBytes(port, { method: 'GET', target: listPath })
    const answers = await exchange(port, [first, second], { methods: ['OPTIONS', 'GET'] })
    expect(answers.map(({ status }) => status)).toEqual([204, 200])
  })

  test('is more than an OPTIONS with an Origin', async () => {
    const answer = await service.call({ method: 'OPTIONS', path: toPath('1'), headers: origin })
    expect(answer.status).toBe(200)
  })
})

describe('Every answer', () => runTable(shared, service))
