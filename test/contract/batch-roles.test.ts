import { describe, expect, test } from 'bun:test'
import { createRenames } from './renamed.ts'
import { parseFields, type Role, useService } from './service.ts'
import { batchPath, getHistory, undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { createRenamed, findLastBatch, getCategory, readAll } = createRenames(service)

describe('An undo with an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'undo-once' }

  test('is done once, with the same response', async () => {
    const { batch, ids } = await createRenamed()
    const first = await undo(service, batch, { headers })
    const again = await undo(service, batch, { headers })
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect([await findLastBatch(), (await getHistory(service, ids[0])).count]).toEqual([batch + 1, 3])
  })

  test('is refused if the key was used for another request', async () => {
    const { batch } = await createRenamed()
    expect((await undo(service, batch, { headers })).status).toBe(400)
    const create = { method: 'POST', path: '/api/v2/video', as: 'admin' as const, json: { category: 'C', title: 'T' } }
    expect((await service.call({ ...create, headers })).status).toBe(400)
    await service.call({ ...create, headers: { 'Idempotency-Key': 'create-once' } })
    expect((await undo(service, batch, { headers: { 'Idempotency-Key': 'create-once' } })).status).toBe(400)
    expect(await findLastBatch()).toBe(batch)
  })
})

describe('Who may see and undo', () => {
  /** The batch is the publisher's. */
  const roles: readonly (readonly [Role, list: number, read: number, undone: number])[] = [
    ['none', 401, 401, 401],
    ['wrong', 401, 401, 401],
    ['reader', 200, 403, 403],
    ['editor', 200, 403, 403],
    ['publisher', 200, 200, 200],
    ['admin', 200, 200, 200],
  ]
  for (const [as, ...statuses] of roles) {
    test(`${as}: the list ${statuses[0]}, the batch ${statuses[1]}, an undo ${statuses[2]}`, async () => {
      const { batch, ids, to } = await createRenamed()
      const list = await service.call({ method: 'GET', path: batchPath, as })
      const read = await service.call({ method: 'GET', path: `${batchPath}/${batch}`, as })
      const undone = await undo(service, batch, { as })
      expect([list.status, read.status, undone.status]).toEqual([...statuses])
      if (undone.status !== 200) expect(await readAll(ids)).toEqual([to, to, to])
      if (undone.status === 403) expect(parseFields(undone).detail).toBe(whoUndoes)
    })
  }

  const whoUndoes = 'Only the author of a batch or an admin may stop or undo it.'

  test('a publisher sees batches of others, and can undo none of them', async () => {
    const { batch, slug } = await createRenamed()
    await undo(service, batch)
    const mine = await service.call({ method: 'GET', path: `${batchPath}?page_size=1`, as: 'publisher' })
    expect(parseFields(mine)).toMatchObject({ results: [{ id: batch + 1, by: 'ROSTRUM_ADMIN_TOKEN' }] })
    const refused = await undo(service, batch + 1, { as: 'publisher' })
    expect([refused.status, parseFields(refused).detail]).toEqual([403, whoUndoes])
    expect(await getCategory(slug)).toMatchObject({ title: expect.stringMatching(/^Old/) })
  })

  test('the list of an editor has no batches of others', async () => {
    await createRenamed()
    const list = await service.call({ method: 'GET', path: batchPath, as: 'editor' })
    expect(parseFields(list)).toMatchObject({ count: 0, results: [] })
  })
})
