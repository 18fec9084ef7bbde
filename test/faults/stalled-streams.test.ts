import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { countStreams, openGoodStream, streamPath, waitFor } from '../contract/event-stream.ts'
import { createFolder, createToken, removeFolder, revokeToken, type Server, startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'

// Runner: long, slow

const records = 20
/** Some 6 MB of events: more than the kernel holds for a reader that takes nothing. */
const rounds = 3_000
const changeCount = records * rounds
const stalledCount = 99
/** What the server may grow by: garbage of four heaps (`bin/bun`), far less than the 600 MB that the readers leave lying. */
const maxGrowthMegabytes = 150
const folder = createFolder()
const leavers: (() => void)[] = []
let server: Server

beforeAll(async () => {
  const db = `${folder}/records.db`
  await fill(db)
  server = await startServer({ db, args: ['--threads', '2', '--stall', '2'] })
}, 180_000)

afterEach(() => {
  for (const leave of leavers.splice(0)) leave()
})

afterAll(async () => {
  await server.kill9()
  removeFolder(folder)
})

test('readers that read nothing are disconnected, use little memory, and delay nobody', async () => {
  const before = readMegabytes()
  const beside = await openGoodStream(server)
  leavers.push(beside.close)
  const stalled = await Promise.all(Array.from({ length: stalledCount }, () => openStalled()))
  await waitForStreams(stalledCount + 1)
  expect(stalled.map((socket) => socket.bytesRead)).toEqual(Array(stalledCount).fill(0))
  const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
  const written: number[] = []
  const slow: number[] = []
  let most = 0
  const isAlone = async () => {
    const started = performance.now()
    written.push(toWritten(await client.patch(1, { whiteboard: `beside ${written.length}` })).id)
    expect((await client.read(2)).status).toBe(200)
    slow.push(performance.now() - started)
    most = Math.max(most, readMegabytes())
    await Bun.sleep(100)
    return (await countStreams(server)) === 1
  }
  expect(await waitFor(isAlone, 40_000)).toBe(true)
  expect(most - before).toBeLessThan(maxGrowthMegabytes)
  expect(Math.max(...slow)).toBeLessThan(1_000)
  const told = await beside.waitForChanges(written.length)
  expect(told.map(({ version }) => version)).toEqual(written.map((_, index) => rounds + 1 + index))
}, 180_000)

test('a reader that is behind gets nothing new once its token is revoked', async () => {
  const key = await createToken(server, 'slow', 'reader')
  await waitForStreams(0)
  const socket = await openStalled(key)
  await waitForStreams(1)
  // Until the kernel's buffers are full; the reader must not be dropped before it reads on.
  await Bun.sleep(1_000)
  await revokeToken(server, 'slow')
  await waitForStreams(0)
  const draft = await ask(
    server.port,
    'POST',
    '/api/v2/video',
    { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    JSON.stringify({ category: 'Faults', title: 'Made later' }),
  )
  const { id } = toWritten(draft)
  const rest = await readRest(socket, 6_000)
  expect(rest.includes(`"id":${id},`)).toBe(false)
  expect(rest.split('\nid: ').length).toBeLessThan(changeCount)
}, 180_000)

test('readers that read nothing do not delay the shutdown', async () => {
  await waitForStreams(0)
  await Promise.all(Array.from({ length: 3 }, () => openStalled()))
  await waitForStreams(3)
  await Bun.sleep(500)
  const started = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - started).toBeLessThan(9_000)
}, 180_000)

async function waitForStreams(count: number): Promise<void> {
  expect(await waitFor(async () => (await countStreams(server)) === count, 5_000)).toBe(true)
}

/** Asks for everything and never reads, so that the kernel's buffers for it stay as small as they begin. */
async function openStalled(key?: string): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port: server.port })
  leavers.push(() => socket.destroy())
  socket.pause()
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', () => {})
  socket.pause()
  const authorization = key === undefined ? '' : `Authorization: Token ${key}\r\n`
  socket.write(`GET ${streamPath}?since=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\n`)
  return socket
}

/** All that still comes until the connection ends, or for so long. */
async function readRest(socket: Socket, timeoutMs: number): Promise<string> {
  const chunks: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('close', () => {
    isClosed = true
  })
  socket.resume()
  await waitFor(() => isClosed, timeoutMs)
  socket.destroy()
  return Buffer.concat(chunks).toString('latin1')
}

function readMegabytes(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** A few live records with many versions each, made by the writer itself. */
async function fill(path: string): Promise<void> {
  await createDatabase(path)
  const db = openForWriting(path, 10_000)
  // Nothing here must survive a power cut, so nothing waits for the disk.
  db.run('PRAGMA synchronous = OFF')
  const onError = (error: unknown) => {
    throw error
  }
  const writer = createWriter({ db, now: Date.now, onError })
  const author = { name: 'generator', role: 'publisher' } as const
  const ids = Array.from({ length: records }, (_, index) => index + 1)
  const toFields = (id: number) => ({ category: 'Faults', title: `Talk ${id}`, state: 1 }) as const
  await writer.run(
    ids.map((id) => ({ kind: 'create', author, changes: toFields(id) })),
    new Set(),
  )
  for (let round = 1; round < rounds; round++) {
    const changes = { whiteboard: `round ${round}` }
    await writer.run(
      ids.map((id) => ({ kind: 'merge', id, author, precondition: {}, changes })),
      new Set(),
    )
  }
  await writer.close()
}
