import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, withDatabase } from '../../src/store/open.ts'
import { postgresMigrations, sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { createStore, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { readRows, useCluster } from './databases.ts'

// Runner: slow

const { createAddress } = useCluster()
const folder = mkdtempSync(join(tmpdir(), 'rostrum-upgrade-'))

afterAll(() => rmSync(folder, { recursive: true }))

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
    setSchema: async (db: string, schema: number) => spoil(db, `PRAGMA user_version = ${schema}`),
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
    setSchema: (db: string, schema: number) => runStatement(db, `UPDATE store SET schema = ${schema}`),
  },
] as const

describe.each(kinds)('$kind', ({ known, create, readState, setSchema }) => {
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
    expect(server.stderr()).not.toMatch(/"level":"(?:warn|error)","event":"(?!newer schema)/)
    if (db.startsWith('postgres:')) expect(await readState(db)).toEqual(state)
  }, 60_000)

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
})

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
