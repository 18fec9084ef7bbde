import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createChecked } from './checked-records.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { getPage } from './list-page.ts'
import { type Fields, parseFields, type Role, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { create, get, patchCategory } = createChecked(service)

const shouting = { title: 'TIMTOWTDI IN PRACTICE' }
const code = 'shouting_title'

const toAccept = (id: unknown, what = code) => `${toPath(id)}/findings/${what}/accept`
const isListed = async (id: unknown, what = code) =>
  (await getPage(service, `finding=${what}&id=${id}`, 'reader')).count === 1

async function send(method: string, path: string, json?: Fields, as: Role = 'publisher') {
  const call = { method, path, as, ...(json === undefined ? {} : { json }) }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return { status: answer.status, fields: parseFields(answer) }
}

async function readCodes(id: unknown) {
  const { results, accepted } = await get(`${toPath(id)}/findings`)
  const toCodes = (all: unknown) => (all as readonly Fields[]).map((each) => each.code) // as described
  return { shown: toCodes(results), accepted: toCodes(accepted) }
}

describe('An accepted finding', () => {
  test('is hidden from the record, the lists and the counts, and says who accepted it and when', async () => {
    const { id, category } = await create(shouting)
    const before = await service.read(id)
    const { status, fields } = await send('POST', toAccept(id))
    expect(status).toBe(200)
    expect(fields).toEqual({
      results: [],
      accepted: [
        {
          ...{ code, field: 'title', detail: expect.stringMatching(/./) },
          ...{ by: 'the publisher', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) },
        },
      ],
      as_of: expect.any(Number),
    })
    expect(await get(`${toPath(id)}/findings`)).toEqual(fields)
    expect(await isListed(id)).toBe(false)
    const slug = String(category).toLowerCase().replace(' ', '-')
    expect((await getPage(service, `finding=${code}&category=${slug}`, 'none')).count).toBe(0)
    expect((await get(`/api/v2/findings?category=${slug}`)).results).toEqual([])
    const after = await service.read(id)
    expect([after.body, headerOf(after, 'ETag')]).toEqual([before.body, headerOf(before, 'ETag')])
  })

  test('is shown again when a field that it depends on changes, in whatever way', async () => {
    const { id } = await create(shouting)
    const ways: readonly (() => Promise<unknown>)[] = [
      () => service.patch(id, { title: 'TIMTOWTDI AT WORK' }),
      () => send('POST', `${toPath(id)}/history/1/restore`),
      () => send('POST', '/api/v2/batches', { select: { ids: [id] }, patch: { title: 'ANOTHER SHOUTED TITLE' } }),
    ]
    for (const change of ways) {
      await send('POST', toAccept(id))
      await service.patch(id, { language: 'German' })
      await service.patch(id, { language: 'English' })
      expect(await readCodes(id)).toEqual({ shown: [], accepted: [code] })
      await change()
      expect(await readCodes(id)).toEqual({ shown: [code], accepted: [] })
      expect(await isListed(id)).toBe(true)
    }
    const { results } = await get('/api/v2/batches?page_size=1', 'publisher')
    const [batch] = results as readonly Fields[] // as described
    await send('POST', toAccept(id))
    await send('POST', `/api/v2/batches/${batch?.id}/undo`)
    expect(await readCodes(id)).toEqual({ shown: [code], accepted: [] })
  })

  test('stays accepted when it is accepted again, and is shown again by DELETE', async () => {
    const { id } = await create(shouting)
    const first = await send('POST', toAccept(id), {})
    expect((await send('POST', toAccept(id), {}, 'admin')).fields).toEqual(first.fields)
    for (const _ of ['once', 'twice']) {
      expect((await send('DELETE', toAccept(id))).fields).toMatchObject({ results: [{ code }], accepted: [] })
    }
    expect(await isListed(id)).toBe(true)
  })

  test('has one code: other findings of the same record stay', async () => {
    const { id } = await create({ ...shouting, tags: [], summary: '' })
    await send('POST', toAccept(id, 'missing_tags'))
    expect(await readCodes(id)).toEqual({ shown: ['missing_summary', code], accepted: ['missing_tags'] })
    const count = async (filter: string) => (await getPage(service, `${filter}&id=${id}`, 'reader')).count
    expect(await count('missing=tags')).toBe(0)
    expect(await count('missing=summary')).toBe(1)
    expect(await count('missing=summary,tags')).toBe(0)
    expect(await count(`missing=summary&finding=${code}`)).toBe(1)
  })

  test('can also be one that depends on the event or on other records', async () => {
    const source_url = 'https://files.example.org/accepted-twice'
    const [one, other] = [await create({ source_url }), await create({ source_url })]
    await patchCategory(String(one.category).toLowerCase().replace(' ', '-'), { start_date: '2000-01-01' })
    await send('POST', toAccept(one.id, 'same_video'))
    await send('POST', toAccept(one.id, 'outside_event'))
    expect(await readCodes(one.id)).toEqual({ shown: [], accepted: ['outside_event', 'same_video'] })
    expect(await readCodes(other.id)).toMatchObject({ shown: ['same_video'] })
    expect([await isListed(one.id, 'same_video'), await isListed(other.id, 'same_video')]).toEqual([false, true])
    await service.patch(one.id, { recorded: '2020-01-11' })
    expect(await readCodes(one.id)).toEqual({ shown: ['outside_event'], accepted: ['same_video'] })
  })

  test('is not accepted if the field has changed since it was read', async () => {
    const { id } = await create(shouting)
    const { as_of } = await get(`${toPath(id)}/findings`)
    await service.patch(id, { title: 'SOMETHING NEW SHOUTED' })
    expect(await send('POST', toAccept(id), { as_of: as_of as number })).toMatchObject({
      status: 409,
      fields: { type: expect.stringContaining('changed_since') },
    })
    expect(await readCodes(id)).toEqual({ shown: [code], accepted: [] })
    const now = await get(`${toPath(id)}/findings`)
    await service.patch(id, { language: 'German' })
    expect((await send('POST', toAccept(id), { as_of: now.as_of })).status).toBe(200)
  })

  test('is not stored by a dry run', async () => {
    const { id } = await create(shouting)
    expect((await send('POST', `${toAccept(id)}?dry_run=1`)).fields).toMatchObject({ results: [{ code }] })
    expect(await readCodes(id)).toEqual({ shown: [code], accepted: [] })
    await send('POST', toAccept(id))
    await send('DELETE', `${toAccept(id)}?dry_run=1`)
    expect(await readCodes(id)).toEqual({ shown: [], accepted: [code] })
  })

  const path = toAccept('{id}')
  const draft = { ...shouting, state: 2 }
  runTable(
    [
      { name: 'needs a token', method: 'POST', path, fresh: shouting, status: 401 },
      { name: 'is not for readers', method: 'POST', path, as: 'reader', fresh: shouting, status: 403 },
      {
        name: 'is for publishers if the record is live',
        method: 'POST',
        path,
        as: 'editor',
        fresh: shouting,
        status: 403,
      },
      { name: 'is for editors if it is a draft', method: 'POST', path, as: 'editor', fresh: draft, status: 200 },
      { name: 'is shown again by publishers', method: 'DELETE', path, as: 'editor', fresh: shouting, status: 403 },
      { name: 'must be there', method: 'POST', path, as: 'editor', fresh: { state: 2 }, status: 404 },
      { name: 'has a known code', method: 'POST', path: toAccept('{id}', 'x'), as: 'publisher', status: 404 },
      { name: 'is of a record', method: 'POST', path: toAccept(987654), as: 'publisher', status: 404 },
      { name: 'is of a well-formed id', method: 'POST', path: toAccept('01'), as: 'publisher', status: 404 },
      { name: 'cannot be read', method: 'GET', path, as: 'publisher', fresh: shouting, status: 405 },
      {
        ...{ name: 'has no other fields', method: 'POST', path, as: 'publisher', fresh: shouting, status: 400 },
        ...{ json: { as_of: -1, why: 'x' }, errors: ['why', 'as_of'] },
      },
      {
        ...{ name: 'is judged by a change that there is', method: 'POST', path, as: 'publisher', fresh: shouting },
        ...{ json: { as_of: 9e12 }, status: 400, errors: ['as_of'] },
      },
      {
        ...{ name: 'is described', method: 'OPTIONS', path, status: 200, has: { Allow: 'POST, DELETE, OPTIONS' } },
      },
    ] satisfies Row[],
    service,
  )
})

describe('A finding that is hidden for all', () => {
  const toHidden = (what = code) => `/api/v2/findings/${what}/hidden`

  test('is not in findings and counts, but the list still finds it', async () => {
    const { id } = await create({ ...shouting, tags: [] })
    const before = await get('/api/v2/findings')
    expect(await send('PUT', toHidden())).toEqual({ status: 200, fields: { code, hidden: true } })
    expect(await readCodes(id)).toEqual({ shown: ['missing_tags'], accepted: [] })
    const after = await get('/api/v2/findings')
    const toTotal = ({ totals }: Fields) => (totals as readonly Fields[]).find((each) => each.code === code) // as described
    expect(toTotal(after)).toBeUndefined()
    expect(after.hidden).toEqual([
      { code, by: 'the publisher', at: expect.stringMatching(/Z$/), count: toTotal(before)?.count },
    ])
    expect(JSON.stringify(after.results)).not.toContain(code)
    expect((await get(`/api/v2/findings?code=${code}`)).totals).toEqual([toTotal(before)])
    expect(await isListed(id)).toBe(true)
    // Again: the first decision stays.
    await send('PUT', toHidden(), undefined, 'admin')
    expect((await get('/api/v2/findings')).hidden).toEqual(after.hidden)
    expect(await send('DELETE', toHidden())).toEqual({ status: 200, fields: { code, hidden: false } })
    expect((await send('DELETE', toHidden())).status).toBe(200)
    expect((await get('/api/v2/findings')).hidden).toEqual([])
    expect(await readCodes(id)).toEqual({ shown: ['missing_tags', code], accepted: [] })
  })

  test('is not hidden by a dry run', async () => {
    expect((await send('PUT', `${toHidden()}?dry_run=1`)).fields).toEqual({ code, hidden: true })
    expect((await get('/api/v2/findings')).hidden).toEqual([])
  })

  runTable(
    [
      { name: 'needs a token', method: 'PUT', path: toHidden(), status: 401 },
      { name: 'is not for editors', method: 'PUT', path: toHidden(), as: 'editor', status: 403 },
      { name: 'is not shown by editors', method: 'DELETE', path: toHidden(), as: 'editor', status: 403 },
      { name: 'has a known code', method: 'PUT', path: toHidden('x'), as: 'publisher', status: 404 },
      { name: 'cannot be read', method: 'GET', path: toHidden(), as: 'publisher', status: 405 },
      {
        ...{ name: 'is described', method: 'OPTIONS', path: toHidden(), status: 200 },
        ...{ has: { Allow: 'PUT, DELETE, OPTIONS' } },
      },
    ] satisfies Row[],
    service,
  )
})
