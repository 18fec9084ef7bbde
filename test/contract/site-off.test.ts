import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { type Fields, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const base = 'https://videos.example.org'
const service = useService({ args: ['--threads', '1', '--base-url', base, '--site', 'off'] })
const source = 'https://example.org/hosted'
let made: Fields = {}

beforeAll(async () => {
  made = await service.create({ source_url: source })
})

describe('Without the site', () => {
  test('the page of a record that urlforsource names leads to the record', async () => {
    const path = `/api/1.0/videos/urlforsource?host_url=${encodeURIComponent(source)}`
    const named = String(parseFields(await service.call({ method: 'GET', path })).source_url)
    expect(named).toBe(`${base}/video/${made.id}/${made.slug}`)
    for (const page of [named.slice(base.length), `/video/${made.id}`]) {
      const answer = await service.call({ method: 'GET', path: page })
      expect([answer.status, headerOf(answer, 'Location')]).toEqual([302, `${base}/api/v2/video/${made.id}`])
    }
  })

  test('suggestions lead to the API', async () => {
    const path = '/api/v2/suggest?q=talk'
    await until('everything is loaded', async () => {
      return headerOf(await service.call({ method: 'GET', path }), 'Cache-Control') !== 'no-store'
    })
    const { results } = parseFields(await service.call({ method: 'GET', path }))
    const url = `${base}/api/v2/video/${made.id}`
    expect(results).toEqual([{ kind: 'video', text: String(made.title), url, count: 1 }])
  })

  test('the root leads to the list', async () => {
    const answer = await service.call({ method: 'GET', path: '/' })
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([302, `${base}/api/v2/video`])
  })
})
