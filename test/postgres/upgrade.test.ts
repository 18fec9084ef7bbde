import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openEngine, withDatabase } from '../../src/store/open.ts'
import { postgresMigrations, sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { runToEnd } from '../faults/spawn.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { createNextVersion } from '../harness/next-version.ts'
import { longTest, sample } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { readRows, useDatabases } from './databases.ts'

// Runner: slow

const { createAddress } = useDatabases()
const folder = mkdtempSync(join(tmpdir(), 'rostrum-upgrade-'))
const talks = join(folder, 'talks.ndjson')
/** The version after the one under test, and one whose upgrade takes seconds. */
let [next, slow] = ['', '']

beforeAll(() => {
  next = createNextVersion(join(folder, 'next'), { rows: 10 })
  slow = createNextVersion(join(folder, 'slow'), { rows: 800_000 })
  writeFileSync(talks, `${JSON.stringify(toTalk('Third'))}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const runNext = (...args: readonly string[]) => runToEnd([next, ...args], 50_000)
const createFile = async () => {
  const db = join(mkdtempSync(join(folder, 'store-')), 'talks.db')
  await createStore(db, [toTalk('First'), toTalk('Second')])
  return db
}

const kinds = [
  {
    kind: 'a file',
    known: sqliteMigrations.length,
    create: createFile,
    /** What no refused command may change: every byte. */
    readState: async (db: string) =>
      ['', '-wal'].map((end) => (existsSync(`${db}${end}`) ? Bun.hash(readFileSync(`${db}${end}`)) : null)),
    readSchema: async (db: string) => {
      const raw = new Database(db)
      const schema = raw.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
      raw.close()
      return schema
    },
    setSchema: async (db: string, schema: number) => spoil(db, `PRAGMA user_version = ${schema}`),
    servedText: 'is being served by another Rostrum process',
  },
  {
    kind: 'PostgreSQL',
    known: postgresMigrations.length,
    async create() {
      const address = await createAddress()
      expect(await runRostrum('migrate-store', await createFile(), address)).toMatchObject({ exitCode: 0 })
      return address
    },
    readState: async (db: string) => [
      await readRows(db, 'SELECT * FROM store'),
      await readRows(db, 'SELECT * FROM token'),
      await readRows(db, 'SELECT id, mark FROM record ORDER BY id'),
    ],
    readSchema: async (db: string) => (await readRows(db, 'SELECT schema_number FROM store'))[0]?.schema_number,
    setSchema: (db: string, schema: number) => runStatement(db, `UPDATE store SET schema_number = ${schema}`),
    servedText: '1 node has it open (127.0.0.1)',
  },
] as const

describe.each(sample(kinds))('$kind', ({ known, create, readState, readSchema, setSchema, servedText }) => {
  const schemas = `has schema ${known}, and this program needs ${known + 1}`

  test('commands of a newer version refuse it and change nothing', async () => {
    const db = await create()
    const before = await readState(db)
    const commands = [
      ['token', 'list'],
      ['token', 'create', '--name', 'ann', '--role', 'admin'],
      ['export', '--format', 'ndjson', '--out', join(folder, 'never.ndjson')],
      ['import', talks],
      ['import', talks, '--dry-run'],
      ['bulk', '--ids', '1', '--patch', '{"language": "English"}', '--dry-run'],
      ['purge', '1', '--yes'],
      ['store', 'new-id'],
      ['doctor', '--rebuild'],
    ]
    for (const command of commands) {
      const { exitCode, stderr } = await runNext(...command, '--db', db)
      expect([command, exitCode]).toEqual([command, 75])
      expect(stderr).toContain(`${schemas}. Nothing was changed. Stop its servers, then run: rostrum upgrade --db `)
    }
    const moved = await runNext('migrate-store', db, join(folder, 'never.db'))
    expect(moved).toMatchObject({ exitCode: 75, stderr: expect.stringContaining(schemas) })
    expect(await readState(db)).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
  }, 180_000)

  test('an older schema is not damage, and damage in it is found', async () => {
    const db = await create()
    const old = await runNext('doctor', '--db', db)
    expect(old).toMatchObject({ exitCode: 75, stdout: '' })
    expect(old.stderr).toContain('No problems found')
    expect(old.stderr).toContain(schemas)
    expect(old.stderr).toContain('upgrade --db ')
    const sql = 'DELETE FROM version WHERE seq = 1'
    await (db.startsWith('postgres:') ? runStatement(db, sql) : spoil(db, sql))
    const damaged = await runNext('doctor', '--db', db)
    expect(damaged).toMatchObject({ exitCode: 65, stdout: 'record 1: version 1 is missing\n' })
    expect(await readSchema(db)).toBe(known)
  }, 180_000)

  test('upgrade brings it to the new schema, once; the older version then refuses it', async () => {
    const db = await create()
    const upgraded = await runNext('upgrade', '--db', db)
    expect(upgraded).toMatchObject({ exitCode: 0 })
    expect(upgraded.stderr).toMatch(new RegExp(`Upgraded .* from schema ${known} to ${known + 1} in \\d+ ms`))
    expect(await readSchema(db)).toBe(known + 1)
    expect(await runNext('upgrade', '--db', db)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('There is nothing to upgrade'),
    })
    expect(await runNext('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(await runNext('token', 'list', '--db', db)).toMatchObject({ exitCode: 0 })
    for (const command of ['upgrade', 'serve', 'doctor']) {
      const { exitCode, stderr } = await runRostrum(command, '--db', db)
      expect({ command, exitCode, stderr }).toMatchObject({
        exitCode: 65,
        stderr: expect.stringContaining('newer Rostrum'),
      })
    }
  }, 180_000)

  test('while it is served nothing upgrades it; a newer server does that when it starts alone, and logs it', async () => {
    const db = await create()
    const server = await startServer({ db })
    for (const command of ['upgrade', 'serve']) {
      const { exitCode, stderr } = await runNext(command, '--db', db)
      expect({ command, exitCode, stderr }).toMatchObject({ exitCode: 69, stderr: expect.stringContaining(servedText) })
    }
    expect(await readSchema(db)).toBe(known)
    expect((await patch(server, 1)).status).toBe(200)
    await server.stop()
    const newer = await startServer({ db, program: next })
    const [event] = findEvents(newer, 'upgraded')
    expect(event).toMatchObject({ level: 'info', from: known, to: known + 1, ms: expect.any(Number) })
    expect((await patch(newer, 1)).status).toBe(200)
    await newer.stop()
    const again = await startServer({ db, program: next })
    expect(findEvents(again, 'upgraded')).toEqual([])
    await again.stop()
    expect(await runNext('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }, 180_000)

  test('a server whose store was upgraded beneath it answers writes 503, says so once, and goes on reading', async () => {
    const db = await create()
    const server = await startServer({ db })
    expect((await patch(server, 1)).status).toBe(200)
    await setSchema(db, known + 1)
    const state = await readState(db)
    await until('the server has noticed it without a write', () => findEvents(server, 'newer schema').length > 0)
    for (const id of [1, 2, 1]) {
      const answer = await patch(server, id)
      expect([answer.status, await answer.json()]).toMatchObject([503, { type: 'urn:rostrum:problem:newer_schema' }])
    }
    expect(await signIn(server)).toBe(503)
    const ready = await fetch(`${server.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'a newer Rostrum has upgraded the store; restart this server as that version' },
    ])
    expect((await fetch(`${server.url}/api/v2/video/1`)).status).toBe(200)
    expect((await fetch(`${server.url}/api/v2/video?q=second`)).status).toBe(200)
    await server.stop()
    expect(findEvents(server, 'newer schema')).toHaveLength(1)
    expect(findEvents(server, 'newer schema')[0]?.why).toContain(`to schema ${known + 1}; this one knows ${known}`)
    expect(server.stderr()).not.toMatch(/"level":"(?:warn|error)","event":"(?!newer schema|unsafe database)/)
    if (db.startsWith('postgres:')) expect(await readState(db)).toEqual(state)
  }, 180_000)

  test('a command that is running during an upgrade writes nothing more', async () => {
    const db = await create()
    const engine = await openEngine(db)
    await withDatabase(engine, 'write', async (open) => {
      await open.transaction('write', async () => undefined)
      await setSchema(db, known + 1)
      const writing = open.transaction('write', () => open.script('DELETE FROM version'))
      await expect(writing).rejects.toThrow(`to schema ${known + 1}; this one knows ${known}`)
    })
    await setSchema(db, known)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0 })
  })

  longTest(
    'kill -9 in the middle of an upgrade leaves the old schema, whole',
    async () => {
      const db = await create()
      const child = Bun.spawn([slow, 'upgrade', '--db', db], { stdio: ['ignore', 'ignore', 'ignore'] })
      await until('the migration is running', async () => {
        if (!db.startsWith('postgres:')) return existsSync(`${db}-wal`) && statSync(`${db}-wal`).size > 2_000_000
        return (
          (await readRows(db, `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE TABLE made_up%'`)).length > 0
        )
      })
      child.kill('SIGKILL')
      await child.exited
      expect(child.signalCode).toBe('SIGKILL')
      expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
      expect(await readSchema(db)).toBe(known)
      const server = await startServer({ db })
      expect((await patch(server, 1)).status).toBe(200)
      await server.stop()
    },
    60_000,
  )
})

test('a file is copied before an upgrade, with its log; the older version serves the copy', async () => {
  const db = await createFile()
  const known = sqliteMigrations.length
  const copy = `${db}.schema-${known}`
  // A connection that is open keeps the last change in the log.
  const other = new Database(db)
  other.run(
    `INSERT INTO token (name, role, hash, created) VALUES ('in the log', 'admin', x'00', '2024-05-01T00:00:00.000')`,
  )
  const upgraded = await runNext('upgrade', '--db', db)
  other.close()
  expect(upgraded).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`kept as ${copy}`) })
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(db)).filter((name) => name.startsWith(basename(copy)))).toEqual([basename(copy)])
  expect((await runRostrum('token', 'list', '--db', copy)).stdout).toContain('in the log')
  expect(await runRostrum('doctor', '--db', copy)).toMatchObject({ exitCode: 0 })
  expect(await runRostrum('restore', copy, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
  expect(readTitles(db)).toEqual(['First', 'Second'])
  const taken = await runNext('upgrade', '--db', db)
  expect(taken.exitCode).toBe(73)
  expect(taken.stderr).toMatch(/talks\.db\.schema-\d+ exists already.*--upgrade-copy off/)
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0 })
  rmSync(copy)
  const server = await startServer({ db, program: next, args: ['--upgrade-copy', 'off'] })
  await server.stop()
  expect(findEvents(server, 'upgraded')).toMatchObject([{ copy: null }])
  expect(existsSync(copy)).toBe(false)
}, 180_000)

test('a backup of an older schema can be restored, and is upgraded when it is served; it replaces no store before', async () => {
  const db = await createFile()
  const [copy, again] = [`${db}.backup`, `${db}.again`]
  expect(await runNext('backup', copy, '--db', db)).toMatchObject({ exitCode: 0 })
  expect(await runNext('restore', copy, '--db', again)).toMatchObject({ exitCode: 0 })
  const server = await startServer({ db: again, program: next })
  expect(findEvents(server, 'upgraded')).toHaveLength(1)
  await server.stop()
  expect(await runNext('doctor', '--db', again)).toMatchObject({ exitCode: 0, stdout: '' })
  expect(await runNext('restore', copy, '--replace', '--db', again)).toMatchObject({ exitCode: 75 })
  expect(await runNext('purge', '1', '--yes', '--db', again)).toMatchObject({ exitCode: 0 })
  expect(await runNext('upgrade', '--db', copy)).toMatchObject({ exitCode: 0 })
  // The first was erased in the store that is there, so it is in what comes back.
  expect(await runNext('restore', copy, '--replace', '--db', again)).toMatchObject({ exitCode: 0 })
  expect(readTitles(again)).toEqual(['Second'])
}, 180_000)

test('an upgrade that was interrupted goes on with the copy that it has made', async () => {
  const db = await createFile()
  const copy = `${db}.schema-${sqliteMigrations.length}`
  const child = Bun.spawn([slow, 'upgrade', '--db', db], { stdio: ['ignore', 'ignore', 'ignore'] })
  await until('the migration is running', async () => existsSync(`${db}-wal`) && statSync(`${db}-wal`).size > 2_000_000)
  child.kill('SIGKILL')
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  const made = readFileSync(copy)
  const upgraded = await runNext('upgrade', '--db', db)
  expect(upgraded).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`kept as ${copy}`) })
  expect(readFileSync(copy).equals(made)).toBe(true)
  expect(readdirSync(dirname(db)).filter((name) => name.endsWith('.new'))).toEqual([])
}, 180_000)

test('a file whose name leaves no room for that of its copy is not upgraded', async () => {
  const made = await createFile()
  const db = join(dirname(made), `${'n'.repeat(235)}.db`)
  renameSync(made, db)
  const { exitCode, stderr } = await runNext('upgrade', '--db', db)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 73, stderr: expect.stringContaining('name is too long') })
  expect(readTitles(db)).toEqual(['First', 'Second'])
}, 180_000)

test('the next start removes what a killed upgrade or restore has left, and nothing else', async () => {
  const db = await createFile()
  const child = Bun.spawn(['true'])
  await child.exited
  const left = [`${db}.${child.pid}.0123abcd.new`, `${db}.schema-1.${child.pid}.0123abcd.new-journal`]
  const kept = [`${db}.${process.pid}.0123abcd.new`, `${db}.${child.pid}.mine.new`, `${db}x.${child.pid}.0123abcd.new`]
  for (const path of [...left, ...kept]) writeFileSync(path, '')
  const server = await startServer({ db })
  await server.stop()
  expect([...left, ...kept].filter((path) => existsSync(path))).toEqual(kept)
}, 180_000)

test('a file without room for its copy is not upgraded', async () => {
  const db = await createFile()
  const disk = `${db}.disk`
  const script =
    'mkdir "$1" && mount -t tmpfs -o size="$2" tmpfs "$1" && cp "$3" "$1/a.db" && "$4" upgrade --db "$1/a.db"'
  const size = String(Math.ceil(statSync(db).size * 1.5))
  const run = (...flags: readonly string[]) =>
    runToEnd(['unshare', '--mount', ...flags, 'sh', '-c', script, 'sh', disk, size, db, next], 50_000)
  const asRoot = await run()
  const ended = asRoot.stderr.includes('unshare:') ? await run('--map-root-user') : asRoot
  expect(ended.exitCode).toBe(73)
  expect(ended.stderr).toMatch(/no room for a copy.*--upgrade-copy off/)
}, 180_000)

longTest(
  'nodes that start together on an older schema upgrade it once',
  async () => {
    const db = await kinds[1].create()
    const nodes = await Promise.all([1, 2].map(() => startServer({ db, program: slow })))
    expect(nodes.flatMap((node) => findEvents(node, 'upgraded'))).toHaveLength(1)
    for (const node of nodes) await node.stop()
  },
  60_000,
)

function patch(server: Server, id: number): Promise<Response> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ whiteboard: crypto.randomUUID() })
  return fetch(`${server.url}/api/v2/video/${id}`, { method: 'PATCH', headers, body })
}

/** A session is stored by the writer, too. */
async function signIn(server: Server): Promise<number> {
  const headers = { Origin: server.url }
  const body = new FormData()
  body.set('key', server.adminKey)
  return (await fetch(`${server.url}/edit/sign-in`, { method: 'POST', headers, body, redirect: 'manual' })).status
}

function findEvents(server: Server, event: string): { readonly [name: string]: unknown }[] {
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).filter((line) => line.event === event)
}
