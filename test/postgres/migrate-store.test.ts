import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import { isBlankStore, movedTableNames, rebuiltTables } from '../../src/store/maintain/move-store.ts'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { runRostrum, startRostrum } from '../archive/command.ts'
import { alterStored } from '../archive/stored.ts'
import { program } from '../harness/program.ts'
import { isLong, longTest, sample } from '../harness/runs.ts'
import { createFolder, startServer } from '../harness/server.ts'
import { readRows, useDatabases, withRows } from './databases.ts'
import { createRichStore, readWhole } from './rich-store.ts'

// Runner: slow

const { createAddress } = useDatabases()
const folder = createFolder()
const rich = join(folder, 'rich.db')
const at = (name: string) => join(folder, name)
let keys: Awaited<ReturnType<typeof createRichStore>>

beforeAll(async () => {
  keys = await createRichStore(rich)
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function move(from: string, to: string): Promise<void> {
  const { exitCode, stderr, stdout } = await runRostrum('migrate-store', from, to)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(/^record +\d+ +[0-9a-f]{64}$/m)
}

const isBlank = (db: string) => withRows(db, isBlankStore)

test('there is something of everything to move', async () => {
  for (const [table, rows] of Object.entries(await readWhole(rich)))
    expect([table, rows.length > 0]).toEqual([table, true])
})

test('a file goes to PostgreSQL and back to a file, and on to others of their kind: the same rows everywhere', async () => {
  const before = readFileSync(rich)
  const whole = await readWhole(rich)
  const files = ['back.db', ...(isLong ? ['again.db'] : [])].map(at)
  const stores = [rich, await createAddress(), ...(isLong ? [await createAddress()] : []), ...files]
  for (const [i, to] of stores.entries()) {
    const from = stores[i - 1]
    if (from === undefined) continue
    await move(from, to)
    expect(await readWhole(to)).toEqual(whole)
  }
  expect(readFileSync(rich).equals(before)).toBe(true)
  for (const db of stores) {
    const { exitCode, stdout, stderr } = await runRostrum('doctor', '--db', db)
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: '' })
  }
  for (const db of files) {
    const find = `SELECT rowid FROM search WHERE search MATCH 'zoe' ORDER BY 1`
    expect(await readRows(db, find)).toEqual(await readRows(rich, find))
  }
})

test('afterwards the same keys work, followers go on where they were, and erased ids stay gone', async () => {
  const to = await createAddress()
  await move(rich, to)
  const [old, now] = await Promise.all([startServer({ db: rich }), startServer({ db: to })])
  const paths = ['/api/v2/changes?since=0', '/api/v2/changes?since=9&limit=5', '/api/v2/video?q=zoe', '/api/v2/speaker']
  for (const path of [...paths, '/api/v2/batches', '/api/v2/video/101', '/api/v2/video/102/history']) {
    for (const key of [keys.key, keys.revoked]) {
      const ask = async (url: string) => {
        const answer = await fetch(url + path, {
          headers: { Authorization: `Token ${key}`, Accept: 'application/json' },
        })
        const text = (await answer.text()).replaceAll(url, '')
        return [answer.status, text.replace(/urn:rostrum:request:[^"]+/, '')]
      }
      expect([path, ...(await ask(now.url))]).toEqual([path, ...(await ask(old.url))])
    }
  }
  await Promise.all([old.stop(), now.stop()])
})

test('what is there already stays as it is', async () => {
  const to = await createAddress()
  await runRostrum('token', 'create', '--name', 'only', '--role', 'reader', '--db', to)
  const tokens = await readRows(to, 'SELECT * FROM token')
  expect(await runRostrum('migrate-store', rich, to)).toMatchObject({ exitCode: 73, stdout: '' })
  expect([await readRows(to, 'SELECT * FROM token'), await readRows(to, 'SELECT * FROM version')]).toEqual([tokens, []])
  copyFileSync(rich, at('taken.db'))
  expect(await runRostrum('migrate-store', rich, at('taken.db'))).toMatchObject({ exitCode: 73, stdout: '' })
  expect(readFileSync(at('taken.db')).equals(readFileSync(rich))).toBe(true)
})

test.each([
  [`UPDATE version SET body = CAST(body || ' ' AS BLOB) WHERE seq = 3`, 'checksum'],
  ['UPDATE record SET state = 3 - state WHERE id = 102', '"record"'],
  ['DELETE FROM record WHERE id = 102', 'versions of'],
])('a store that "%s" has spoilt is not moved, and nothing of it is', async (sql, says) => {
  for (const to of [await createAddress(), at(`${crypto.randomUUID()}.db`)]) {
    copyFileSync(rich, at('spoilt.db'))
    alterStored(at('spoilt.db'), sql)
    const { exitCode, stderr } = await runRostrum('migrate-store', at('spoilt.db'), to)
    expect([exitCode, stderr]).toEqual([65, expect.stringContaining(says)])
    expect(stderr).toContain('Nothing was stored')
    expect(await isBlank(to)).toBe(true)
  }
})

/** So many that there is time to cut it off. */
const filled = isLong ? 2_000 : 1_000

test.each(sample(['SIGKILL', 'SIGINT'] as const))(
  'whatever is cut off by %s leaves an empty store, which takes it later',
  async (signal) => {
    const from = at(`${signal}.db`)
    await createDatabase(from)
    await fill(from, filled, () => undefined)
    for (const to of [await createAddress(), at(`${signal}-to.db`)]) {
      for (const stage of ['Copying', 'Rebuilding']) {
        const child = Bun.spawn([program, 'migrate-store', from, to], { stdout: 'ignore', stderr: 'pipe' })
        const decoder = new TextDecoder()
        let said = ''
        for await (const chunk of child.stderr) {
          said += decoder.decode(chunk)
          if (said.includes(stage)) break
        }
        child.kill(signal)
        await child.exited
        expect([stage, await isBlank(to)]).toEqual([stage, true])
      }
      await move(from, to)
      expect(await readRows(to, 'SELECT count(*) AS n FROM version')).toEqual([{ n: filled }])
    }
  },
  120_000,
)

test('a store that is served may be moved, but not into one', async () => {
  const served = await startServer({ db: at('served.db') })
  await move(served.db, at('copy.db'))
  expect(await runRostrum('migrate-store', rich, served.db)).toMatchObject({ exitCode: 69 })
  await served.stop()
})

test.each([
  [['migrate-store'], 64],
  [['migrate-store', 'a.db', 'b.db', 'c.db'], 64],
  [['migrate-store', 'nowhere.db', 'b.db'], 66],
  [['migrate-store', rich, rich], 64],
  [['migrate-store', rich, 'postgres://rostrum@127.0.0.1:1/none'], 69],
])('rostrum %j ends with %d', async (args, code) => {
  expect((await runRostrum(...args)).exitCode).toBe(code)
  expect(existsSync('b.db')).toBe(false)
})

/** Records whose bytes are many and whose words are few. */
async function fillWithLong(path: string, records: number): Promise<void> {
  await createDatabase(path)
  const writer = createWriter({ db: openForWriting(path, 0), now: Date.now, onError: rethrow })
  const notes = 'x'.repeat(200_000)
  for (let n = 1; n <= records; n++) {
    const changes = { category: 'Event', title: `Talk ${n}`, quality_notes: `${n} ${notes}` }
    await writer.run([{ kind: 'create', author: { name: 'test', role: 'admin' }, changes }], new Set())
  }
  await writer.close()
}

function rethrow(error: unknown): never {
  throw error
}

longTest(
  'memory does not grow with the store',
  async () => {
    const peaks: number[] = []
    for (const records of [300, 800]) {
      const from = at(`size-${records}.db`)
      await fillWithLong(from, records)
      const { exitCode, peakBytes } = await startRostrum(['migrate-store', from, await createAddress()]).ended
      expect(exitCode).toBe(0)
      peaks.push(peakBytes)
    }
    // By then it is as large as it gets; five hundred more of them have 100 MB.
    expect((peaks[1] ?? 0) - (peaks[0] ?? 0)).toBeLessThan(50_000_000)
  },
  300_000,
)

test('every table of both engines is moved or made anew, except sessions', async () => {
  const to = await createAddress()
  await move(rich, to)
  const known = new Set<string>([...movedTableNames, ...rebuiltTables])
  const file = openForReading(rich)
  const sql = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite%'`
  const files = file.query<{ name: string }, []>(sql).all()
  file.close()
  const tables = await readRows(
    to,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
  )
  const names = [...files, ...tables].map(({ name }) => String(name))
  expect(names.filter((name) => !known.has(name) && !['store', 'session'].includes(name))).toEqual([])
})
