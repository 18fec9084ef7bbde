import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { getTitles, paramsOf } from './list-page.ts'
import { type Fields, fail, parseFields, type Role, tagOf, useService } from './service.ts'
import { batchPath, getBatches, getHistory, getNewest, undo } from './versions.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const lineNames = ['id', 'kind', 'at', 'by', 'reason', 'records', 'undoes', 'undone_by']

type Renamed = {
  readonly batch: number
  readonly slug: string
  readonly ids: readonly number[]
  readonly from: string
  readonly to: string
}

let made = 0

/** A category of two live records and a draft that has got a new title. */
async function createRenamed(): Promise<Renamed> {
  made += 1
  const [from, to, slug] = [`Old ${made}`, `New ${made}`, `old-${made}`]
  const ids: number[] = []
  for (const state of [1, 1, 2]) ids.push(Number((await service.create({ category: from, state })).id))
  await rename(slug, to)
  return { batch: await findLastBatch(), slug, ids, from, to }
}

async function rename(slug: string, title: string): Promise<void> {
  const call = { method: 'PATCH', path: `/api/v2/category/${slug}`, as: 'publisher' as const, json: { title } }
  const answer = await service.call(call)
  if (answer.status !== 200) fail(`Renaming ${slug} got ${answer.status}: ${answer.body}`)
}

async function findLastBatch(): Promise<number> {
  const { results } = await getBatches(service, 'page_size=1')
  return Number(results[0]?.id ?? fail('There is no batch'))
}

const findBatch = async (id: unknown) => (await getBatches(service, 'page_size=100')).results.find((b) => b.id === id)

async function getCategory(slug: string): Promise<Fields> {
  return parseFields(await service.call({ method: 'GET', path: `/api/v2/category/${slug}`, as: 'admin' }))
}

const readAll = (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => parseFields(await service.read(id)).category))

/** The report of an undo that must succeed. */
async function undoNow(batch: number, query = ''): Promise<Fields> {
  const answer = await undo(service, batch, { query })
  expect([answer.status, headerOf(answer, 'Cache-Control')]).toEqual([200, 'private, no-store'])
  return parseFields(answer)
}

describe('The list of batches', () => {
  test('has a line for each rename, newest first', async () => {
    const { batch, ids, to, slug } = await createRenamed()
    await rename(slug, `${to} again`)
    const { results } = await getBatches(service)
    for (const line of results) expect(Object.keys(line)).toEqual(lineNames)
    const { updated } = parseFields(await service.read(ids[0]))
    const line = { kind: 'rename category', by: 'the publisher', reason: null, records: 3, undoes: null }
    expect(results.slice(0, 2)).toMatchObject([
      { ...line, id: batch + 1, undone_by: null, at: updated },
      { ...line, id: batch, undone_by: null },
    ])
    const { results: versions } = await getHistory(service, ids[2])
    expect(versions.map((version) => version.batch)).toEqual([batch + 1, batch, null])
    expect(versions[0]).toMatchObject({ changed: ['category'], by: 'the publisher' })
  })

  test('has no line for a change of a category that is no rename', async () => {
    const { slug, batch, to } = await createRenamed()
    const call = { method: 'PATCH', path: `/api/v2/category/${slug}`, as: 'publisher' as const }
    await service.call({ ...call, json: { description: 'x' } })
    await service.call({ ...call, json: { title: to } })
    expect(await findLastBatch()).toBe(batch)
  })

  test('comes in pages', async () => {
    for (let count = 0; count < 3; count += 1) await createRenamed()
    const first = await getBatches(service, 'page_size=2')
    expect([first.results.length, first.previous]).toEqual([2, null])
    const second = await getBatches(service, paramsOf(first.next).toString())
    expect(Number(second.results[0]?.id)).toBe(Number(first.results[1]?.id) - 1)
    const last = await getBatches(service, 'page=last&page_size=2')
    expect([last.next, last.results.at(-1)?.id, last.count]).toEqual([null, 1, first.count])
    const past = Math.ceil(first.count / 2) + 1
    const call = { method: 'GET', path: `${batchPath}?page_size=2&page=${past}`, as: 'admin' as const }
    expect((await service.call(call)).status).toBe(404)
  })

  test('has a tag, which a new batch changes', async () => {
    const call = { method: 'GET', path: batchPath, as: 'admin' as const }
    const headers = { 'If-None-Match': tagOf(await service.call(call)) }
    const again = await service.call({ ...call, headers })
    expect([again.status, again.body]).toEqual([304, ''])
    await createRenamed()
    expect((await service.call({ ...call, headers })).status).toBe(200)
  })
})

describe('Undoing a rename', () => {
  test('that nobody has built on puts everything back, as a batch of its own', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    expect(await undoNow(batch)).toEqual({ batch: batch + 1, undoes: batch, restored: ids, left: [] })
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
    expect((await getTitles(service, `category=${encodeURIComponent(from)}`)).length).toBe(2)
    expect(await getTitles(service, `category=${encodeURIComponent(to)}`)).toEqual([])
    expect(await findBatch(batch)).toMatchObject({ undoes: null, undone_by: batch + 1 })
    expect(await findBatch(batch + 1)).toMatchObject({ kind: 'undo', undoes: batch, undone_by: null, records: 3 })
    expect(await getNewest(service, ids[0])).toMatchObject({ version: 3, batch: batch + 1, changed: ['category'] })
  })

  test('leaves records alone that were changed since, and the category its new title', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const [one = 0, two = 0, three = 0] = ids
    await service.patch(two, { summary: 'Work that must not be lost' })
    const before = await service.read(two)
    const left = [{ id: two, version: 3, why: 'changed since' }]
    expect(await undoNow(batch)).toEqual({ batch: batch + 1, undoes: batch, restored: [one, three], left })
    expect(await readAll(ids)).toEqual([from, to, from])
    const after = await service.read(two)
    expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
    expect(await getCategory(slug)).toMatchObject({ title: to, slug })
    expect(await getCategory(`${slug}-2`)).toMatchObject({ title: from })
    expect(await findBatch(batch + 1)).toMatchObject({ records: 2 })
  })

  test('leaves the category its new title where a newer record has it', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const { id } = await service.create({ category: to })
    expect(await undoNow(batch)).toMatchObject({ restored: ids, left: [] })
    expect(parseFields(await service.read(id)).category).toBe(to)
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: to })
  })

  test('puts the records into the category that has taken the old title', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const newcomer = await service.create({ category: from })
    expect(await undoNow(batch)).toMatchObject({ restored: ids, left: [] })
    expect(await readAll([...ids, Number(newcomer.id)])).toEqual([from, from, from, from])
    expect((await getTitles(service, `category=${slug}-2`)).length).toBe(3)
    expect(await getTitles(service, `category=${encodeURIComponent(to)}`)).toEqual([])
  })

  test('of a category without records gives it its old title back', async () => {
    const { id } = await service.create({ category: 'Emptied' })
    await service.patch(id, { category: 'Elsewhere' })
    await rename('emptied', 'Renamed while empty')
    const batch = await findLastBatch()
    expect(await undoNow(batch)).toMatchObject({ undoes: batch, restored: [], left: [] })
    expect(await getCategory('emptied')).toMatchObject({ title: 'Emptied' })
  })

  test('twice finds nothing more to put back', async () => {
    const { batch, ids, slug, from } = await createRenamed()
    await undoNow(batch)
    const left = ids.map((id) => ({ id, version: 3, why: 'changed since' }))
    expect(await undoNow(batch)).toEqual({ batch: null, undoes: batch, restored: [], left })
    expect(await getCategory(slug)).toMatchObject({ title: from })
    expect([await findLastBatch(), (await getHistory(service, ids[0])).count]).toEqual([batch + 1, 3])
  })

  test('can be undone itself', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    await undoNow(batch)
    expect(await undoNow(batch + 1)).toEqual({ batch: batch + 2, undoes: batch + 1, restored: ids, left: [] })
    expect(await readAll(ids)).toEqual([to, to, to])
    expect(await getCategory(slug)).toMatchObject({ title: to, slug })
    expect(await findBatch(batch + 1)).toMatchObject({ undoes: batch, undone_by: batch + 2 })
    expect(await undoNow(batch + 2)).toMatchObject({ restored: ids })
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
  })

  test('goes on to the batch before, once the later one is undone', async () => {
    const { batch, slug, ids, from } = await createRenamed()
    await rename(slug, 'Once more')
    expect(await undoNow(await findLastBatch())).toMatchObject({ restored: ids, left: [] })
    expect(await undoNow(batch)).toMatchObject({ restored: ids, left: [] })
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
  })

  test('in a dry run tells what would be, and changes nothing', async () => {
    const { batch, ids, slug, to } = await createRenamed()
    await service.patch(ids[0], { summary: 'x' })
    const left = [{ id: ids[0], version: 3, why: 'changed since' }]
    expect(await undoNow(batch, 'dry_run=1')).toEqual({ batch: null, undoes: batch, restored: ids.slice(1), left })
    expect([await readAll(ids), await findLastBatch()]).toEqual([[to, to, to], batch])
    expect(await getCategory(slug)).toMatchObject({ title: to })
    expect(await findBatch(batch)).toMatchObject({ undone_by: null })
    expect((await undo(service, batch, { query: 'dry_run=yes' })).status).toBe(400)
  })
})

describe('Who may undo', () => {
  const roles: readonly (readonly [Role, number])[] = [
    ['none', 401],
    ['wrong', 401],
    ['reader', 403],
    ['editor', 403],
    ['publisher', 403],
    ['admin', 200],
  ]
  for (const [as, status] of roles) {
    test(`${as} gets ${status} for the list and for an undo`, async () => {
      const { batch, ids, to } = await createRenamed()
      const list = await service.call({ method: 'GET', path: batchPath, as })
      expect([list.status, (await undo(service, batch, { as })).status]).toEqual([status, status])
      if (status !== 200) expect(await readAll(ids)).toEqual([to, to, to])
    })
  }
})
