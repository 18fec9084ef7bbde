import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, parseFields, requiredFields, tagOf, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const filled = {
  language: 'English',
  speakers: ['Ada'],
  tags: ['web'],
  summary: 's',
  description: 'd',
  quality_notes: 'q',
  copyright_text: 'c',
  embed: '<a href="https://example.org/">x</a>',
  thumbnail_url: 'https://example.org/t.png',
  duration: 60,
  video_ogv_length: 1,
  video_ogv_url: '',
  video_ogv_download_only: true,
  video_mp4_length: 2,
  video_mp4_url: 'https://example.org/v.mp4',
  video_mp4_download_only: true,
  video_webm_length: 3,
  video_webm_url: '',
  video_webm_download_only: true,
  video_flv_length: 4,
  video_flv_url: 'https://example.org/v.flv',
  video_flv_download_only: true,
  source_url: 'https://example.org/talk',
  whiteboard: 'w',
  recorded: '2012-03-09',
}

const absent: Fields = {
  ...Object.fromEntries(Object.entries(filled).map(([name, value]) => [name, toAbsent(name, value)])),
  recorded: null,
}

function toAbsent(name: string, value: unknown): unknown {
  if (name.startsWith('video_') && !name.endsWith('_download_only')) return null
  if (typeof value === 'boolean') return false
  if (typeof value === 'number') return null
  return typeof value === 'string' ? '' : []
}

const put = (id: unknown, json: Fields) => service.call({ method: 'PUT', path: toPath(id), as: 'admin', json })

describe('The state in a PUT', () => {
  for (const state of [1, 2]) {
    test(`stays ${state} when it is left out`, async () => {
      const { id } = await service.create({ state })
      expect(parseFields(await put(id, { ...requiredFields, summary: 'x' })).state).toBe(state)
    })
  }

  test('publishes and unpublishes when it is given', async () => {
    const { id } = await service.create({ state: 2 })
    expect(parseFields(await put(id, { ...requiredFields, state: 1 })).state).toBe(1)
    expect((await service.call({ method: 'GET', path: toPath(id) })).status).toBe(200)
    expect(parseFields(await put(id, { ...requiredFields, state: 2 })).state).toBe(2)
    expect((await service.call({ method: 'GET', path: toPath(id) })).status).toBe(404)
  })
})

describe('PUT', () => {
  test('replaces every field with what is given', async () => {
    const { id, slug, added } = await service.create()
    const json = { category: 'Another', title: 'Another', state: 2, ...filled }
    const answer = await put(id, json)
    const { updated, ...rest } = parseFields(answer)
    expect(rest).toEqual({ ...json, id, slug, added })
    expect(updated).toBeString()
  })

  test('puts fields left out back to their absent value', async () => {
    const { id, slug, added } = await service.create(filled)
    const { updated, ...rest } = parseFields(await put(id, requiredFields))
    expect(rest).toEqual({ ...requiredFields, ...absent, state: 1, id, slug, added })
    expect(updated).toBeString()
  })

  test('answers with the whole record, its new tag and its new time', async () => {
    const { id, updated: before } = await service.create()
    const old = await service.read(id, 'text/html')
    const call = { method: 'PUT', path: toPath(id), as: 'admin' as const, json: { ...requiredFields, title: 'New' } }
    const answer = await service.call(call)
    expect(answer.status).toBe(200)
    checkEveryAnswer(call, answer)
    expect(headerOf(answer, 'Location')).toBeNull()
    const now = await service.read(id, 'text/html')
    expect([answer.body, tagOf(answer)]).toEqual([now.body, tagOf(now)])
    expect(tagOf(answer)).not.toBe(tagOf(old))
    expect(String(parseFields(answer).updated) > String(before)).toBe(true)
  })

  test('never creates', async () => {
    const answer = await put(7_654_321, requiredFields)
    expect(answer.status).toBe(404)
    expect((await service.read(7_654_321)).status).toBe(404)
  })
})
