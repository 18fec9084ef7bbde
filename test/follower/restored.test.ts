import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { waitFor } from '../contract/event-stream.ts'
import { clusterUrl, createFreshStore } from '../harness/fresh-store.ts'
import { program } from '../harness/program.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'

const followerProgram = join(import.meta.dir, 'follower.ts')
const modes = ['pages', 'stream'] as const
const folder = createFolder()
afterAll(() => removeFolder(folder))

async function rostrum(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn([program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [err, code] = await Promise.all([child.stderr.text(), child.exited])
  expect({ code, err }).toMatchObject({ code: 0 })
}

/** An older copy of a store, and the way to put it back, as whoever runs it would do it. */
async function copyStore(db: string): Promise<() => Promise<void>> {
  const cluster = clusterUrl
  if (cluster === null) {
    const copy = join(folder, 'copy.db')
    await rostrum('backup', copy, '--db', db)
    return () => rostrum('restore', copy, '--replace', '--db', db)
  }
  const name = new URL(db).pathname.slice(1)
  await runInCluster(cluster, [`CREATE DATABASE ${name}_copy TEMPLATE ${name}`])
  return async () => {
    const create = `CREATE DATABASE ${name} TEMPLATE ${name}_copy`
    await runInCluster(cluster, [`DROP DATABASE ${name}`, create, `DROP DATABASE ${name}_copy`])
    await rostrum('store', 'new-id', '--db', db)
  }
}

async function runInCluster(cluster: string, statements: readonly string[]): Promise<void> {
  const client = postgres(cluster, { max: 1, onnotice: () => undefined })
  for (const statement of statements) await client.unsafe(statement)
  await client.end({ timeout: 1 })
}

async function write({ url, adminKey }: Server, method: string, path: string, fields: object): Promise<void> {
  const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/api/v2/video${path}`, { method, headers, body: JSON.stringify(fields) })
  expect([200, 201]).toContain(answer.status)
}

async function readSource({ url }: Server, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, i) => i + 1)
  return Promise.all(ids.map(async (id) => (await fetch(`${url}/api/v2/video/${id}?format=json`)).text()))
}

function readCopy(mode: string): readonly string[] {
  const db = new Database(join(folder, `${mode}.db`), { strict: true })
  db.run('PRAGMA busy_timeout = 2000')
  const rows = db.query<{ body: Uint8Array }, []>('SELECT body FROM record ORDER BY id').all()
  db.close()
  return rows.map(({ body }) => Buffer.from(body).toString())
}

/** Lets both kinds of followers run until each has a copy of what the server has, then ends them. */
async function follow(server: Server, count: number): Promise<void> {
  const wanted = await readSource(server, count)
  const children = modes.map((mode) =>
    Bun.spawn([process.execPath, followerProgram, server.url, join(folder, `${mode}.db`), mode], {
      stdio: ['ignore', 'ignore', 'ignore'],
    }),
  )
  const isSame = (mode: string) => {
    try {
      return Bun.deepEquals(readCopy(mode), wanted)
    } catch {
      // Its program has not made the tables yet.
      return false
    }
  }
  const isDone = await waitFor(() => modes.every(isSame), 15_000)
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map((child) => child.exited))
  if (!isDone) for (const mode of modes) expect([mode, readCopy(mode)]).toEqual([mode, wanted])
}

test('a follower misses nothing when an older copy of the store is put back, whatever its number is by then', async () => {
  const count = 12
  const store = await createFreshStore()
  const first = await startServer({ db: store.db })
  for (let id = 1; id <= count; id++) await write(first, 'POST', '', { category: 'C', title: `T${id}`, state: 1 })
  const stopped = clusterUrl === null ? null : await first.stop()
  const putBack = await copyStore(store.db)
  const again = stopped === null ? first : await startServer({ db: store.db })
  for (const id of [1, 2, 3]) await write(again, 'PATCH', `/${id}`, { summary: 'will be lost' })
  await follow(again, count)
  await again.stop()
  await putBack()
  const second = await startServer({ db: store.db })
  // More changes than were lost: the last number that the followers know is taken again.
  for (const id of [4, 5, 6, 7]) await write(second, 'PATCH', `/${id}`, { summary: 'after the restore' })
  await follow(second, count)
  await second.stop()
  await store.remove()
}, 90_000)
