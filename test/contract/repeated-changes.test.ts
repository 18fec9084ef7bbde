import { describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, fail, parseFields, type Role, tagOf, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })

interface Sent {
  readonly key?: string
  readonly as?: Role
  readonly etag?: string
}

function send(method: string, target: string, json: Fields | undefined, { key, as = 'publisher', etag }: Sent = {}) {
  const headers = {
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(etag === undefined ? {} : { 'If-Match': etag }),
  }
  return service.call({ method, path: `/api/v2/${target}`, as, headers, ...(json === undefined ? {} : { json }) })
}

const keyReused = 'This Idempotency-Key was used with a different body. Use a new key for a new request.'

const ask = (target: string) => send('GET', target, undefined)

/** Makes a record, and returns its id and that of its only tag. */
async function createTagged(tag: string): Promise<{ readonly id: number; readonly tagId: number }> {
  const { id } = await service.create({ tags: [tag] })
  const found = resultsOf(await ask(`tag?q=${tag}`)).find(({ name }) => name === tag) ?? fail(`no tag ${tag}`)
  return { id: Number(id), tagId: Number(found.id) }
}

const toOutcome = (answer: RawAnswer) => [answer.status, parseFields(answer).id, parseFields(answer).changed]
const countBatches = async () => parseFields(await ask('batches?page_size=1')).count

describe('A request with an Idempotency-Key that comes again', () => {
  test('changes a category once, whatever others have done since', async () => {
    await service.create({ category: 'Once renamed' })
    const change = { title: 'Renamed once', description: 'By p' }
    const first = await send('PATCH', 'category/once-renamed', change, { key: 'category' })
    const others = { title: 'Renamed by others', description: 'By others' }
    expect((await send('PATCH', 'category/once-renamed', others, { as: 'admin' })).status).toBe(200)
    const batches = await countBatches()
    const again = await send('PATCH', 'category/once-renamed', change, { key: 'category' })
    expect([first.status, again.status, await countBatches()]).toEqual([200, 200, batches])
    expect(parseFields(await ask('category/once-renamed'))).toMatchObject(others)
    const other = await send('PATCH', 'category/once-renamed', { title: 'Another' }, { key: 'category' })
    expect([other.status, parseFields(other).detail]).toEqual([400, keyReused])
  })

  test('changes a category without a new title once', async () => {
    await service.create({ category: 'Once described' })
    const path = 'category/once-described'
    expect((await send('PATCH', path, { description: 'First' }, { key: 'described' })).status).toBe(200)
    expect((await send('PATCH', path, { description: 'Later' }, { as: 'admin' })).status).toBe(200)
    expect((await send('PATCH', path, { description: 'First' }, { key: 'described' })).status).toBe(200)
    expect(parseFields(await ask(path)).description).toBe('Later')
    expect(resultsOf(await ask(`${path}/history`))).toHaveLength(3)
  })

  test('changes nothing if there was nothing to change the first time', async () => {
    const { id, tagId } = await createTagged('unchanged-tag')
    await service.patch(id, { whiteboard: 'as it is' })
    const change = { select: { ids: [id] }, patch: { whiteboard: 'as it is' } }
    const first = await send('POST', 'batches', change, { key: 'nothing' })
    await service.patch(id, { whiteboard: 'changed by others' })
    const again = await send('POST', 'batches', change, { key: 'nothing' })
    expect([toOutcome(first), toOutcome(again)]).toEqual([
      [200, null, 0],
      [200, null, 0],
    ])
    expect(Object.keys(parseFields(again))).toEqual(Object.keys(parseFields(first)))
    expect(parseFields(await service.read(id)).whiteboard).toBe('changed by others')
    const other = await send('POST', 'batches', { ...change, reason: 'other' }, { key: 'nothing' })
    expect([other.status, parseFields(other).detail]).toEqual([400, keyReused])

    expect((await send('PATCH', `tag/${tagId}`, { name: 'unchanged-tag' }, { key: 'same-name' })).status).toBe(200)
    expect((await send('PATCH', `tag/${tagId}`, { name: 'tag of others' }, { as: 'admin' })).status).toBe(200)
    expect((await send('PATCH', `tag/${tagId}`, { name: 'unchanged-tag' }, { key: 'same-name' })).status).toBe(200)
    expect(parseFields(await service.read(id)).tags).toEqual(['tag of others'])
  })

  test('and its selection or records have changed, still changes nothing', async () => {
    const { id } = await createTagged('partial-tag')
    const change = { select: { query: 'tag=partial-tag' }, expect: 1, partial: true, patch: { language: 'English' } }
    await service.patch(id, { language: 'English' })
    expect(toOutcome(await send('POST', 'batches', change, { key: 'partial' }))).toEqual([200, null, 0])
    await service.create({ tags: ['partial-tag'], language: 'German' })
    expect(toOutcome(await send('POST', 'batches', change, { key: 'partial' }))).toEqual([200, null, 0])
    expect(resultsOf(await ask('video?tag=partial-tag&language=German'))).toHaveLength(1)
  })

  test('undoes nothing if there was nothing to undo the first time', async () => {
    const { id } = await createTagged('undone-tag')
    const made = await send('POST', 'batches', { select: { ids: [id] }, patch: { whiteboard: 'by batch' } })
    const undo = `batches/${parseFields(made).id}/undo`
    await service.patch(id, { whiteboard: 'later' })
    expect(toOutcome(await send('POST', undo, undefined, { key: 'undo' }))).toEqual([200, null, 0])
    await service.patch(id, { whiteboard: 'by batch' })
    expect(toOutcome(await send('POST', undo, undefined, { key: 'undo' }))).toEqual([200, null, 0])
    expect(parseFields(await service.read(id)).whiteboard).toBe('by batch')
  })

  test('is not judged by the ETag that it has changed itself', async () => {
    const { tagId } = await createTagged('tag-before')
    const etag = tagOf(await ask(`tag/${tagId}`))
    const rename = () => send('PATCH', `tag/${tagId}`, { name: 'tag after' }, { key: 'renamed', etag })
    expect([(await rename()).status, (await rename()).status]).toEqual([200, 200])
    expect((await send('PATCH', `tag/${tagId}`, { name: 'tag later' }, { key: 'stale', etag })).status).toBe(412)

    await service.create({ category: 'Tagged before' })
    const path = 'category/tagged-before'
    const before = tagOf(await ask(path))
    const describe = () => send('PATCH', path, { description: 'After' }, { key: 'category-etag', etag: before })
    expect([(await describe()).status, (await describe()).status]).toEqual([200, 200])
    expect((await send('PATCH', path, { description: 'Later' }, { key: 'new-key', etag: before })).status).toBe(412)
  })
})

describe('The undo of a batch', () => {
  async function createBatch(): Promise<string> {
    const { id } = await service.create({})
    const made = await send('POST', 'batches', { select: { ids: [id] }, patch: { whiteboard: 'noted' } })
    return `${batchPath.slice('/api/v2/'.length)}/${parseFields(made).id}/undo`
  }

  test('takes a reason in its body, as the batch does', async () => {
    const answer = await send('POST', await createBatch(), { reason: 'A mistake' })
    expect([answer.status, parseFields(answer).reason]).toEqual([200, 'A mistake'])
  })

  const wrong: readonly (readonly [string, string, string, number])[] = [
    ['another member', 'application/json', '{"reasons": "x"}', 400],
    ['broken JSON', 'application/json', '{"reason"', 400],
    ['no object', 'application/json', '["x"]', 400],
    ['a long reason', 'application/json', JSON.stringify({ reason: 'x'.repeat(501) }), 400],
    ['another type', 'text/plain', 'because', 415],
  ]
  test.each(wrong)('refuses a body with %s, and undoes nothing', async (_, type, body, status) => {
    const path = await createBatch()
    const headers = { 'Content-Type': type }
    const answer = await service.call({ method: 'POST', path: `/api/v2/${path}`, as: 'publisher', headers, body })
    expect(answer.status).toBe(status)
    expect(parseFields(await ask(path.replace(/\/undo$/, ''))).undone_by).toBeNull()
  })
})
