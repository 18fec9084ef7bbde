import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Call, type Fields, tagOf, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const fields = {
  title: 'Same',
  speakers: ['Ada', 'Bob'],
  language: 'English',
  duration: 60,
  video_ogv_url: '',
  state: 1,
}
const patchType = { 'Content-Type': 'application/json-patch+json' }

const writes: readonly (readonly [string, (record: Fields) => Omit<Call, 'path'>])[] = [
  ['a PUT of what was read', (record) => ({ method: 'PUT', json: record })],
  ['a PUT without the read-only fields', ({ id, slug, added, updated, ...json }) => ({ method: 'PUT', json })],
  ['a PUT without state', ({ state, ...json }) => ({ method: 'PUT', json })],
  ['a PUT of the fields first given', ({ category }) => ({ method: 'PUT', json: { category, ...fields } })],
  ['an empty merge patch', () => ({ method: 'PATCH', json: {} })],
  ['a merge patch with the same title', () => ({ method: 'PATCH', json: { title: 'Same' } })],
  ['a merge patch that is the same after trimming', () => ({ method: 'PATCH', json: { title: ' Same ' } })],
  ['a merge patch that is the same in canonical form', () => ({ method: 'PATCH', json: { language: 'en' } })],
  [
    'a merge patch with a repeat that is dropped',
    () => ({ method: 'PATCH', json: { speakers: ['Ada', 'Bob', 'Ada'] } }),
  ],
  ['a merge patch with null for an empty address', () => ({ method: 'PATCH', json: { thumbnail_url: null } })],
  [
    'a merge patch of read-only fields alone',
    () => ({ method: 'PATCH', json: { slug: 'other', added: 'x', updated: 'y' } }),
  ],
  ['a merge patch of what was read', (record) => ({ method: 'PATCH', json: record })],
  ['an empty JSON Patch', () => ({ method: 'PATCH', json: [], headers: patchType })],
  [
    'a JSON Patch of tests',
    () => ({ method: 'PATCH', json: [{ op: 'test', path: '/title', value: 'Same' }], headers: patchType }),
  ],
  [
    'a JSON Patch with the same value',
    () => ({ method: 'PATCH', json: [{ op: 'replace', path: '/duration', value: 60 }], headers: patchType }),
  ],
]

describe('A write that changes nothing', () => {
  for (const [name, toWrite] of writes) {
    test(`makes no new version: ${name}`, async () => {
      const record = await service.create(fields)
      const before = await service.read(record.id, 'text/html')
      await Bun.sleep(2)
      const answer = await service.call({ ...toWrite(record), path: toPath(record.id), as: 'admin' })
      expect([answer.status, answer.body]).toEqual([200, before.body])
      const after = await service.read(record.id, 'text/html')
      for (const one of [answer, after]) expect([one.body, tagOf(one)]).toEqual([before.body, tagOf(before)])
      expect(headerOf(after, 'Last-Modified')).toBe(headerOf(before, 'Last-Modified'))
    })
  }

  test('is harmless when a PATCH is repeated', async () => {
    const { id } = await service.create()
    const first = await service.patch(id, { summary: 'again' })
    const second = await service.patch(id, { summary: 'again' })
    expect([second.status, second.body, tagOf(second)]).toEqual([200, first.body, tagOf(first)])
  })
})

describe('A write that changes little', () => {
  for (const changes of [
    { video_ogv_url: null },
    { video_mp4_url: '' },
    { speakers: ['Bob', 'Ada'] },
    { summary: ' ' },
  ]) {
    test(`makes a new version: ${JSON.stringify(changes)}`, async () => {
      const { id } = await service.create(fields)
      const before = await service.read(id, 'text/html')
      const answer = await service.patch(id, changes)
      expect(answer.status).toBe(200)
      expect(tagOf(answer)).not.toBe(tagOf(before))
      expect(answer.body).not.toBe(before.body)
    })
  }
})
