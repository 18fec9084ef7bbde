import { expect, test } from 'bun:test'
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { lockFile } from '../../src/store/sqlite/lock.ts'
import { createStore, readTitles, runRostrum, toTalk } from '../cli/store-command.ts'
import { program } from '../harness/program.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'
import { withFolder } from './scratch.ts'
import { runToEnd, spawnServer } from './spawn.ts'

const toServe = (db: string) => [program, 'serve', '--port', '0', '--threads', '1', '--db', db]

async function expectRefused(db: string, says: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await runToEnd(toServe(db), 20_000)
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: expect.any(Number), stdout: '' })
  expect(exitCode).not.toBe(0)
  expect(stderr).toMatch(says)
}

test('a second server on the same file by a hard link is refused, as is every command, and the first goes on', async () => {
  const server = await startServer()
  const folder = createFolder()
  try {
    const link = `${folder}/link.db`
    linkSync(server.db, link)
    await expectRefused(link, /more than one name/)
    const token = await runRostrum('token', 'list', '--db', link)
    expect(token).toMatchObject({ exitCode: 65, stderr: expect.stringContaining('more than one name') })
    expect(readdirSync(folder)).toEqual(['link.db'])
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    toWritten(await client.create({ title: 'Still here' }))
  } finally {
    await server.stop()
    removeFolder(folder)
  }
})

test('two names of one file share one lock', () =>
  withFolder(async (folder) => {
    writeFileSync(`${folder}/a`, 'x')
    linkSync(`${folder}/a`, `${folder}/b`)
    const first = lockFile(`${folder}/a`)
    expect(first).not.toBeNull()
    expect(lockFile(`${folder}/b`)).toBeNull()
    first?.release()
    lockFile(`${folder}/b`)?.release()
  }))

test('the temporary name of a new store, left by a kill, does not block the store', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    linkSync(db, `${db}.123.0a1b2c3d.new`)
    const server = await spawnServer(toServe(db))
    expect(await server.stop()).toBe(0)
  }))

test('a store that is missing beside its lock is not replaced by an empty one', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    expect(await (await spawnServer(toServe(db))).stop()).toBe(0)
    renameSync(db, `${folder}/elsewhere`)
    await expectRefused(db, /is missing.*records\.db\.lock/)
    const { exitCode } = await runRostrum('import', `${folder}/elsewhere`, '--db', db)
    expect(exitCode).not.toBe(0)
    expect(existsSync(db)).toBe(false)
    renameSync(`${folder}/elsewhere`, db)
    expect(await (await spawnServer(toServe(db))).stop()).toBe(0)
    expect(readTitles(db)).toEqual(['One'])
  }))

test('a start that was killed before it created its store does not block the next one', () =>
  withFolder(async (folder) => {
    mkdirSync(`${folder}/data`)
    writeFileSync(`${folder}/data/records.db.lock`, '')
    expect(await (await spawnServer(toServe(`${folder}/data/records.db`))).stop()).toBe(0)
  }))

/** `lists`: what stands in the log or in memory can still be read. */
type Damage = { readonly what: string; readonly hurt: (server: Server) => void; readonly lists: readonly number[] }

const damages: readonly Damage[] = [
  { what: 'is cut to nothing', hurt: ({ db }) => truncateSync(db, 0), lists: [503] },
  { what: 'is cut short', hurt: ({ db }) => truncateSync(db, 8192), lists: [503] },
  { what: 'is replaced', hurt: replaceFile, lists: [200, 503] },
  { what: 'loses its log', hurt: ({ db }) => rmSync(`${db}-wal`), lists: [200, 503] },
]

async function replaceFile({ db }: Server): Promise<void> {
  await createStore(`${db}.other`, [toTalk('Other')])
  renameSync(`${db}.other`, db)
}

test.each(damages)('no write is acknowledged once the file $what under the server', async ({ hurt, lists }) => {
  const server = await startServer({ args: ['--threads', '1', '--sample'] })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const { id } = toWritten(await client.create({ title: 'Before' }))
    hurt(server)
    // The very next one, without waiting for anybody to look.
    const answers = [await client.patch(id, { summary: 'lost' }), await client.create({ title: 'Lost' })]
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    const list = await ask(server.port, 'GET', `/api/v2/video?page_size=7`)
    expect(lists).toContain(list.status)
    // Whatever is read, it goes on answering: to touch a page of a mapped file that is gone would end the process.
    for (let at = 1; at <= 60; at++) await ask(server.port, 'GET', `/api/v2/video/${at}`)
    expect((await ask(server.port, 'GET', '/healthz')).status).toBe(200)
  } finally {
    await server.kill9()
  }
})
