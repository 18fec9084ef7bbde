import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

const mebibyte = 1 << 20
const records = 20
/** A page has some 12 MiB: far more than what the system takes for a reader that does not read. */
const text = '\u{1f600}'.repeat(50_000)
const maxWaiting = 40 * mebibyte

let server: Server
let list = ''

beforeAll(async () => {
  server = await startServer({ args: ['--threads', '2', '--max-waiting', String(maxWaiting)] })
  list = `${server.url}/api/v2/video`
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  for (let index = 0; index < records; index++) {
    const body = JSON.stringify({ category: 'Large', title: `Talk ${index}`, state: 1, description: text })
    expect((await fetch(list, { method: 'POST', headers, body })).status).toBe(201)
  }
}, 60_000)
afterAll(() => server.stop())

/** Asks for a page and never reads it. */
async function stall(): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.pause()
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.write('GET /api/v2/video HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', resolve)
  })
  return socket
}

async function readWaitingBytes(): Promise<number> {
  const metrics = await fetch(`${server.url}/metrics`).then((answer) => answer.text())
  return Number(/^rostrum_waiting_bytes (\d+)$/m.exec(metrics)?.[1])
}

const patience = { timeoutMs: 40_000, everyMs: 25 }

const isEmpty = async () => (await readWaitingBytes()) === 0

const readList = async (query = '') => {
  const answer = await fetch(`${list}${query}`)
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), text: await answer.text() }
}

test('answers that slow readers do not take never fill the memory: further large ones are 503 until they do', async () => {
  const whole = await readList()
  expect(whole.status).toBe(200)
  const sockets = await Promise.all(Array.from({ length: 12 }, stall))
  const isFull = async () => (await readWaitingBytes()) > maxWaiting - whole.text.length
  await until('slow readers have all that may wait', isFull, patience)
  expect(await readWaitingBytes()).toBeLessThanOrEqual(maxWaiting)

  const refused = await readList()
  expect({ status: refused.status, detail: JSON.parse(refused.text).detail }).toEqual({
    status: 503,
    detail: expect.stringContaining('slow readers'),
  })
  expect(refused.retryAfter).toMatch(/^\d+$/)
  expect((await readList('?fields=id,title')).status).toBe(200)
  expect((await fetch(`${list}/1`)).status).toBe(200)

  for (const socket of sockets) socket.destroy()
  await until('nothing waits', isEmpty, patience)
  expect(await readList()).toEqual(whole)
}, 60_000)

test('a reader that is slow but reads gets all of it', async () => {
  const whole = await readList()
  const socket = await stall()
  await until('its answer waits', async () => !(await isEmpty()), patience)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.resume()
  await until('it has read all', () => Buffer.concat(chunks).toString('latin1').endsWith('0\r\n\r\n'), patience)
  socket.destroy()
  expect(Buffer.concat(chunks).length).toBeGreaterThan(whole.text.length)
  await until('nothing waits', isEmpty, patience)
}, 60_000)
