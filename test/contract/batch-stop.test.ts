import { expect, test } from 'bun:test'
import { withFolder } from '../faults/scratch.ts'
import { headerOf } from '../harness/raw.ts'
import { importServed, writeRecords } from './importing.ts'
import { type Fields, parseFields, type Role, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: slow, long PostgreSQL

const service = useService({ roles: ['publisher'] })

/** More than go in one transaction, unless it is about a category. */
const count = 10_200
const timeoutMs = 240_000

const call = (method: string, path: string, as: Role = 'admin', json?: Fields) =>
  service.call({ method, path, as, ...(json === undefined ? {} : { json }) })

async function readBatch(id: unknown): Promise<Fields> {
  return parseFields(await call('GET', `${batchPath}/${id}`))
}

/** The newest batch, once some of its records are done. */
async function findRunning(kind: string): Promise<Fields> {
  const until = Date.now() + timeoutMs
  while (Date.now() < until) {
    const { results } = parseFields(await call('GET', `${batchPath}?page_size=1`))
    const [batch]: Fields[] = Array.isArray(results) ? results : []
    if (batch?.kind === kind && Number(batch.done) > 0 && batch.state === 'running') return batch
    await Bun.sleep(5)
  }
  throw new Error(`no ${kind} was seen running`)
}

/** Sends a request that makes a batch, and stops it while it runs. */
async function stopWhile(kind: string, method: string, path: string, json?: Fields) {
  const { url } = service.server()
  const headers = { Authorization: `Token ${service.keyOf('admin')}`, 'Content-Type': 'application/json' }
  const asked = fetch(`${url}${path}`, {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const { id } = await findRunning(kind)
  const notTheirs = await call('POST', `${batchPath}/${id}/stop`, 'publisher')
  expect([notTheirs.status, parseFields(notTheirs).detail]).toEqual([
    403,
    expect.stringContaining('may stop or undo it'),
  ])
  const tried = await call('POST', `${batchPath}/${id}/stop?dry_run=1`)
  expect([tried.status, parseFields(tried).id]).toEqual([200, id])
  const stopped = await call('POST', `${batchPath}/${id}/stop`)
  expect([200, 202]).toContain(stopped.status)
  expect(headerOf(stopped, 'Content-Location')).toBe(`${url}${batchPath}/${id}`)
  for (let tries = 0; tries < 400 && (await readBatch(id)).state === 'running'; tries++) await Bun.sleep(50)
  expect((await asked).status).toBe(202)
  expect((await call('POST', `${batchPath}/${id}/stop`)).status).toBe(200)
  return readBatch(id)
}

async function countOf(query: string): Promise<unknown> {
  return parseFields(await call('GET', `/api/v2/video?${query}&page_size=1`)).count
}

test(
  'A running batch can be stopped: one transaction is rolled back, slices stop and can be undone',
  () =>
    withFolder(async (folder) => {
      const talks = Array.from({ length: count }, (_, i) => ({
        category: 'Large',
        title: `Talk ${i}`,
        speakers: ['Ann'],
      }))
      await importServed(service, writeRecords(folder, 'large.ndjson', talks))
      const renamed = await stopWhile('rename category', 'PATCH', '/api/v2/category/large', { title: 'Renamed' })
      expect(renamed).toMatchObject({ state: 'stopped', total: count, changed: 0 })
      expect([await countOf('category=Large'), await countOf('category=Renamed')]).toEqual([count, 0])
      const undone = await stopWhile('undo', 'POST', `${batchPath}/1/undo`)
      expect(undone).toMatchObject({ state: 'stopped', total: count, undoes: 1 })
      expect(await countOf('state=2')).toBe(undone.changed)
      expect(await readBatch(1)).toMatchObject({ undone_by: null })
      const back = parseFields(await call('POST', `${batchPath}/${undone.id}/undo`))
      expect(back).toMatchObject({ undoes: undone.id, total: undone.changed })
      const done = await call('POST', `${batchPath}/1/stop`)
      expect([done.status, parseFields(done).detail]).toEqual([409, expect.stringContaining('is done')])
    }),
  timeoutMs,
)

test('Only a batch can be stopped', async () => {
  expect((await call('POST', `${batchPath}/999999/stop`)).status).toBe(404)
  expect((await call('POST', `${batchPath}/x/stop`)).status).toBe(404)
  expect((await call('POST', `${batchPath}/1/stop`, 'none')).status).toBe(401)
  expect((await call('GET', `${batchPath}/1/stop`)).status).toBe(405)
})
