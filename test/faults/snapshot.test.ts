import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { Changes } from '../../src/record/record.ts'
import { createStore, runRostrum, toTalk } from '../cli/store-command.ts'
import { runs } from '../harness/runs.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { withFolder } from './scratch.ts'

// Runner: long (kills programs, a minute; store/snapshot has what a snapshot holds)

const timeoutMs = 120_000
/** More than can be written in time. */
const sparseBytes = 2 ** 40
/** More than a store of so few records can have. */
const largeBytes = 32 << 20
const patience = { timeoutMs: 60_000 }
const secret = 'zxqvsecret'
/** A few more than a store must have to get a snapshot. */
const talks: readonly Changes[] = Array.from({ length: 1_200 }, (_, i) => toTalk(`Talk ${i + 1} ${secret}${i + 1}`))

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const isWritten = (db: string) => until('the snapshot is written', () => sizeOf(`${db}.search`) > 10_000, patience)

interface Page {
  readonly count: number
  readonly results: readonly { readonly id: number }[]
}

/** On a busy machine, a list may not be read in time while the indexes are loaded. */
async function search(url: string, words: string): Promise<Page> {
  let response: Response | null = null
  await until('the search is answered', async () => {
    response = await fetch(`${url}/api/v2/video?match=best&q=${words}`)
    // Right after a start some records may not be loaded yet, and the answer says so.
    return response.status === 200 && !(await response.clone().text()).includes('"count_is"')
  })
  // The contract says so.
  return (await (response ?? Response.error()).json()) as Page
}

const listReports = (log: string) => log.split('\n').filter((line) => line.includes('index snapshot'))

test(
  'a server writes an index snapshot, and finds the same with it after the next start',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, talks)
      const server = await startServer({ db })
      await isWritten(db)
      const found = await search(server.url, `${secret}77+talk`)
      await server.stop()
      expect(statSync(`${db}.search`).mode & 0o777).toBe(0o600)
      const { mtimeMs } = statSync(`${db}.search`)
      const again = await startServer({ db })
      expect(found.results[0]?.id).toBe(77)
      expect(await search(again.url, `${secret}77+talk`)).toEqual(found)
      expect(await again.stop()).toBe(0)
      expect(statSync(`${db}.search`).mtimeMs).toBe(mtimeMs)
      expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
      expect(await runRostrum('backup', `${folder}/backup.db`, '--db', db)).toMatchObject({ exitCode: 0 })
      expect(await runRostrum('restore', `${folder}/backup.db`, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
      const restored = await startServer({ db })
      expect(await search(restored.url, `${secret}77+talk`)).toEqual(found)
      expect(await restored.stop()).toBe(0)
    }),
  timeoutMs,
)

test(
  'a purge leaves no word of the record in the snapshot, whether or not a server is running',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, talks)
      const server = await startServer({ db })
      await isWritten(db)
      const isKept = (id: number) => readFileSync(`${db}.search`).includes(`${secret}${id}`)
      expect(isKept(1007)).toBe(true)
      expect(await runRostrum('purge', '1007', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
      expect(isKept(1007)).toBe(false)
      await server.stop()
      const again = await startServer({ db })
      await isWritten(db)
      await again.stop()
      expect([isKept(1007), isKept(1008)]).toEqual([false, true])
      expect(await runRostrum('purge', '1008', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
      expect(sizeOf(`${db}.search`)).toBe(0)
      expect(readdirSync(folder).filter((name) => name.startsWith('records.db.search'))).toEqual(['records.db.search'])
    }),
  timeoutMs,
)

test(
  'kill -9 at any moment leaves a snapshot that is whole, or none',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, talks)
      for (let round = 0; round < runs(5); round++) {
        const server = await startServer({ db })
        await Bun.sleep(Math.random() * 1_500)
        await server.kill9()
      }
      const server = await startServer({ db })
      expect((await search(server.url, `${secret}77`)).results[0]?.id).toBe(77)
      await isWritten(db)
      await server.stop()
      expect(listReports(server.stderr())).toEqual([])
    }),
  timeoutMs,
)

test.each([
  ['a sparse file', false, sparseBytes],
  ['a sparse file that begins as one', true, sparseBytes],
  ['a file that is far too large and begins as one', true, largeBytes],
] as const)(
  '%s in place of the snapshot takes no room and no time',
  (_, beginsAsOne, size) =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, talks)
      const path = `${db}.search`
      let head = Buffer.alloc(0)
      if (beginsAsOne) {
        const first = await startServer({ db })
        await isWritten(db)
        await first.stop()
        head = readFileSync(path).subarray(0, 4096)
      }
      writeFileSync(path, head)
      if (size === sparseBytes) truncateSync(path, size)
      else writeFileSync(path, Buffer.concat([head, Buffer.alloc(size - head.length, 'x')]))
      const server = await startServer({ db, args: ['--threads', '1', '--query-threads', '1'] })
      expect((await search(server.url, `${secret}77`)).results[0]?.id).toBe(77)
      await until('it is replaced', () => sizeOf(path) > 10_000 && sizeOf(path) < size, patience)
      expect(await server.stop()).toBe(0)
      expect(listReports(server.stderr())).toHaveLength(1)
      expect(server.stderr()).not.toContain('did not stop')
    }),
  timeoutMs,
)

test(
  'a purge removes such a file at once',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, [toTalk('One')])
      writeFileSync(`${db}.search`, '')
      truncateSync(`${db}.search`, sparseBytes)
      expect(await runRostrum('purge', '1', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
      expect(existsSync(`${db}.search`)).toBe(false)
    }),
  timeoutMs,
)

test(
  'a snapshot that is damaged or cannot be written is reported once, and searches work',
  () =>
    withFolder(async (folder) => {
      const db = `${folder}/records.db`
      await createStore(db, talks)
      const path = `${db}.search`
      writeFileSync(path, 'something else')
      const damaged = await startServer({ db, args: ['--threads', '1', '--query-threads', '2'] })
      expect((await search(damaged.url, `${secret}77`)).results[0]?.id).toBe(77)
      await until('it is replaced', () => existsSync(path) && statSync(path).size > 10_000, patience)
      await damaged.stop()
      expect(listReports(damaged.stderr())).toHaveLength(1)
      const args = ['--threads', '1', '--index-snapshot', `${folder}/missing/x.search`]
      const without = await startServer({ db, args })
      expect((await search(without.url, `${secret}77`)).results[0]?.id).toBe(77)
      await until('it is reported', () => without.stderr().includes('index snapshot'), patience)
      await without.stop()
      expect(listReports(without.stderr())).toHaveLength(1)
    }),
  timeoutMs,
)
