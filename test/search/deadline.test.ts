import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { toGeneratedStore } from '../../bench/generate.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

// Runner: long, one engine, slow (what takes long is in memory, and the same on every engine)

const records = 5_000
const list = '/api/v2/video?page_size=5&match=best&q='

let folder = ''
let server: Server
beforeAll(async () => {
  folder = createFolder()
  const db = `${folder}/records.db`
  copyFileSync(await toGeneratedStore(records, () => undefined), db)
  server = await startServer({ db, args: ['--threads', '1', '--list-ms', '10'] })
}, 120_000)
afterAll(async () => {
  await server.kill9()
  removeFolder(folder)
})

const get = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`)
  return { status: answer.status, text: await answer.text() }
}

test('a search that exceeds its time limit is 503, and later ones are answered', async () => {
  // The index is not loaded yet, which takes longer than any search may.
  const first = await Promise.all(['testing', 'pyhton data', 'asycnio'].map((query) => get(`${list}${query}`)))
  expect(first.map(({ status }) => status)).toContain(503)
  expect(first.filter(({ status }) => status !== 503 && status !== 200)).toEqual([])
  expect((await get('/api/v2/video/1')).status).toBe(200)
  await until('the index is loaded', async () => (await get(`${list}xyzzyplugh`)).status === 200, { everyMs: 50 })
  const costly = Array.from({ length: 16 }, (_, i) => `mispelligs${String.fromCharCode(97 + i)}`).join('+')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      get(`${list}${costly}&facets=speaker,tag,year&highlight=1&duration_max=${9_000 + i}`),
    ),
  )
  expect(answers.filter(({ status }) => status !== 503 && status !== 200)).toEqual([])
  // A busy machine may need more than one try within so short a time.
  await until('a search is answered', async () => (await get(`${list}the`)).status === 200, { everyMs: 50 })
}, 180_000)
