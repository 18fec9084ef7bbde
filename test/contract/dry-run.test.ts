import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkItemHeaders, itemAllow, listAllow } from './every-answer.ts'
import { fieldNames } from './every-record.ts'
import { getPage } from './list-page.ts'
import { type Call, type Fields, listPath, parseFields, requiredFields, tagOf, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const dryRun = (method: string, path: string, json: Fields, more: Partial<Call> = {}) =>
  service.call({ method, path: `${path}?dry_run=1`, as: 'publisher', json, ...more })

const countAll = async () => (await getPage(service, 'page_size=1', 'admin')).count

describe('dry_run=1 on POST', () => {
  test('answers 200 with the record that would be stored, with the id 0, and stores nothing', async () => {
    const count = await countAll()
    const fields = { category: 'Nowhere yet', title: 'Größe', speakers: [' Ann '], tags: ['new'], language: 'de' }
    const answer = await dryRun('POST', listPath, fields)
    expect(answer.status).toBe(200)
    const record = parseFields(answer)
    expect(Object.keys(record)).toEqual([...fieldNames])
    expect(record).toMatchObject({ id: 0, slug: 'grosse', speakers: ['Ann'], language: 'German', state: 2 })
    expect(await countAll()).toBe(count)
    for (const path of ['category/nowhere-yet', 'speaker?q=ann&page=2', 'tag?q=new&page=2']) {
      const gone = await service.call({ method: 'GET', path: `/api/v2/${path}`, as: 'admin' })
      expect([path, gone.status]).toEqual([path, 404])
    }
  })

  test('has Allow and Vary of the list, JSON, and neither ETag nor URL', async () => {
    const answer = await dryRun('POST', listPath, requiredFields)
    expect(headerOf(answer, 'Content-Type')).toBe('application/json')
    expect(headerOf(answer, 'Allow')).toBe(listAllow)
    expect(headerOf(answer, 'Vary')).toBe('Accept, Authorization')
    for (const name of ['Location', 'Content-Location']) expect(headerOf(answer, name)).toBeNull()
  })

  test('uses up neither id nor slug', async () => {
    const before = await service.create({ title: 'Before the dry run' })
    await dryRun('POST', listPath, { ...requiredFields, title: 'Same slug' })
    const after = await service.create({ title: 'Same slug' })
    expect([after.id, after.slug]).toEqual([Number(before.id) + 1, 'same-slug'])
    expect(parseFields(await dryRun('POST', listPath, { ...requiredFields, title: 'Same slug' })).slug).toBe(
      'same-slug-2',
    )
  })

  test('validates as POST does', async () => {
    const answer = await dryRun('POST', listPath, { title: '', color: 'red' })
    expect(answer.status).toBe(400)
    expect(Object.keys(parseFields(answer).errors ?? {}).sort()).toEqual(['category', 'color', 'title'])
  })

  test('requires the same roles as POST', async () => {
    expect((await dryRun('POST', listPath, requiredFields, { as: 'none' })).status).toBe(401)
    expect((await dryRun('POST', listPath, requiredFields, { as: 'reader' })).status).toBe(403)
    expect((await dryRun('POST', listPath, requiredFields, { as: 'editor' })).status).toBe(200)
    expect((await dryRun('POST', listPath, { ...requiredFields, state: 1 }, { as: 'editor' })).status).toBe(403)
  })
})

describe('dry_run=1 on', () => {
  for (const method of ['PUT', 'PATCH']) {
    test(`${method} answers with what would be stored, and stores nothing`, async () => {
      const record = await service.create({ summary: 'As it was', tags: ['kept'] })
      const before = await service.read(record.id)
      const fields = method === 'PUT' ? { ...requiredFields, title: 'New', category: 'New too' } : { title: 'New' }
      const answer = await dryRun(method, toPath(record.id), fields)
      expect(answer.status).toBe(200)
      checkItemHeaders(answer)
      expect(headerOf(answer, 'Allow')).toBe(itemAllow)
      const wanted = method === 'PUT' ? { summary: '', tags: [] } : { summary: 'As it was', tags: ['kept'] }
      expect(parseFields(answer)).toMatchObject({ id: record.id, title: 'New', state: 1, ...wanted })
      const after = await service.read(record.id)
      expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
      const made = await service.call({ method, path: toPath(record.id), as: 'publisher', json: fields })
      const { updated: _, ...real } = parseFields(made)
      expect(parseFields(answer)).toMatchObject(real)
    })

    test(`${method} uses the requested representation`, async () => {
      const { id } = await service.create()
      const fields = { ...requiredFields, title: 'New' }
      const json = await dryRun(method, toPath(id), fields, { headers: { Accept: 'application/json' } })
      expect(headerOf(json, 'Content-Type')).toBe('application/json')
      const html = await dryRun(method, toPath(id), fields)
      expect(headerOf(html, 'Content-Type')).toBe('text/html; charset=utf-8')
    })

    test(`${method} is refused as without it`, async () => {
      const record = await service.create()
      const path = toPath(record.id)
      const stale = { 'If-Match': '"other"' }
      expect((await dryRun(method, path, requiredFields, { headers: stale })).status).toBe(412)
      expect((await dryRun(method, path, { ...requiredFields, title: '' })).status).toBe(400)
      expect((await dryRun(method, path, requiredFields, { as: 'editor' })).status).toBe(403)
      expect((await dryRun(method, path, requiredFields, { as: 'none' })).status).toBe(401)
      expect((await dryRun(method, toPath(999_999), requiredFields)).status).toBe(404)
    })
  }

  test('a JSON Patch answers with what would be stored', async () => {
    const { id } = await service.create({ tags: ['a'] })
    const headers = { 'Content-Type': 'application/json-patch+json' }
    const body = JSON.stringify([{ op: 'add', path: '/tags/-', value: 'b' }])
    const answer = await dryRun('PATCH', toPath(id), {}, { headers, body })
    expect([answer.status, parseFields(answer).tags]).toEqual([200, ['a', 'b']])
    expect(parseFields(await service.read(id)).tags).toEqual(['a'])
  })
})

describe('dry_run=1 on PATCH of a category', () => {
  test('answers with the result, and stores nothing', async () => {
    const { id } = await service.create({ category: 'Tried' })
    const [path, before] = ['/api/v2/category/tried', await service.read(id)]
    const changes = { title: 'Renamed', description: 'x' }
    const answer = await dryRun('PATCH', path, changes)
    expect([answer.status, parseFields(answer)]).toMatchObject([200, { ...changes, slug: 'tried' }])
    const category = parseFields(await service.call({ method: 'GET', path, as: 'admin' }))
    expect(category).toMatchObject({ title: 'Tried', description: '' })
    expect((await service.read(id)).body).toBe(before.body)
  })
})

describe('dry_run', () => {
  for (const value of ['true', 'yes', '2', 'x', '01']) {
    test(`=${value} is refused with the name of the parameter, and nothing is stored`, async () => {
      const count = await countAll()
      const call = { method: 'POST', path: `${listPath}?dry_run=${value}`, as: 'publisher' as const }
      const answer = await service.call({ ...call, json: requiredFields })
      expect([answer.status, Object.keys(parseFields(answer).errors ?? {})]).toEqual([400, ['dry_run']])
      const { id } = await service.create()
      const changed = await service.call({
        ...call,
        method: 'PATCH',
        path: `${toPath(id)}?dry_run=${value}`,
        json: { title: 'x' },
      })
      expect(changed.status).toBe(400)
      expect(await countAll()).toBe(count + 1)
    })
  }

  test('left empty counts as none', async () => {
    const call = { method: 'POST', path: `${listPath}?dry_run=`, as: 'publisher' as const, json: requiredFields }
    expect((await service.call(call)).status).toBe(201)
  })
})
