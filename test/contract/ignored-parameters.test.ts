import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { listPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const header = 'Ignored-Parameters'

async function get(path: string, headers = {}, method = 'GET') {
  const call = { method, path, as: 'admin', headers } as const
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

const lists = [
  'video',
  'video?q=talk&matches=x',
  'category',
  'speaker',
  'tag',
  'language',
  'batches',
  'changes',
  'video/1/history',
]

test('Names of headers are written as on every other path', async () => {
  const { raw } = await get(`${listPath}?year=1`)
  const names = raw.slice(0, raw.indexOf('\r\n\r\n')).match(/^[^:\s]+(?=:)/gm) ?? []
  expect(names).toContain('Allow')
  expect(names).toContain('ETag')
  expect(names).toContain(header)
})

describe('A list names the parameters that it ignored:', () => {
  for (const list of lists) {
    test(list, async () => {
      await service.create()
      const [path = '', query = ''] = list.split('?')
      const ignored = query.includes('matches') ? 'matches, year' : 'year'
      const answer = await get(`/api/v2/${path}/?${query}&year=2019&page_size=1&format=json&year=2020`)
      expect([answer.status, headerOf(answer, header)]).toEqual([200, ignored])
    })
  }

  test('in a HEAD and in a 304 too', async () => {
    const whole = await get(`${listPath}?year=1`)
    const tag = headerOf(whole, 'ETag') ?? ''
    expect(headerOf(await get(`${listPath}?year=1`, {}, 'HEAD'), header)).toBe('year')
    const known = await get(`${listPath}?year=1`, { 'If-None-Match': tag })
    expect([known.status, headerOf(known, header)]).toEqual([304, 'year'])
  })
})

describe('A list names none where none was ignored:', () => {
  const every = 'q=a&category=a&speaker=a&tag=a&language=en&recorded_after=2000-01-01&recorded_before=2030-01-01'
  const more =
    'duration_min=0&duration_max=1&has=mp4&has_any=mp4&speaker_id=1&tag_id=1&source_url=x&id=1&state=1&ordering=id&page=1&page_size=5&fields=id'
  for (const path of [
    `video?${every}&${more}&facets=year`,
    'video?q=a&match=all&highlight=1',
    'video?match=best&highlight=0',
    'video?cursor=',
    'video?page=',
    'category?q=a&page=1&page_size=3',
    'changes?since=0&page_size=1',
    'suggest?q=a',
    'video?=nameless',
    'video/1?year=2019',
  ]) {
    test(path, async () => {
      await service.create()
      expect(headerOf(await get(`/api/v2/${path}`), header)).toBeNull()
    })
  }
})

describe('What it names is bounded and safe in a header:', () => {
  test('at most ten names', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`)
    const answer = await get(`${listPath}?${names.map((name) => `${name}=1`).join('&')}`)
    expect(headerOf(answer, header)).toBe(names.slice(0, 10).join(', '))
  })

  test('at most 200 bytes, of whole names', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(60))
    const answer = await get(`${listPath}?${names.join('&')}&short`)
    expect(headerOf(answer, header)).toBe([...names.slice(0, 3), 'short'].join(', '))
    expect(headerOf(await get(`${listPath}?${'x'.repeat(5_000)}`), header)).toBeNull()
  })

  test('names in percent-encoding', async () => {
    const answer = await get(`${listPath}?a%2Cb=1&%0D%0AX-Evil%3A%201&%C3%A4&__proto__=1&%FF`)
    expect(headerOf(answer, header)).toBe('a%2Cb, %0D%0AX-Evil%3A%201, %C3%A4, __proto__, %EF%BF%BD')
    expect(headerOf(answer, 'X-Evil')).toBeNull()
  })
})
