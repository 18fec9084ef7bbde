import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer, itemAllow } from './every-answer.ts'
import { type Fields, parseFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService({ roles: ['reader', 'editor'] })
const path = toPath('duplicates')
const made: Fields[] = []
const idsOf = (...indexes: readonly number[]) => indexes.map((index) => made[index]?.id)

async function get(query = ''): Promise<Fields> {
  const call = { method: 'GET', path: `${path}${query}`, as: 'reader' } as const
  const answer = await service.call(call)
  expect(answer.status).toBe(200)
  checkEveryAnswer(call, answer)
  return parseFields(answer)
}

beforeAll(async () => {
  const talks: readonly Fields[] = [
    { title: 'One', source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
    { title: 'Two', source_url: 'https://youtu.be/dQw4w9WgXcQ', state: 2 },
    { title: 'Three', source_url: 'https://youtu.be/dQw4w9WgXcQ?t=90' },
    { title: 'Four', source_url: 'https://example.org/4' },
    { title: 'Five', source_url: 'https://example.org/4' },
    { title: 'Six', source_url: 'https://example.org/6' },
    { title: 'Café society' },
    { title: 'CAFE SOCIETY', category: 'Contract tests' },
    { title: 'Café society', category: 'Another event' },
    { title: 'Lightning talks', category: 'Another event', source_url: 'https://example.org/9' },
    { title: 'Lightning talks', category: 'Another event', source_url: 'https://example.org/9', state: 2 },
    { title: 'Seven' },
  ]
  for (const fields of talks) made.push(await service.create(fields))
}, 180_000)

const groups = () => [
  { reason: 'same_video', ids: idsOf(0, 1) },
  { reason: 'same_video', ids: idsOf(3, 4) },
  { reason: 'same_video', ids: idsOf(9, 10) },
  { reason: 'same_title', ids: idsOf(6, 7) },
  { reason: 'same_title', ids: idsOf(9, 10) },
]

describe('Duplicates', () => {
  test('are groups with the same video, or the same title in the same event', async () => {
    expect(await get()).toEqual({ count: 5, next: null, previous: null, results: groups() })
  })

  test('are paged', async () => {
    const first = await get('?page_size=2')
    expect(first).toMatchObject({ count: 5, previous: null, results: groups().slice(0, 2) })
    expect(first.next).toEndWith(`${path}?page_size=2&page=2`)
    expect(await get('?page_size=2&page=last')).toMatchObject({ next: null, results: groups().slice(4) })
  })

  test('follow changes at once', async () => {
    await service.patch(made[4]?.id, { source_url: 'https://example.org/other' })
    await service.patch(made[7]?.id, { category: 'Another event' })
    const { results } = await get()
    expect(results).toEqual([
      ...groups()
        .filter(({ ids }) => ids[0] !== made[3]?.id && ids[0] !== made[6]?.id)
        .slice(0, 2),
      { reason: 'same_title', ids: idsOf(7, 8) },
      { reason: 'same_title', ids: idsOf(9, 10) },
    ])
  })

  runTable(
    [
      { name: 'need a token', method: 'GET', path, status: 401, has: { 'WWW-Authenticate': 'Token' } },
      { name: 'are for readers', method: 'GET', path, as: 'reader', status: 200, has: { ETag: /./ } },
      { name: 'may have a slash', method: 'GET', path: `${path}/`, as: 'reader', status: 200 },
      { name: 'have headers alone', method: 'HEAD', path, as: 'editor', status: 200 },
      { name: 'are described', method: 'OPTIONS', path, status: 200, has: { Allow: 'GET, HEAD, OPTIONS' } },
      { name: 'cannot be written', method: 'PUT', path, as: 'admin', json: {}, status: 405 },
      { name: 'have no page past the end', method: 'GET', path: `${path}?page=99`, as: 'reader', status: 404 },
      { name: 'refuse a page size of 0', method: 'GET', path: `${path}?page_size=0`, as: 'reader', status: 400 },
      { name: 'have no findings', method: 'GET', path: `${path}/findings`, as: 'reader', status: 404 },
    ] satisfies Row[],
    service,
  )

  test('may be percent-encoded', async () => {
    const answer = await service.call({ method: 'GET', path: toPath('%64uplicates'), as: 'reader' })
    expect([answer.status, headerOf(answer, 'Allow')]).toEqual([200, 'GET, HEAD, OPTIONS'])
  })

  test('leave the path of records as it was', async () => {
    for (const id of ['duplicate', 'duplicates2', 'Duplicates', 'a1', '+1', '%31x']) {
      const answer = await service.call({ method: 'GET', path: toPath(id), as: 'reader' })
      expect([id, answer.status, headerOf(answer, 'Allow')]).toEqual([id, 404, itemAllow])
    }
    const encoded = String(made[0]?.id).replace(/\d/g, '%3$&')
    expect((await service.call({ method: 'GET', path: toPath(encoded) })).status).toBe(200)
  })
})
