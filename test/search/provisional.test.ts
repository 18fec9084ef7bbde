import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { toGeneratedStore } from '../../bench/generate.ts'
import { toWord } from '../../bench/generated/words.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

// Runner: long, one engine, slow (what is loaded is in memory, and the same on every engine)

const records = 5_000
/** A word that every third record has. */
const path = `/api/v2/video?page_size=20&fields=id&q=${toWord(20)}`

let folder = ''
let server: Server
beforeAll(async () => {
  folder = createFolder()
  const db = `${folder}/records.db`
  copyFileSync(await toGeneratedStore(records, () => undefined), db)
  server = await startServer({ db, args: ['--threads', '1', '--index-snapshot', 'off'] })
}, 120_000)
afterAll(async () => {
  await server.kill9()
  removeFolder(folder)
})

const readPage = async () => (await fetch(`${server.url}/search?q=${toWord(20)}`)).text()
const note = 'The search is still being prepared, so results are incomplete.'

async function get(target: string) {
  const answer = await fetch(`${server.url}${target}`)
  const json = (await answer.json()) as { readonly results: unknown; readonly count_is?: string }
  return { isKept: answer.headers.get('Cache-Control') !== 'no-store', json }
}

test('a page whose order is not final, shortly after a start, is not cached, and one of the site says so', async () => {
  const first = await get(path)
  expect(first.json.results).toHaveLength(20)
  for (let i = 0; i < 10; i++) {
    await get(path)
    const page = await readPage()
    if (page.includes('<p>At least ')) expect(page).toContain(note)
  }
  await until('the index is loaded', async () => (await get(`${path}&match=best`)).json.count_is === undefined)
  // Each query thread loads its own. A page that was cached too early would never become the same as the other.
  const isSame = async () => {
    const [again, other] = [await get(path), await get(`${path}&page=1`)]
    return again.isKept && Bun.deepEquals(again.json.results, other.json.results)
  }
  await until('both pages have the final order', isSame)
  const final = await get(path)
  expect([final.isKept, await isSame()]).toEqual([true, true])
  expect(await readPage()).not.toContain(note)
  if (first.isKept) expect(first.json.results).toEqual(final.json.results)
}, 180_000)
