import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { getTitles, paramsOf } from './list-page.ts'
import { createRenames } from './renamed.ts'
import { type Fields, parseFields, tagOf, useService } from './service.ts'
import { batchPath, getBatches, getHistory, getNewest, undo } from './versions.ts'

// Runner: long checkout

const service = useService({ roles: ['publisher'] })
const { createRenamed, rename, findLastBatch, getCategory, readAll } = createRenames(service)

const lineNames = [
  ...['id', 'at', 'by', 'reason', 'kind', 'state', 'total', 'done', 'changed', 'unchanged'],
  ...['refused', 'refused_count', 'left', 'left_count', 'others', 'records', 'undoes', 'undone_by'],
]

const findBatch = async (id: unknown) => (await getBatches(service, 'page_size=100')).results.find((b) => b.id === id)

/** The undo of a batch, which must succeed: in the shape that the list has. */
async function undoNow(batch: number, query = ''): Promise<Fields> {
  const answer = await undo(service, batch, { query })
  expect([answer.status, headerOf(answer, 'Cache-Control')]).toEqual([200, 'private, no-store'])
  const report = parseFields(answer)
  expect(Object.keys(report)).toEqual(lineNames)
  expect(report).toMatchObject({ kind: 'undo', state: 'done', undoes: batch })
  if (report.id === null) return report
  expect(headerOf(answer, 'Content-Location')).toEndWith(`${batchPath}/${report.id}`)
  expect(await getBatch(report.id)).toEqual(report)
  return report
}

async function getBatch(id: unknown): Promise<Fields> {
  return parseFields(await service.call({ method: 'GET', path: `${batchPath}/${id}`, as: 'admin' }))
}

/** All records of a renamed category went back. */
const whole = { total: 3, done: 3, changed: 3, unchanged: 0, refused: [], left: [], left_count: 0 }

describe('The list of batches', () => {
  test('has a line for each rename, newest first', async () => {
    const { batch, ids, to, slug } = await createRenamed()
    await rename(slug, `${to} again`)
    const { results } = await getBatches(service)
    for (const line of results) expect(Object.keys(line)).toEqual(lineNames)
    const { updated } = parseFields(await service.read(ids[0]))
    const counts = { total: 3, done: 3, changed: 3, unchanged: 0, records: 3, refused: [], left: [] }
    const line = { kind: 'rename category', by: 'the publisher', reason: null, state: 'done', undoes: null, ...counts }
    expect(results.slice(0, 2)).toMatchObject([
      { ...line, id: batch + 1, undone_by: null, at: `${updated}Z` },
      { ...line, id: batch, undone_by: null },
    ])
    const { results: versions } = await getHistory(service, ids[2])
    expect(versions.map((version) => version.batch)).toEqual([batch + 1, batch, null])
    expect(versions[0]).toMatchObject({ changed: ['category'], by: 'the publisher' })
  })

  test('has no line for a change of a category that is not a rename', async () => {
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

  test('has an ETag, which a new batch changes', async () => {
    const call = { method: 'GET', path: batchPath, as: 'admin' as const }
    const headers = { 'If-None-Match': tagOf(await service.call(call)) }
    const again = await service.call({ ...call, headers })
    expect([again.status, again.body]).toEqual([304, ''])
    await createRenamed()
    expect((await service.call({ ...call, headers })).status).toBe(200)
  })
})

describe('Undoing a rename', () => {
  test('without later changes restores everything, as a separate batch', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    expect(await undoNow(batch)).toMatchObject({ id: batch + 1, by: 'ROSTRUM_ADMIN_TOKEN', ...whole })
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
    expect((await getTitles(service, `category=${encodeURIComponent(from)}`)).length).toBe(2)
    expect(await getTitles(service, `category=${encodeURIComponent(to)}`)).toEqual([])
    expect(await findBatch(batch)).toMatchObject({ undoes: null, undone_by: batch + 1 })
    expect(await findBatch(batch + 1)).toMatchObject({ kind: 'undo', undoes: batch, undone_by: null, records: 3 })
    expect(await getNewest(service, ids[0])).toMatchObject({ version: 3, batch: batch + 1, changed: ['category'] })
  })

  test('includes a record that was changed since in other fields, and keeps that change', async () => {
    const { batch, ids, slug, from } = await createRenamed()
    await service.patch(ids[1], { summary: 'Work that must not be lost' })
    expect(await undoNow(batch)).toMatchObject(whole)
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(parseFields(await service.read(ids[1])).summary).toBe('Work that must not be lost')
    expect(await getNewest(service, ids[1])).toMatchObject({ version: 4, changed: ['category'] })
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
  })

  test('keeps a field that was changed since, and names it', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const [, two = 0] = ids
    await service.patch(two, { category: 'A third one' })
    const before = await service.read(two)
    const left = [{ id: two, fields: ['category'], why: 'changed_since' }]
    const counts = { total: 3, done: 3, changed: 2, unchanged: 1, left, left_count: 1 }
    expect(await undoNow(batch)).toMatchObject({ id: batch + 1, ...counts })
    expect(await readAll(ids)).toEqual([from, 'A third one', from])
    const after = await service.read(two)
    expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
    expect(await getTitles(service, `category=${encodeURIComponent(to)}`)).toEqual([])
    expect(await findBatch(batch + 1)).toMatchObject({ records: 2, left })
  })

  test('keeps the new title of the category if a newer record has it', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const { id } = await service.create({ category: to })
    expect(await undoNow(batch)).toMatchObject(whole)
    expect(parseFields(await service.read(id)).category).toBe(to)
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: to })
  })

  test('moves the records to the category that has taken the old title', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    const newcomer = await service.create({ category: from })
    expect(await undoNow(batch)).toMatchObject(whole)
    expect(await readAll([...ids, Number(newcomer.id)])).toEqual([from, from, from, from])
    expect((await getTitles(service, `category=${slug}-2`)).length).toBe(3)
    expect(await getTitles(service, `category=${encodeURIComponent(to)}`)).toEqual([])
  })

  test('of a category without records restores its old title', async () => {
    const { id } = await service.create({ category: 'Emptied' })
    await service.patch(id, { category: 'Elsewhere' })
    await rename('emptied', 'Renamed while empty')
    const batch = await findLastBatch()
    expect(await undoNow(batch)).toMatchObject({ id: batch + 1, total: 0, changed: 0, left: [] })
    expect(await getCategory('emptied')).toMatchObject({ title: 'Emptied' })
  })

  test('twice finds nothing more to restore', async () => {
    const { batch, ids, slug, from } = await createRenamed()
    await undoNow(batch)
    const left = ids.map((id) => ({ id, fields: ['category'], why: 'already_restored' }))
    expect(await undoNow(batch)).toMatchObject({ id: null, changed: 0, unchanged: 3, left, left_count: 3 })
    expect(await getCategory(slug)).toMatchObject({ title: from })
    expect([await findLastBatch(), (await getHistory(service, ids[0])).count]).toEqual([batch + 1, 3])
  })

  test('can be undone itself', async () => {
    const { batch, ids, slug, from, to } = await createRenamed()
    await undoNow(batch)
    expect(await undoNow(batch + 1)).toMatchObject({ id: batch + 2, ...whole })
    expect(await readAll(ids)).toEqual([to, to, to])
    expect(await getCategory(slug)).toMatchObject({ title: to, slug })
    expect(await findBatch(batch + 1)).toMatchObject({ undoes: batch, undone_by: batch + 2 })
    expect(await undoNow(batch + 2)).toMatchObject(whole)
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
  })

  test('is possible for the batch before, once the later one is undone', async () => {
    const { batch, slug, ids, from } = await createRenamed()
    await rename(slug, 'Once more')
    expect(await undoNow(await findLastBatch())).toMatchObject(whole)
    expect(await undoNow(batch)).toMatchObject(whole)
    expect(await readAll(ids)).toEqual([from, from, from])
    expect(await getCategory(slug)).toMatchObject({ title: from, slug })
  })

  test('in a dry run says what would happen, and changes nothing', async () => {
    const { batch, ids, slug, to } = await createRenamed()
    await service.patch(ids[0], { category: 'Elsewhere' })
    const left = [{ id: ids[0], fields: ['category'], why: 'changed_since' }]
    expect(await undoNow(batch, 'dry_run=1')).toMatchObject({ id: null, total: 3, changed: 2, unchanged: 1, left })
    expect([await readAll(ids), await findLastBatch()]).toEqual([['Elsewhere', to, to], batch])
    expect(await getCategory(slug)).toMatchObject({ title: to })
    expect(await findBatch(batch)).toMatchObject({ undone_by: null })
    expect((await undo(service, batch, { query: 'dry_run=yes' })).status).toBe(400)
  })
})
