import { describe, expect, test } from 'bun:test'
import { createToken } from '../harness/server.ts'
import { createBulk } from './bulk-change.ts'
import { type Fields, parseFields, useService } from './service.ts'
import { getNewest, undo } from './versions.ts'

const service = useService({ roles: ['publisher'] })
const { change, dryRun, createMany, readAll } = createBulk(service)

let authors = 0

/** A new author, and what they do. */
async function createAuthor() {
  const name = `author ${++authors}`
  const key = await createToken(service.server(), name, 'publisher')
  const call = async (method: string, path: string, json: Fields) => {
    const headers = { Authorization: `Token ${key}` }
    const answer = await service.call({ method, path: `/api/v2/video${path}`, json, headers })
    expect(answer.status).toBeOneOf([200, 201])
    return parseFields(answer)
  }
  return {
    name,
    patch: (id: unknown, json: Fields) => call('PATCH', `/${id}`, json),
    create: (json: Fields) => call('POST', '', { category: 'Restored', title: 'Theirs', ...json }),
  }
}

const since = '2020-01-01'

describe('A restore', () => {
  test('gives each field the value before the author’s first change, and is undone like any batch', async () => {
    const ids = await createMany(2, { summary: 'Old', tags: ['a'], language: 'German' })
    const author = await createAuthor()
    for (const id of ids) await author.patch(id, { summary: 'Bad', tags: [] })
    await author.patch(ids[0], { summary: 'Worse', state: 2 })
    const body = { select: { by: author.name, since }, restore: true, reason: 'Spam' }
    const told = await dryRun(body)
    expect(told).toMatchObject({ kind: 'restore', total: 2, changed: 2 })
    const batch = await change({ ...body, expect: 2 })
    expect(batch).toMatchObject({ kind: 'restore', by: 'the publisher', reason: 'Spam', changed: 2, left: [] })
    for (const record of await readAll(ids)) expect(record).toMatchObject({ summary: 'Old', tags: ['a'], state: 1 })
    expect(await getNewest(service, ids[1])).toMatchObject({ batch: batch.id, changed: ['tags', 'summary'] })
    const undone = parseFields(await undo(service, batch.id, { as: 'publisher' }))
    expect(undone).toMatchObject({ changed: 2, left: [] })
    expect(await readAll(ids)).toMatchObject([
      { summary: 'Worse', tags: [], state: 2 },
      { summary: 'Bad', tags: [], state: 1 },
    ])
  })

  test('leaves what somebody else has changed since, and what is as before, and names it', async () => {
    const [one = 0, two = 0] = await createMany(2, { summary: 'Old' })
    const author = await createAuthor()
    await author.patch(one, { summary: 'Bad', title: 'Bad', language: 'fr' })
    await service.patch(one, { summary: 'Mended', language: '' })
    await author.patch(two, { summary: 'Bad' })
    await service.patch(two, { summary: 'Old' })
    const batch = await change({ select: { by: author.name, since }, restore: true, expect: 2 })
    expect(batch).toMatchObject({ total: 2, changed: 1, unchanged: 1, left_count: 3 })
    expect(batch.left).toEqual([
      { id: one, fields: ['language'], why: 'already as before' },
      { id: one, fields: ['summary'], why: 'changed since' },
      { id: two, fields: ['summary'], why: 'already as before' },
    ])
    expect(await readAll([one, two])).toMatchObject([
      { summary: 'Mended', title: 'A talk', language: '' },
      { summary: 'Old' },
    ])
  })

  test('goes back to the first change in that time, not before', async () => {
    const [id = 0] = await createMany(1, { summary: 'Old' })
    const author = await createAuthor()
    await author.patch(id, { summary: 'Good' })
    await Bun.sleep(5)
    const { updated } = await author.patch(id, { summary: 'Bad' })
    await author.patch(id, { summary: 'Worse' })
    const select = { by: author.name, since: updated, until: updated }
    expect(await change({ select, restore: true, expect: 1 })).toMatchObject({ changed: 1 })
    expect(await readAll([id])).toMatchObject([{ summary: 'Good' }])
  })

  test('makes a draft of a record that the author created, and keeps its fields', async () => {
    const author = await createAuthor()
    const { id: live } = await author.create({ state: 1, summary: 'Made' })
    const { id: draft } = await author.create({ state: 2 })
    const body = { select: { by: author.name, since }, restore: true, expect: 2 }
    const batch = await change(body)
    expect(batch).toMatchObject({ changed: 1, left: [{ id: draft, fields: ['state'], why: 'already a draft' }] })
    expect(await readAll([Number(live)])).toMatchObject([{ state: 2, summary: 'Made', title: 'Theirs' }])
  })

  test('keeps a player that somebody else has set since', async () => {
    const url = (id: string) => `https://www.youtube.com/watch?v=${id.repeat(11)}`
    const [id = 0] = await createMany(1, { source_url: url('a') })
    const author = await createAuthor()
    await author.patch(id, { source_url: url('b') })
    const embed = '<iframe src="https://example.org/player"></iframe>'
    await service.patch(id, { embed })
    const batch = await change({ select: { by: author.name, since }, restore: true, expect: 1 })
    expect(batch.left).toEqual([{ id, fields: ['embed'], why: 'changed since' }])
    expect(await readAll([id])).toMatchObject([{ source_url: url('a'), embed }])
  })
})
