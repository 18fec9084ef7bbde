import { describe, expect, test } from 'bun:test'
import { checkProblem } from './every-answer.ts'
import { type Call, isFields, listPath, parseFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const item = toPath('{id}')
const admin = { path: item, as: 'admin' as const }

const kinds: readonly (Call & { status: number })[] = [
  { method: 'PATCH', ...admin, body: '{', status: 400 },
  { method: 'PATCH', ...admin, json: { nope: 1 }, status: 400 },
  { method: 'GET', path: `${listPath}?page_size=0`, status: 400 },
  { method: 'PATCH', path: item, json: {}, status: 401 },
  { method: 'GET', path: item, as: 'wrong', status: 401 },
  { method: 'PATCH', path: item, as: 'reader', json: {}, status: 403 },
  { method: 'GET', path: toPath('1234567'), status: 404 },
  { method: 'GET', path: toPath('x'), status: 404 },
  { method: 'GET', path: '/api/v2/nothing', status: 404 },
  { method: 'GET', path: `${listPath}?page=2`, status: 404 },
  { method: 'GET', path: toPath('{id}?format=xml'), status: 404 },
  { method: 'DELETE', path: item, status: 405 },
  { method: 'DELETE', path: listPath, status: 405 },
  { method: 'GET', path: item, headers: { Accept: 'image/png' }, status: 406 },
  { method: 'GET', path: listPath, headers: { Accept: 'image/png' }, status: 406 },
  {
    method: 'PATCH',
    ...admin,
    json: [{ op: 'test', path: '/title', value: '' }],
    headers: { 'Content-Type': 'application/json-patch+json' },
    status: 409,
  },
  { method: 'PATCH', ...admin, json: {}, headers: { 'If-Match': '"x"' }, status: 412 },
  { method: 'PATCH', ...admin, body: '', headers: { 'Content-Length': '2000000' }, status: 413 },
  { method: 'PATCH', ...admin, body: 'x', headers: { 'Content-Type': 'text/plain' }, status: 415 },
]

const problems: readonly Row[] = kinds.map((call) => ({
  ...call,
  name: `${call.method} ${call.path} answers ${call.status} as a problem (${JSON.stringify(call.headers ?? call.json ?? call.body ?? call.as ?? '')})`,
  has: { 'Content-Type': /application\/problem\+json/, 'Cache-Control': 'no-store' },
  check: (json) => expect(json.detail).toMatch(/^\S.* .*\S$/),
}))

describe('An error', () => {
  runTable(problems, service)

  test('has an instance of its own each time', async () => {
    const call = { method: 'GET', path: toPath('1234567') }
    const [first, second] = [await service.call(call), await service.call(call)]
    expect(parseFields(first).instance).not.toBe(parseFields(second).instance)
  })

  test('is a problem even for a client of HTML', async () => {
    const call = { method: 'GET', path: toPath('1234567'), headers: { Accept: 'text/html' } }
    const answer = await service.call(call)
    expect(answer.status).toBe(404)
    checkProblem(call, answer)
  })
})

describe('The errors of a body', () => {
  test('are lists of messages by field', async () => {
    const { id } = await service.create()
    const answer = await service.patch(id, { title: '', duration: 'x', nope: 1 })
    const { errors } = parseFields(answer)
    expect(isFields(errors) ? Object.keys(errors).sort() : errors).toEqual(['duration', 'nope', 'title'])
    for (const messages of Object.values(isFields(errors) ? errors : {})) {
      expect(messages).toEqual([expect.stringMatching(/\S/)])
    }
  })

  test('are not there when the body was not the trouble', async () => {
    const answer = await service.call({ method: 'GET', path: toPath('1234567') })
    expect(parseFields(answer).errors).toBeUndefined()
  })
})
