import { describe, expect, test } from 'bun:test'
import { openEngine } from '../../src/store/open.ts'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer, listAllow } from './every-answer.ts'
import { toPage } from './list-page.ts'
import { type Call, type Fields, listPath, parseFields, type Role, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const path = '/api/v2/category'

async function post(json: unknown, headers: HeaderList = {}, query = '', as: Role = 'publisher'): Promise<RawAnswer> {
  const call: Call = { method: 'POST', path: `${path}${query}`, as, json, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

const get = (slug: string, as: Role = 'none') => service.call({ method: 'GET', path: `${path}/${slug}`, as })

async function listTitles(as: Role = 'none'): Promise<readonly unknown[]> {
  const { results } = toPage(await service.call({ method: 'GET', path: `${path}?page_size=100`, as }))
  return results.map(({ title }) => title)
}

describe('POST of a category', () => {
  test('answers 201 with the category, where it is, and no Location', async () => {
    const given = { title: '  Größe 2015 ', description: '<b>', url: 'https://a.example/', start_date: '2015-06-01' }
    const answer = await post({
      ...given,
      slug: 'mine',
      added: '2001-01-01T00:00:00.000',
      videos: ['https://x.example'],
    })
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([201, null])
    expect(parseFields(answer)).toEqual({
      title: 'Größe 2015',
      slug: 'grosse-2015',
      description: '<b>',
      url: 'https://a.example/',
      start_date: '2015-06-01',
      end_date: null,
      place: '',
      series: '',
      whiteboard: '',
      added: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      videos: [],
    })
    expect(headerOf(answer, 'Content-Location')).toBe(`${service.server().url}${path}/grosse-2015`)
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
    expect((await get('grosse-2015', 'publisher')).body).toBe(answer.body)
    expect(tagOf(await get('grosse-2015', 'publisher'))).toBe(tagOf(answer))
  })

  test('creates one that everybody sees, even while it is empty', async () => {
    await post({ title: 'Empty event' })
    expect(await listTitles()).toContain('Empty event')
    expect((await get('empty-event')).status).toBe(200)
    const { id } = await service.create({ category: 'Empty event', state: 2 })
    expect(parseFields(await get('empty-event')).videos).toEqual([])
    await service.patch(id, { state: 1 })
    expect(parseFields(await get('empty-event')).videos).toEqual([`${service.server().url}${listPath}/${id}`])
    await service.patch(id, { category: 'Another event' })
    expect(await listTitles()).toContain('Empty event')
  })

  test('does not reveal categories that only drafts have', async () => {
    await service.create({ category: 'Only drafts', state: 2 })
    expect(await listTitles()).not.toContain('Only drafts')
    expect((await get('only-drafts')).status).toBe(404)
  })

  test('with a title that is taken is 409 and names the slug, hidden or not', async () => {
    await service.create({ category: 'Shown' })
    await service.create({ category: 'Not shown', state: 2 })
    await post({ title: 'Made here' })
    for (const [title, slug] of [
      ['Shown', 'shown'],
      ['Not shown', 'not-shown'],
      [' Made here ', 'made-here'],
    ] as const) {
      const answer = await post({ title, description: 'mine' })
      expect([answer.status, parseFields(answer).slug]).toEqual([409, slug])
      expect(parseFields(answer).detail).toContain(slug)
      expect(parseFields(await get(slug, 'reader')).description).toBe('')
    }
    expect(await listTitles()).not.toContain('Not shown')
  })

  test('sent ten times at once makes one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ title: 'At once' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('never assigns a slug twice, whatever happens to the title', async () => {
    await post({ title: 'Once upon' })
    await service.call({ method: 'PATCH', path: `${path}/once-upon`, as: 'publisher', json: { title: 'Later' } })
    expect(parseFields(await post({ title: 'Once upon' })).slug).toBe('once-upon-2')
  })

  test('with dry_run=1 answers 200 with the result, and stores nothing', async () => {
    const answer = await post({ title: 'Not yet', whiteboard: 'w' }, {}, '?dry_run=1')
    expect([answer.status, headerOf(answer, 'Content-Location')]).toEqual([200, null])
    expect(parseFields(answer)).toMatchObject({ title: 'Not yet', slug: 'not-yet', whiteboard: 'w', videos: [] })
    expect((await get('not-yet', 'reader')).status).toBe(404)
    expect((await post({ title: 'Shown' }, {}, '?dry_run=1')).status).toBe(409)
    expect((await post({ title: 'Not yet' }, {}, '?dry_run=2')).status).toBe(400)
  })

  test('has a first version with author and reason', async () => {
    await post({ title: 'With reason', url: 'https://b.example/' }, { 'Change-Reason': 'a new event' })
    const call: Call = { method: 'GET', path: `${path}/with-reason/history`, as: 'reader' }
    expect(toPage(await service.call(call)).results).toMatchObject([
      { version: 1, by: 'the publisher', reason: 'a new event' },
    ])
  })
})

describe('POST of a category with an Idempotency-Key', () => {
  const keyed = (key: string, json: Fields, query = '') => post(json, { 'Idempotency-Key': key }, query)

  test('that is repeated gets the first response, though the category has changed since', async () => {
    const first = await keyed('once', { title: 'Once' })
    await service.call({ method: 'PATCH', path: `${path}/once`, as: 'publisher', json: { title: 'Twice' } })
    const second = await keyed('once', { title: 'Once' })
    expect([second.status, second.body, tagOf(second)]).toEqual([201, first.body, tagOf(first)])
    expect(headerOf(second, 'Content-Location')).toBe(headerOf(first, 'Content-Location'))
    expect(await listTitles()).not.toContain('Once')
  })

  test('with another body is refused, even for a record', async () => {
    await keyed('other', { title: 'One thing' })
    expect((await keyed('other', { title: 'Another thing' })).status).toBe(400)
    const record = { method: 'POST', path: listPath, as: 'publisher' as const, json: { title: 'T', category: 'C' } }
    const headers = { 'Idempotency-Key': 'other' }
    expect((await service.call({ ...record, headers })).status).toBe(400)
    expect((await service.call({ ...record, headers: { 'Idempotency-Key': 'record' } })).status).toBe(201)
    expect((await keyed('record', { title: 'Third thing' })).status).toBe(400)
    expect(await listTitles()).not.toContain('Third thing')
  })

  test('of a dry run or a refused one can be used again, and is forgotten after a day', async () => {
    expect((await keyed('again', { title: 'Tried' }, '?dry_run=1')).status).toBe(200)
    expect((await keyed('again', { title: '' })).status).toBe(400)
    expect((await keyed('again', { title: 'Made' })).status).toBe(201)
    const db = (await openEngine(service.server().db)).open('write')
    await db.script("UPDATE idempotency SET at = '2001-01-01T00:00:00.000' WHERE key = 'again'")
    await db.close()
    expect((await keyed('again', { title: 'Made another' })).status).toBe(201)
  })
})

const refusals: readonly Row[] = [
  ...(['none', 'reader', 'editor'] as const).map((as) => ({
    name: `POST by ${as} is refused`,
    as,
    json: { title: 'x' },
    status: as === 'none' ? 401 : 403,
  })),
  { name: 'No title is refused', json: { description: 'x' }, status: 400, errors: ['title'] },
  { name: 'A blank title is refused', json: { title: ' ' }, status: 400, errors: ['title'] },
  { name: 'A title of null is refused', json: { title: null }, status: 400, errors: ['title'] },
  { name: 'A long title is refused', json: { title: 'x'.repeat(256) }, status: 400, errors: ['title'] },
  {
    name: 'All errors are reported together',
    json: { url: 'javascript:x', start_date: '2012-02-30', colour: 'red' },
    status: 400,
    errors: ['colour', 'start_date', 'title', 'url'],
  },
  { name: 'A list is refused', json: [], status: 400 },
  { name: 'Broken JSON is refused', body: '{', status: 400 },
  { name: 'Text is refused', body: 'x', headers: { 'Content-Type': 'text/plain' }, status: 415 },
].map((row) => ({ method: 'POST', path, as: 'publisher' as const, ...row }))

describe('A refused POST of a category', () => {
  runTable(refusals, service)

  test('creates nothing', async () => {
    expect(await listTitles('reader')).not.toContain('x')
  })
})

describe('The list of categories', () => {
  test('allows POST in the headers of every response', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const answer = await service.call({ method, path, as: 'publisher' })
      expect([method, headerOf(answer, 'Allow')]).toEqual([method, listAllow])
    }
  })

  test('describes its fields to those who may write', async () => {
    const describe = async (as: Role) => parseFields(await service.call({ method: 'OPTIONS', path, as }))
    expect(await describe('editor')).not.toHaveProperty('actions')
    expect(await describe('publisher')).toMatchObject({
      parses: ['application/json'],
      actions: { POST: { title: { type: 'string', required: true, max_length: 255 }, url: { required: false } } },
    })
  })
})
