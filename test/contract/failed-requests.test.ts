import { describe, expect, test } from 'bun:test'
import { type Call, listPath, parseFields, requiredFields, tagOf, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor'] })

const patchType = { 'Content-Type': 'application/json-patch+json' }
const good = { ...requiredFields, state: 1, category: 'Should not be', speakers: ['Should not be'] }

const creations: readonly (readonly [string, Omit<Call, 'method' | 'path'>, number])[] = [
  ['no token', { json: good }, 401],
  ['a wrong token', { json: good, as: 'wrong' }, 401],
  ['a reader', { json: good, as: 'reader' }, 403],
  ['an editor who publishes', { json: good, as: 'editor' }, 403],
  ['a wrong Accept', { json: good, as: 'admin', headers: { Accept: 'image/png' } }, 406],
  ['a wrong type', { json: good, as: 'admin', headers: { 'Content-Type': 'text/plain' } }, 415],
  ['half a body', { body: JSON.stringify(good).slice(0, -1), as: 'admin' }, 400],
  ['a wrong field', { json: { ...good, duration: -1 }, as: 'admin' }, 400],
  ['an unknown field', { json: { ...good, nope: 1 }, as: 'admin' }, 400],
  ['a list of records', { json: [good], as: 'admin' }, 400],
]

const changes: readonly (readonly [string, Omit<Call, 'path'>, number])[] = [
  ['no token', { method: 'PUT', json: good }, 401],
  ['a reader', { method: 'PATCH', json: good, as: 'reader' }, 403],
  ['an editor on a live record', { method: 'PATCH', json: good, as: 'editor' }, 403],
  ['a wrong Accept', { method: 'PUT', json: good, as: 'admin', headers: { Accept: 'image/png' } }, 406],
  ['a wrong type', { method: 'PUT', json: good, as: 'admin', headers: { 'Content-Type': 'text/plain' } }, 415],
  ['too much', { method: 'PUT', body: JSON.stringify(good).padEnd(1_048_577), as: 'admin' }, 413],
  ['a stale tag', { method: 'PUT', json: good, as: 'admin', headers: { 'If-Match': '"stale"' } }, 412],
  ['half a body', { method: 'PUT', body: JSON.stringify(good).slice(0, -1), as: 'admin' }, 400],
  ['one wrong field among good ones', { method: 'PUT', json: { ...good, recorded: '2011-02-29' }, as: 'admin' }, 400],
  [
    'a wrong last operation',
    {
      method: 'PATCH',
      json: [
        { op: 'replace', path: '/category', value: 'Should not be' },
        { op: 'test', path: '/state', value: 2 },
      ],
      as: 'admin',
      headers: patchType,
    },
    409,
  ],
  ['another method', { method: 'DELETE', as: 'admin' }, 405],
]

async function countRecords(): Promise<unknown> {
  return parseFields(await service.call({ method: 'GET', path: listPath, as: 'admin' })).count
}

describe('A failed POST makes no record', () => {
  for (const [what, call, status] of creations) {
    test(`with ${what}`, async () => {
      const before = await countRecords()
      const answer = await service.call({ ...call, method: 'POST', path: listPath })
      expect([answer.status, await countRecords()]).toEqual([status, before])
    })
  }

  test('and takes no slug', async () => {
    const json = { ...requiredFields, title: 'Untaken slug', duration: -1 }
    await service.call({ method: 'POST', path: listPath, as: 'admin', json })
    expect((await service.create({ title: 'Untaken slug' })).slug).toBe('untaken-slug')
  })
})

describe('A failed write leaves the record alone', () => {
  for (const [what, call, status] of changes) {
    test(`with ${what}`, async () => {
      const { id } = await service.create()
      const [before, count] = [await service.read(id), await countRecords()]
      const answer = await service.call({ ...call, path: toPath(id) })
      const after = await service.read(id)
      expect([answer.status, after.body, tagOf(after)]).toEqual([status, before.body, tagOf(before)])
      expect(await countRecords()).toBe(count)
    })
  }
})
