import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import { createLogger } from '../../src/http/logger.ts'
import { createSharedBuffers, startThreads, type Threads } from '../../src/serve/threads.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'
import type { Costs } from './counting-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-cost-'))
const channel = new BroadcastChannel('costs')
const threadCount = 3
let threads: Threads
let url = ''

beforeAll(async () => {
  const db = join(folder, 'records.db')
  await createDatabase(db)
  await fill(db, 20, () => undefined)
  const port = await findFreePort()
  const read = readConfig(
    new Map(Object.entries({ db, port: String(port), threads: '1', 'query-threads': '1', auth: 'local' })),
    {},
  )
  if (!read.ok) throw new Error(read.problems.join())
  const { adminToken: _, ...config } = read.config
  const shared = createSharedBuffers(1)
  const rest = { adminKeyHash: null, port, reusePort: false, version: '0', uptimeMs: 0 }
  threads = startThreads({
    store: {
      engine: 'sqlite',
      address: db,
      query: { ...config, listeningUrl: '', site: null },
      snapshot: null,
      hasLowPriority: true,
    },
    httpThreads: 1,
    queryThreads: 1,
    shared,
    toPlan: (thread) => ({ thread, config, site: null, engine: 'sqlite', shared, ...rest }),
    createWorker,
    log: createLogger(Date.now),
    onRestartLimit: () => process.exit(1),
  })
  await threads.ready
  url = `http://127.0.0.1:${port}/api/v2/video`
})
afterAll(async () => {
  await threads.stop()
  channel.close()
  rmSync(folder, { recursive: true, force: true })
})

function createWorker(program: URL): Worker {
  const env = { COUNTED_THREAD: basename(program.pathname, '-thread.ts') }
  return new Worker(program, { preload: [join(import.meta.dir, 'counting-thread.ts')], env })
}

describe('A GET of a record', () => {
  test('runs one statement when the record is cold, and none when it is hot', async () => {
    expect((await spend(() => get('/3'))).statements).toBe(1)
    expect((await spend(() => get('/3'))).statements).toBe(0)
    expect((await spend(() => get('/3', { Accept: 'application/json', Origin: 'http://a.example' }))).statements).toBe(
      0,
    )
  })

  test('sends no message to another thread', async () => {
    const costs = await spend(() => get('/4'))
    expect([costs.asks, costs.replies]).toEqual([0, 0])
  })

  test('runs none when the record is hot and the client gets a 304', async () => {
    const tag = (await get('/5')).headers.get('ETag') ?? ''
    expect((await spend(() => get('/5', { 'If-None-Match': tag }))).statements).toBe(0)
  })

  test('runs one if there is no record, and one to find whether it was erased', async () => {
    expect((await spend(() => get('/404404'))).statements).toBe(2)
  })

  test('runs none after a change that this thread handled', async () => {
    await patch(6)
    expect((await spend(() => get('/6'))).statements).toBe(0)
  })
})

test('a write is one message to the writer and one back; the HTTP thread reads nothing for it', async () => {
  const { statements, asks, replies } = await spend(() => patch(7))
  expect({ asks, replies, statements }).toEqual({ asks: 1, replies: 1, statements: 0 })
})

test('for a write with a precondition the HTTP thread reads the record once, and not for the next', async () => {
  for (const read of [1, 0, 0]) {
    const { statements, asks, replies } = await spend(() => patch(8, { 'If-Match': '*' }))
    expect({ asks, replies, statements }).toEqual({ asks: 1, replies: 1, statements: read })
  }
})

test('a list is one message to the query thread and one back, and the HTTP thread runs no statement for it', async () => {
  const { statements, asks, listed } = await spend(() => get('?page_size=5&q=the'))
  expect({ statements, asks, listed }).toEqual({ statements: 0, asks: 1, listed: 1 })
})

interface Spent {
  /** What the HTTP thread ran itself. */
  readonly statements: number
  /** Messages of the HTTP thread, of the writer and of the query thread. */
  readonly asks: number
  readonly replies: number
  readonly listed: number
}

async function spend(action: () => Promise<unknown>): Promise<Spent> {
  const before = await readCosts()
  await action()
  const after = await readCosts()
  const between = (thread: string, what: 'statements' | 'messages') =>
    (after.get(thread)?.[what] ?? Number.NaN) - (before.get(thread)?.[what] ?? Number.NaN)
  return {
    statements: between('http', 'statements'),
    asks: between('http', 'messages'),
    replies: between('writer', 'messages'),
    listed: between('query', 'messages'),
  }
}

/** What each thread has done so far. */
function readCosts(): Promise<ReadonlyMap<string, Costs>> {
  const costs = new Map<string, Costs>()
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: { readonly data: Costs }) => {
      costs.set(data.thread, data)
      if (costs.size === threadCount) resolve(costs)
    }
    channel.postMessage('costs?')
  })
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(`${url}${path}`, { headers })
  await answer.arrayBuffer()
  expect([200, 304, 404]).toContain(answer.status)
  return answer
}

async function patch(id: number, condition: Record<string, string> = {}): Promise<void> {
  const body = JSON.stringify({ whiteboard: crypto.randomUUID() })
  const headers = { 'Content-Type': 'application/json', ...condition }
  const answer = await fetch(`${url}/${id}`, { method: 'PATCH', headers, body })
  await answer.arrayBuffer()
  expect(answer.status).toBe(200)
}

async function findFreePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = probe.port ?? 0
  await probe.stop(true)
  return port
}
