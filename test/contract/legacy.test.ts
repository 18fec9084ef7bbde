import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Fields, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({
  roles: ['reader'],
  args: ['--threads', '1', '--base-url', 'https://videos.example.org'],
})
const path = '/api/1.0/videos/urlforsource'
const source = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=5'
let made: Fields = {}
let draft: Fields = {}

beforeAll(async () => {
  made = await service.create({ source_url: source })
  draft = await service.create({ title: 'Not yet: über', source_url: 'https://example.org/draft', state: 2 })
  await service.create({ title: 'Later', source_url: source, state: 2, recorded: '2030-01-01' })
  await service.create({ source_url: '' })
})

const ask = (query: string, as: Role = 'none') => service.call({ method: 'GET', path: `${path}${query}`, as })

describe('urlforsource', () => {
  test('answers with the address of the page about a source', async () => {
    for (const slash of ['', '/']) {
      const answer = await ask(`${slash}?host_url=${encodeURIComponent(source)}`)
      expect(answer.status).toBe(200)
      expect(headerOf(answer, 'Content-Type')).toBe('application/json')
      expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBe('*')
      const page = `https://videos.example.org/video/${made.id}/${made.slug}`
      expect(parseFields(answer)).toEqual({ source_url: page })
    }
  })

  test('finds drafts for token holders, and live records first', async () => {
    const found = await ask('?host_url=https://example.org/draft', 'reader')
    const page = `https://videos.example.org/video/${draft.id}/not-yet-uber`
    expect(parseFields(found)).toEqual({ source_url: page })
    expect(headerOf(found, 'Cache-Control')).toBe('private, no-store')
    const live = await ask(`?host_url=${encodeURIComponent(source)}`, 'reader')
    expect(parseFields(live)).toEqual({ source_url: `https://videos.example.org/video/${made.id}/${made.slug}` })
    expect((await ask('?host_url=', 'reader')).status).toBe(404)
  })

  test('names a page that leads to the record', async () => {
    const answer = await service.call({ method: 'GET', path: `/video/${made.id}/${made.slug}` })
    expect([200, 302]).toContain(answer.status)
    if (answer.status === 302) {
      expect(headerOf(answer, 'Location')).toBe(`https://videos.example.org/api/v2/video/${made.id}`)
    }
  })

  for (const [name, query] of [
    ['nobody has', `?host_url=${encodeURIComponent(`${source}6`)}`],
    ['only a draft has', '?host_url=https://example.org/draft'],
    ['is empty', '?host_url='],
    ['is not named', ''],
    ['is an injection', "?host_url=x'%20OR%20''='"],
  ] as const) {
    test(`answers 404 where the source ${name}`, async () => {
      const answer = await ask(query)
      expect(answer.status).toBe(404)
      expect(headerOf(answer, 'Content-Type')).toMatch(/^application\/problem\+json/)
      expect(parseFields(answer).detail).not.toBe('')
    })
  }
})

describe('Any other version of the API', () => {
  for (const other of [
    'v1',
    'v1/video',
    'v3/video/1',
    'v0',
    'v10/video/',
    'v22',
    '1.0/videos',
    'v2.1/video',
    'v1/video/1/',
  ]) {
    test(`at /api/${other} is a 404 that names v2`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const answer = await service.call({ method, path: `/api/${other}`, ...(method === 'GET' ? {} : { json: {} }) })
        expect([method, answer.status]).toEqual([method, 404])
        expect(String(parseFields(answer).detail)).toContain('v2')
        expect(headerOf(answer, 'X-Content-Type-Options')).toBe('nosniff')
      }
    })
  }

  test('is not what an unknown path of v2 is', async () => {
    const answer = await service.call({ method: 'GET', path: '/api/v2/nothing' })
    expect(answer.status).toBe(404)
  })
})
