import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/http/logger.ts'
import { toAccessTokenHash } from '../../src/record/credentials.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createSharedBuffers, startThreads, type Threads } from '../../src/serve/threads.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createAccessTokenRows } from '../../src/store/write/access-token-rows.ts'
import { openStream } from '../contract/event-stream.ts'
import { send } from '../harness/raw.ts'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-clock-'))
const channel = new BroadcastChannel('clock')
const hourMs = 3_600_000
const key = 'clock-tests-admin-key_0123456789'
let threads: Threads
let port = 0

/** The service's own threads, all of whose wall clocks can be moved. */
beforeAll(async () => {
  const db = join(folder, 'records.db')
  await createDatabase(db)
  port = await findFreePort()
  const flags = { db, port: String(port), threads: '1', heartbeat: '1', 'wrong-tokens': '3' }
  const read = readConfig(new Map(Object.entries(flags)), {})
  if (!read.ok) throw new Error(read.problems.join())
  const { adminToken: _, ...config } = read.config
  const shared = createSharedBuffers(1)
  const rest = { adminKeyHash: toAccessTokenHash(key), port, reusePort: false, version: '0', uptimeMs: 0 }
  threads = startThreads({
    store: {
      engine: 'sqlite',
      address: db,
      query: { ...config, listeningUrl: '', site: null },
      snapshot: null,
      hasLowPriority: true,
    },
    queryThreads: 1,
    httpThreads: 1,
    shared,
    toPlan: (thread) => ({ thread, config, site: null, engine: 'sqlite', shared, ...rest }),
    createWorker: (program) => new Worker(program, { preload: [join(import.meta.dir, 'shifted-clock.ts')] }),
    log: createLogger(Date.now),
    onRestartLimit: () => process.exit(1),
  })
  await threads.ready
})
afterAll(async () => {
  await threads.stop()
  channel.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Of the HTTP thread, the writer and the query thread. */
async function moveClock(ms: number): Promise<void> {
  let moved = 0
  const all = new Promise<void>((resolve) => {
    channel.onmessage = () => (++moved === 3 ? resolve() : undefined)
  })
  channel.postMessage(ms)
  await all
}

async function findFreePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port: free } = probe
  await probe.stop(true)
  return free ?? 0
}

const countBeats = (text: string) => text.split('\n:\n').length - 1

test('a stream continues to get heartbeats when the clock goes back', async () => {
  await moveClock(0)
  const stream = await openStream({ url: `http://127.0.0.1:${port}` })
  await stream.waitForText(/\n:\n/)
  await moveClock(-hourMs)
  const before = countBeats(stream.text())
  for (let i = 0; i < 100 && countBeats(stream.text()) < before + 2; i++) await Bun.sleep(50)
  expect(countBeats(stream.text())).toBeGreaterThanOrEqual(before + 2)
  stream.close()
})

test('a clock that jumps does not lift the limit of wrong tokens', async () => {
  const statuses: number[] = []
  for (const shift of [0, 0, 0, 0, hourMs, -hourMs]) {
    await moveClock(shift)
    const wrong = { method: 'GET', target: '/api/v2/video', headers: { Authorization: 'Token rst_wrong' } }
    statuses.push((await send(port, wrong)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
})

test('the uptime does not depend on the wall clock', async () => {
  for (const shift of [-hourMs, hourMs]) {
    await moveClock(shift)
    const { body } = await send(port, { method: 'GET', target: '/metrics' })
    const uptime = Number(/^rostrum_uptime_seconds (\S+)/m.exec(body)?.[1])
    expect([uptime >= 0, uptime < 1_000]).toEqual([true, true])
  }
})

test('a token expires by the wall clock, even if it is cached', async () => {
  await moveClock(0)
  const accessKey = await createKey('guest', toTimestamp(Date.now() + hourMs / 2))
  const headers = { Authorization: `Token ${accessKey}` }
  const ask = async () => (await send(port, { method: 'GET', target: '/api/v2/changes', headers })).status
  await until('the token is known', async () => (await ask()) === 200)
  const stream = await openStream({ url: `http://127.0.0.1:${port}` }, { key: accessKey })
  await stream.waitForText('retry')
  await moveClock(hourMs)
  // 429: the limit of wrong tokens may be reached already.
  expect([401, 429]).toContain(await ask())
  expect(await stream.waitForEnd(2_000)).toBe('ended')
  await moveClock(0)
  expect(await ask()).toBe(200)
})

async function createKey(name: string, expires: string): Promise<string> {
  const db = createSqliteDatabase(openForWriting(join(folder, 'records.db'), 1_000))
  const made = await createAccessTokenRows(db, Date.now).create(name, 'reader', expires)
  await db.close()
  return made ?? expect.unreachable()
}

const create = (idempotencyKey: string) =>
  send(port, {
    method: 'POST',
    target: '/api/v2/video',
    headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: '{"category":"c","title":"t"}',
  })
const idOf = ({ body }: { readonly body: string }) => JSON.parse(body).id

test('a request that is repeated while the clock jumps does not create a second record', async () => {
  await moveClock(0)
  const first = idOf(await create('first'))
  await moveClock(48 * hourMs)
  expect(idOf(await create('first'))).toBe(first)
  const ahead = idOf(await create('made ahead'))
  await moveClock(0)
  expect(idOf(await create('first'))).toBe(first)
  expect(idOf(await create('made ahead'))).toBe(ahead)
})
