import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, writeFileSync } from 'node:fs'
import { importInto, runRostrum } from '../archive/command.ts'
import { sample } from '../harness/runs.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { withFolder } from './scratch.ts'

// Runner: long (kill -9 in the middle of batches)

/** More than go in one transaction, unless it is about a category. */
const count = 10_500
const cases = [
  { name: 'an undo', method: 'POST', path: '/api/v2/batches/1/undo', body: undefined, isSliced: true },
  {
    name: 'a rename of a name',
    method: 'PATCH',
    path: '/api/v2/speaker/1',
    body: JSON.stringify({ name: 'Anna' }),
    isSliced: true,
  },
  {
    name: 'a merge of events',
    method: 'POST',
    path: '/api/v2/category/event/merge',
    body: JSON.stringify({ into: 'other' }),
    isSliced: false,
  },
  {
    name: 'a rename of an event',
    method: 'PATCH',
    path: '/api/v2/category/event',
    body: JSON.stringify({ title: 'Renamed' }),
    isSliced: false,
  },
] as const
type Case = (typeof cases)[number]

const imported = createFolder()
beforeAll(async () => {
  const talks = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ category: 'Event', title: `Talk ${i}`, speakers: ['Ann'] }),
  )
  talks.push(JSON.stringify({ category: 'Other', title: 'Another' }))
  writeFileSync(`${imported}/talks.ndjson`, talks.join('\n'))
  await importInto(`${imported}/store.db`, `${imported}/talks.ndjson`)
}, 180_000)
afterAll(() => removeFolder(imported))

for (const wanted of sample(cases)) {
  test(
    `${wanted.name} that kill -9 interrupts is stopped, and completes when it is requested again`,
    () =>
      withTalks(async (db) => {
        const first = await startServer({ db })
        const cut = ask(first, wanted).catch(() => null)
        await waitFor(async () => (wanted.isSliced ? readChanged(db) > 0 : (await readBatch(first, 2)).done > 200))
        await first.kill9()
        await cut
        const server = await startServer({ db })
        const stopped = await readBatch(server, 2)
        expect(stopped).toMatchObject({ id: 2, state: 'stopped' })
        expect([stopped.done > 0, stopped.done < count]).toEqual([wanted.isSliced, true])
        expect(readChanged(db)).toBe(stopped.done)
        await expectInOrder(db)
        expect([200, 202]).toContain((await ask(server, wanted)).status)
        await waitFor(async () => (await readBatch(server, 3)).state === 'done')
        expect(await server.stop()).toBe(0)
        expectOnce(db)
        await expectInOrder(db)
      }),
    240_000,
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

async function readBatch(server: Server, id: number): Promise<Batch> {
  const answer = await fetch(`${server.url}/api/v2/batches/${id}`, { headers: toHeaders(server) })
  return answer.status === 200 ? Object(await answer.json()) : { state: 'none', done: 0 }
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 30_000
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error('it did not happen in time')
    await Bun.sleep(10)
  }
}

/** How many records the batch has changed, as far as that is committed. */
function readChanged(path: string): number {
  const db = new Database(path, { readonly: true })
  const [[changed] = []] = db.query('SELECT count(*) FROM version WHERE batch = 2').values()
  db.close()
  return Number(changed)
}

/** Each record was changed once. */
function expectOnce(path: string): void {
  const db = new Database(path, { readonly: true })
  expect(db.query('SELECT count(*) FROM record WHERE version = 2').values()[0]?.[0]).toBeGreaterThanOrEqual(count)
  expect(db.query('SELECT count(*) FROM record WHERE version > 2').values()).toEqual([[0]])
  db.close()
}

async function expectInOrder(db: string): Promise<void> {
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
}
