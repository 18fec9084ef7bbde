import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, writeFileSync } from 'node:fs'
import { importInto, runRostrum } from '../archive/command.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { withFolder } from './scratch.ts'

// Runner: slow

const count = 3_000
const cases = [
  { name: 'an undo', method: 'POST', path: '/api/v2/batches/1/undo', body: undefined },
  { name: 'a rename', method: 'PATCH', path: '/api/v2/category/event', body: JSON.stringify({ title: 'Renamed' }) },
] as const
type Case = (typeof cases)[number]

const imported = createFolder()
beforeAll(async () => {
  const talks = Array.from({ length: count }, (_, i) => JSON.stringify({ category: 'Event', title: `Talk ${i}` }))
  writeFileSync(`${imported}/talks.ndjson`, talks.join('\n'))
  await importInto(`${imported}/store.db`, `${imported}/talks.ndjson`)
}, 60_000)
afterAll(() => removeFolder(imported))

for (const wanted of cases) {
  test(
    `${wanted.name} that kill -9 cuts short is stopped, and done when it is asked for again`,
    () =>
      withTalks(async (db) => {
        const first = await startServer({ db })
        const cut = ask(first, wanted).catch(() => null)
        await waitForProgress(first)
        await first.kill9()
        await cut
        const server = await startServer({ db })
        const stopped = await readBatch(server)
        expect(stopped).toMatchObject({ id: 2, state: 'stopped', total: count })
        expect(stopped.done).toBeGreaterThan(0)
        expect(stopped.done).toBeLessThan(count)
        await expectInOrder(db)
        expect([200, 202]).toContain((await ask(server, wanted)).status)
        await waitFor(async () => (await readBatch(server)).state === 'done')
        expect(await readBatch(server)).toMatchObject({ id: 2, total: count, done: count, changed: count })
        expect(await server.stop()).toBe(0)
        expectOnce(db)
        await expectInOrder(db)
      }),
    120_000,
  )

  test(
    `${wanted.name} is stopped where it is when the server is asked to end`,
    () =>
      withTalks(async (db) => {
        const first = await startServer({ db })
        const answer = ask(first, wanted).catch(() => null)
        await waitForProgress(first)
        expect(await first.stop()).toBe(0)
        await answer
        const server = await startServer({ db })
        const { state, done } = await readBatch(server)
        expect([state === 'stopped' || done === count, state]).toEqual([true, done === count ? 'done' : 'stopped'])
        await server.kill9()
        await expectInOrder(db)
      }),
    120_000,
  )
}

async function withTalks(use: (db: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    copyFileSync(`${imported}/store.db`, `${folder}/store.db`)
    await use(`${folder}/store.db`)
  })
}

const toHeaders = ({ adminKey }: Server) => ({
  Authorization: `Token ${adminKey}`,
  'Content-Type': 'application/json',
})

function ask(server: Server, { method, path, body }: Case): Promise<Response> {
  return fetch(`${server.url}${path}`, { method, headers: toHeaders(server), ...(body === undefined ? {} : { body }) })
}

type Batch = { readonly state: string; readonly done: number }

async function readBatch(server: Server): Promise<Batch> {
  const answer = await fetch(`${server.url}/api/v2/batches/2`, { headers: toHeaders(server) })
  return answer.status === 200 ? Object(await answer.json()) : { state: 'none', done: 0 }
}

const waitForProgress = (server: Server) => waitFor(async () => (await readBatch(server)).done > 0)

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 30_000
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error('it did not happen in time')
    await Bun.sleep(10)
  }
}

/** Each record was changed once, and there is one category. */
function expectOnce(path: string): void {
  const db = new Database(path, { readonly: true })
  expect(db.query('SELECT version, count(*) FROM record GROUP BY version').values()).toEqual([[2, count]])
  expect(db.query('SELECT count(*) FROM category').values()).toEqual([[1]])
  db.close()
}

async function expectInOrder(db: string): Promise<void> {
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
}
