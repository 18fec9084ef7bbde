import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, writeFileSync } from 'node:fs'
import { importInto } from '../archive/command.ts'
import { isLong } from '../harness/runs.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { withFolder } from './scratch.ts'

// Runner: long (kill -9 in the middle of bulk changes)

const count = isLong ? 10_000 : 4_000
const rounds = isLong ? 20 : 4

const imported = createFolder()
beforeAll(async () => {
  const talks = Array.from({ length: count }, (_, i) => JSON.stringify({ category: 'Event', title: `Talk ${i}` }))
  writeFileSync(`${imported}/talks.ndjson`, talks.join('\n'))
  await importInto(`${imported}/store.db`, `${imported}/talks.ndjson`)
}, 180_000)
afterAll(() => removeFolder(imported))

const body = {
  select: { query: 'category=event' },
  patch: { language: 'German', tags: { add: ['retagged'] } },
  expect: count,
}

function post({ url, adminKey }: Server, json: object, headers: Record<string, string> = {}): Promise<Response> {
  const all = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json', ...headers }
  return fetch(`${url}/api/v2/batches`, { method: 'POST', headers: all, body: JSON.stringify(json) })
}

/** The batch of an answer once it is done: on a busy machine the answer may be 202. */
async function waitForEnd({ url, adminKey }: Server, answer: Response): Promise<{ readonly [name: string]: unknown }> {
  expect([201, 202]).toContain(answer.status)
  let batch = Object(await answer.json())
  for (let tries = 0; tries < 3_000 && batch.state === 'running'; tries++) {
    await Bun.sleep(10)
    const headers = { Authorization: `Token ${adminKey}` }
    batch = Object(await (await fetch(`${url}/api/v2/batches/${batch.id}`, { headers })).json())
  }
  return batch
}

async function isRunning({ url, adminKey }: Server): Promise<boolean> {
  const answer = await fetch(`${url}/api/v2/batches/2`, { headers: { Authorization: `Token ${adminKey}` } })
  return Object(await answer.json()).state === 'running'
}

/** How many records of the running batches are done, as /metrics tells; it answers while the writer is busy. */
async function readDone({ url }: Server): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^rostrum_batch_records_done (\d+)$/m.exec(text)?.[1])
}

/** Waits until so many records are done, or the whole batch is. */
async function waitForDone(server: Server, wanted: number, hasEnded = async () => false): Promise<number> {
  const until = Date.now() + 60_000
  for (let done = 0; Date.now() < until; done = (await hasEnded()) ? count : await readDone(server)) {
    if (done >= wanted) return done
    await Bun.sleep(5)
  }
  throw new Error(`${wanted} records were not done in time`)
}

/** How many records have how many versions, in the record, in the lists and among the tags; and the batches. */
function readFile(db: string) {
  const file = new Database(db)
  try {
    const numbers = file.query('SELECT version, count(*) FROM record GROUP BY version').values()
    const listed = file.query(`SELECT count(*) FROM listing WHERE language = 'German'`).values()
    const tagged = file.query('SELECT count(*) FROM record_tag').values()
    const found = file.query(`SELECT count(*) FROM search WHERE search MATCH 'tags: retagged'`).values()
    const versions = file.query('SELECT count(*) FROM version WHERE batch > 1').values()
    const batches = file.query('SELECT state, done, records FROM batch WHERE id > 1').values()
    return { numbers, derived: [listed, tagged, found, versions].flat(2), batches }
  } finally {
    file.close()
  }
}

const nothing = { numbers: [[1, count]], derived: [0, 0, 0, 0] }
const everything = { numbers: [[2, count]], derived: [count, count, count, count] }

test(`kill -9 in the middle of a bulk change of ${count} records leaves all or nothing, ${rounds} times`, async () => {
  let cutShort = 0
  for (let round = 0; round < rounds; round++) {
    await withFolder(async (folder) => {
      const db = `${folder}/store.db`
      copyFileSync(`${imported}/store.db`, db)
      const server = await startServer({ db, args: ['--threads', '1'] })
      let status: number | null = null
      const answer = post(server, body).then(
        (response) => {
          status = response.status
        },
        () => undefined,
      )
      // From the first records to the last ones.
      const wanted = 1 + Math.floor((round / rounds) * (count - 1))
      // On a busy machine the answer is 202, and the batch goes on.
      const hasEnded = async () => status === 201 || (status === 202 && !(await isRunning(server)))
      const done = await waitForDone(server, wanted, hasEnded)
      await server.kill9()
      const { batches, ...left } = readFile(db)
      await answer
      if (status === 201 || Bun.deepEquals(left, everything)) {
        expect({ ...left, batches }).toEqual({ ...everything, batches: [['done', count, count]] })
      } else {
        expect({ ...left, batches }).toEqual({ ...nothing, batches: [['running', 0, 0]] })
        cutShort += Number(done < count)
      }
    })
  }
  // Nearly always it was in the middle.
  expect(cutShort).toBeGreaterThan(rounds / 2)
}, 400_000)

test(
  'a bulk change that was interrupted is stopped after the next start, and is made when it is requested again',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/store.db`
      copyFileSync(`${imported}/store.db`, db)
      const headers = { 'Idempotency-Key': 'once' }
      const first = await startServer({ db })
      const answer = post(first, body, headers).catch(() => null)
      await waitForDone(first, 100)
      await first.kill9()
      await answer
      const server = await startServer({ db })
      const read = async (batch: number) => {
        const authorized = { headers: { Authorization: `Token ${server.adminKey}` } }
        return (await fetch(`${server.url}/api/v2/batches/${batch}`, authorized)).json()
      }
      expect(await read(2)).toMatchObject({ kind: 'bulk', state: 'stopped', total: count, done: 0, changed: 0 })
      expect([201, 202]).toContain((await post(server, body, headers)).status)
      for (let tries = 0; tries < 3_000 && Object(await read(3)).state !== 'done'; tries++) await Bun.sleep(10)
      expect(await read(3)).toMatchObject({ state: 'done', done: count, changed: count })
      expect(await read(2)).toMatchObject({ state: 'stopped', changed: 0 })
      expect(await server.stop()).toBe(0)
      const batches = [
        ['stopped', 0, 0],
        ['done', count, count],
      ]
      expect(readFile(db)).toEqual({ ...everything, batches })
    }),
  120_000,
)

test(
  'a bulk change in progress is rolled back and stopped when the server shuts down, and its client gets an error',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/store.db`
      copyFileSync(`${imported}/store.db`, db)
      const server = await startServer({ db })
      const answer = post(server, body)
      await waitForDone(server, 100)
      const sinceMs = performance.now()
      expect(await server.stop()).toBe(0)
      const tookMs = performance.now() - sinceMs
      const told = await answer
      expect([told.status, await told.json()]).toMatchObject([202, { id: 2, state: 'stopped', changed: 0 }])
      expect(readFile(db)).toEqual({ ...nothing, batches: [['stopped', 0, 0]] })
      // Without waiting for the rest of the batch, which the process would not survive on a slow machine.
      expect(tookMs).toBeLessThan(5_000)
    }),
  120_000,
)

test(
  'other writes wait for a bulk change and are stored; reads of records do not wait',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/store.db`
      copyFileSync(`${imported}/store.db`, db)
      const server = await startServer({ db })
      const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
      let isOver = false
      const batch = post(server, body).then(({ status }) => {
        isOver = true
        return status
      })
      await waitForDone(server, 1)
      const patch = fetch(`${server.url}/api/v2/video/5`, { method: 'PATCH', headers, body: '{"summary":"Mine"}' })
      const states: unknown[] = []
      for (let id = 1; !isOver; id = (id % count) + 1) {
        const item = await fetch(`${server.url}/api/v2/video/${id}`, { headers: { Accept: 'application/json' } })
        states.push([item.status, Object(await item.json()).language])
      }
      expect([201, 202]).toContain(await batch)
      const written = await patch
      expect([written.status, await written.json()]).toMatchObject([200, { summary: 'Mine', language: 'German' }])
      // Many reads were answered while the batch ran, with the records as they were.
      expect(states.filter((state) => Bun.deepEquals(state, [200, ''])).length).toBeGreaterThan(10)
      expect(await server.stop()).toBe(0)
    }),
  120_000,
)

test(
  'of two curators with overlapping bulk changes one comes first, and no field is lost',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/store.db`
      copyFileSync(`${imported}/store.db`, db)
      const server = await startServer({ db })
      const ids = Array.from({ length: 1_500 }, (_, i) => i + 1)
      const changes = [
        { select: { ids: ids.slice(0, 1_000) }, patch: { tags: { add: ['one'] }, summary: 'One', language: 'German' } },
        { select: { ids: ids.slice(500) }, patch: { tags: { add: ['two'] }, summary: 'Two', whiteboard: 'Two' } },
      ]
      const answers = await Promise.all(changes.map((change) => post(server, change)))
      const batches = await Promise.all(answers.map((answer) => waitForEnd(server, answer)))
      expect(batches).toMatchObject([{ changed: 1_000 }, { changed: 1_000 }])
      expect(await server.stop()).toBe(0)
      const file = new Database(db, { readonly: true })
      const kinds = file
        .query(
          `SELECT body ->> 'summary', body ->> 'language', body ->> 'whiteboard', body ->> 'tags', count(*)
         FROM (SELECT CAST(body AS TEXT) AS body FROM record WHERE id <= 1500) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2`,
        )
        .values()
      file.close()
      const isFirstOne = Number(batches[0]?.id) < Number(batches[1]?.id)
      const both = isFirstOne ? ['Two', 'German', 'Two', '["one","two"]'] : ['One', 'German', 'Two', '["two","one"]']
      const expected = [
        ['One', 'German', '', '["one"]', 500],
        ['Two', '', 'Two', '["two"]', 500],
        [...both, 500],
      ]
      expect(kinds.map(String).sort()).toEqual(expected.map(String).sort())
    }),
  120_000,
)
