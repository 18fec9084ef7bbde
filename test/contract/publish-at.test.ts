import { expect, test } from 'bun:test'
import { until } from '../harness/until.ts'
import { listPath, parseFields, toPath, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

const call = (
  method: string,
  id: unknown,
  json?: unknown,
  as: 'reader' | 'editor' | 'publisher' | 'none' = 'publisher',
) => service.call({ method, path: `${toPath(id)}/publish-at`, as, json })

test('A draft becomes live at its time, in the name of the person who set it', async () => {
  const { id } = await service.create({ state: 2 })
  const at = new Date(Date.now() + 1_500).toISOString()
  const answer = await call('PUT', id, { at })
  expect([answer.status, parseFields(answer)]).toMatchObject([200, { at, by: 'the publisher', failure: null }])
  expect(parseFields(await call('GET', id, undefined, 'reader'))).toEqual(parseFields(answer))
  const list = await service.call({ method: 'GET', path: `${listPath}?scheduled=1`, as: 'reader' })
  expect(parseFields(list)).toMatchObject({ count: 1, results: [{ id }] })
  await until('it is live', async () => parseFields(await service.read(id)).state === 1)
  const { body } = await service.call({ method: 'GET', path: `${toPath(id)}/history`, as: 'reader' })
  expect(JSON.parse(body).results[0]).toMatchObject({ by: 'the publisher', reason: 'scheduled' })
  expect(parseFields(await call('GET', id, undefined, 'reader'))).toMatchObject({ at: null, failure: null })
}, 180_000)

test('Who may set the time, and what may be sent', async () => {
  const { id } = await service.create({ state: 2 })
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const at = `${day}T12:00:00Z`
  expect((await call('PUT', id, { at }, 'editor')).status).toBe(403)
  expect((await call('GET', id, undefined, 'none')).status).toBe(401)
  expect((await service.call({ method: 'GET', path: `${listPath}?scheduled=1` })).status).toBe(401)
  for (const body of [
    {},
    { at: 5 },
    { at: day },
    { at: `${day}T12:00:00` },
    { at: 'Tomorrow Z' },
    { at, by: 'x' },
    { at: '2020-01-01T00:00:00Z' },
    { at: '2099-01-01T00:00:00Z' },
  ])
    expect([body, (await call('PUT', id, body)).status]).toEqual([body, 400])
  expect((await call('PUT', id, { at })).status).toBe(200)
  expect(parseFields(await call('DELETE', id))).toMatchObject({ at: null })
  const { id: live } = await service.create({ state: 1 })
  expect((await call('PUT', live, { at })).status).toBe(409)
  expect((await call('PUT', 999_999, { at })).status).toBe(404)
})
