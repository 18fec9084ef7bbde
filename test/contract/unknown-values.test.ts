import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { listPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()
const header = 'Unknown-Values'

async function get(path: string, as: 'admin' | 'none' = 'none', headers = {}) {
  const call = { method: 'GET', path, headers, as }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

const named = async (path: string, as: 'admin' | 'none' = 'none') => headerOf(await get(path, as), header)

describe('A list of records names', () => {
  test('a category that does not exist', async () => {
    expect(await named(`${listPath}?category=pycon-us-2091`)).toBe('category=pycon-us-2091')
    expect(await named(`${listPath}?category=PyCon%20US,%202091`)).toBe('category=PyCon%20US%2C%202091')
  })

  test('a category that only callers with a token see, to all others', async () => {
    await service.create({ title: 'Hidden', category: 'Unannounced Days', state: 2 })
    const path = `${listPath}?category=unannounced-days`
    expect([await named(path), await named(path, 'admin')]).toEqual(['category=unannounced-days', null])
  })

  test('a language that no record has, as it was sent', async () => {
    expect(await named(`${listPath}?language=isl`)).toBe('language=isl')
  })

  test('a page size that was cut, with the rest', async () => {
    expect(await named(`${listPath}?page_size=1000&category=x&language=isl`)).toBe(
      'category=x, language=isl, page_size=1000',
    )
  })

  test('nothing where every value fits something, though no record fits all', async () => {
    await service.create({ title: 'Known', category: 'Known Days', language: 'English', state: 1 })
    for (const query of ['category=known-days', 'category=Known%20Days&q=absentword', 'language=eng&page_size=100']) {
      expect([query, await named(`${listPath}?${query}`)]).toEqual([query, null])
    }
  })

  test('the same in a 304', async () => {
    const etag = headerOf(await get(`${listPath}?category=x`), 'ETag') ?? ''
    const known = await get(`${listPath}?category=x`, 'none', { 'If-None-Match': etag })
    expect([known.status, headerOf(known, header)]).toEqual([304, 'category=x'])
  })

  test('at most 200 bytes', async () => {
    expect(await named(`${listPath}?category=${'x'.repeat(300)}&page_size=101`)).toBe('page_size=101')
  })
})

test('Every list names a page size that was cut', async () => {
  await service.create()
  for (const list of ['category', 'speaker', 'tag', 'language', 'batches', 'video/1/history']) {
    expect([list, await named(`/api/v2/${list}?page_size=101`, 'admin')]).toEqual([list, 'page_size=101'])
    expect([list, await named(`/api/v2/${list}?page_size=100`, 'admin')]).toEqual([list, null])
  }
  expect(await named('/api/v2/changes?page_size=1001')).toBe('page_size=1001')
  expect(await named('/api/v2/changes?page_size=1000')).toBeNull()
})
