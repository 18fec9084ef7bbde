import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

// Runner: long PostgreSQL

const mebibyte = 1 << 20
const records = 20
/** A page has some 12 MiB: far more than what the system takes for a reader that does not read. */
const text = '\u{1f600}'.repeat(50_000)
const maxWaiting = 40 * mebibyte

let server: Server
let list = ''

beforeAll(async () => {
  const limits = ['--max-waiting', String(maxWaiting)]
  server = await startServer({ args: ['--threads', '2', '--trusted-proxy', '127.0.0.1', ...limits] })
  list = `${server.url}/api/v2/video`
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  for (let index = 0; index < records; index++) {
    const body = JSON.stringify({ category: 'Large', title: `Talk ${index}`, state: 1, description: text })
    expect((await fetch(list, { method: 'POST', headers, body })).status).toBe(201)
  }
}, 180_000)
afterAll(() => server.stop())

/** Sends a request from an address, as a proxy would, and never reads the answer. */
async function stall(address: string, request = 'GET /api/v2/video HTTP/1.1\r\n', body = ''): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.pause()
  // The server may close it.
  socket.on('error', () => undefined)
  const head = `Host: 127.0.0.1:${server.port}\r\nX-Forwarded-For: ${address}\r\n`
  await new Promise((resolve) => socket.write(`${request}${head}\r\n${body}`, resolve))
  return socket
}

const stallMany = (count: number, toAddress: (i: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, i) => stall(toAddress(i))))

async function readWaitingBytes(): Promise<number> {
  const metrics = await fetch(`${server.url}/metrics`).then((answer) => answer.text())
  return Number(/^rostrum_waiting_bytes (\d+)$/m.exec(metrics)?.[1])
}

const patience = { timeoutMs: 40_000, everyMs: 25 }

const isEmpty = async () => (await readWaitingBytes()) === 0

const readList = async (query = '', address = '198.51.100.1') => {
  // Compressed, it would be small.
  const answer = await fetch(`${list}${query}`, {
    headers: { 'X-Forwarded-For': address, 'Accept-Encoding': 'identity' },
  })
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), text: await answer.text() }
}

test('answers that slow readers do not take never fill the memory: further large ones are 503 until they do', async () => {
  const whole = await readList()
  expect(whole.status).toBe(200)
  const sockets = await stallMany(12, (i) => `192.0.2.${i}`)
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
}, 180_000)

test('a reader that is slow but reads gets all of it', async () => {
  const whole = await readList()
  const socket = await stall('192.0.2.1')
  await until('its answer waits', async () => !(await isEmpty()), patience)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.resume()
  await until('it has read all', () => Buffer.concat(chunks).toString('latin1').endsWith('0\r\n\r\n'), patience)
  socket.destroy()
  expect(Buffer.concat(chunks).length).toBeGreaterThan(whole.text.length)
  await until('nothing waits', isEmpty, patience)
}, 180_000)

test('one address has a quarter of what may wait, so that others are answered', async () => {
  const sockets = await stallMany(12, () => '192.0.2.1')
  await until('one answer waits', async () => !(await isEmpty()), patience)
  const refused = await readList('', '192.0.2.1')
  expect([refused.status, JSON.parse(refused.text).detail]).toEqual([503, expect.stringContaining('your IP address')])
  expect(await readWaitingBytes()).toBeLessThan(maxWaiting / 2)
  expect((await readList('', '192.0.2.2')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await until('nothing waits', isEmpty, patience)
}, 180_000)

const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n'
const toForm = (text: string) => `${part}${text}\r\n--b--\r\n`
const toFormHead = (cookie: string, length: number) =>
  `POST /edit/new HTTP/1.1\r\nOrigin: http://127.0.0.1:${server.port}\r\nCookie: ${cookie}\r\n` +
  `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n`

describe('Forms of callers without a session', () => {
  /** Of our shape. */
  const cookie = `rostrum_session=${'A'.repeat(43)}`

  /** Sends a form with a text; gives the status. */
  async function sendText(address: string, path = '/edit/new', text = 'b'.repeat(5_000)) {
    const body = new FormData()
    body.append('key', text)
    const headers = { 'X-Forwarded-For': address, Origin: server.url }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' })
    return [answer.status, answer.headers.get('Retry-After')]
  }

  test('take a bounded part of the memory while they are read; further ones are 503', async () => {
    const open = (address: string) => stall(address, toFormHead(cookie, 4 * mebibyte), part)
    const sockets = await Promise.all(Array.from({ length: 4 }, (_, i) => open(`2001:db8::${i}`)))
    const isRefused = async () => (await sendText('2001:db8::9'))[0] === 503
    await until('one network has its share', isRefused, patience)
    expect(await sendText('2001:db8::9')).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(await sendText('192.0.2.2')).toEqual([401, null])
    // At once: the server waits for none of them long.
    const others = Array.from({ length: 12 }, (_, n) => open(`192.0.2.${2 + (n % 3)}`))
    sockets.push(...(await Promise.all(others)))
    await until('nobody may send more', async () => (await sendText('192.0.2.9'))[0] === 503, patience)
    // Forms that are as small as the head of a request do not count, so that curators can sign in.
    expect(await sendText('192.0.2.9', '/edit/sign-in', server.adminKey)).toEqual([303, null])
    for (const socket of sockets) socket.destroy()
    await until('they have gone', async () => (await sendText('2001:db8::9'))[0] === 401, patience)
  }, 180_000)

  test('are not kept if that would take long: with far more quotation marks than a text has', async () => {
    const send = async (text: string) => {
      const body = new FormData()
      body.append('a', text)
      const headers = { Origin: server.url, Cookie: cookie }
      const answer = await fetch(`${server.url}/edit/new`, { method: 'POST', headers, body })
      return [answer.status, (await answer.text()).includes(text.slice(0, 1_000).replaceAll('"', '&quot;'))]
    }
    expect(await send('"'.repeat(99_000))).toEqual([401, true])
    expect(await send('x'.repeat(4_190_000))).toEqual([401, true])
    expect(await send('"'.repeat(101_000))).toEqual([413, false])
    expect(await send('"&<>'.repeat(1_000_000))).toEqual([413, false])
  })
})

test('a form that is sent back, because its token was wrong, counts as waiting, and is not where too much waits', async () => {
  const key = new FormData()
  key.append('key', server.adminKey)
  const init = { method: 'POST', headers: { Origin: server.url }, body: key, redirect: 'manual' } as const
  const [cookie = ''] = (await fetch(`${server.url}/edit/sign-in`, init)).headers.get('Set-Cookie')?.split(';') ?? []
  const quotes = '"'.repeat(4 * mebibyte - 1_000)
  const body = toForm(quotes)
  const sockets = [await stall('192.0.2.1', toFormHead(cookie, body.length), body)]
  await until('the page waits', async () => (await readWaitingBytes()) > 4 * quotes.length, patience)
  const form = new FormData()
  form.append('a', quotes)
  const headers = { 'X-Forwarded-For': '192.0.2.2', Origin: server.url, Cookie: cookie }
  const send = async () => {
    const answer = await fetch(`${server.url}/edit/new`, { method: 'POST', headers, body: form })
    return [answer.status, (await answer.text()).length < mebibyte]
  }
  // The kernel takes some of each page, so that it is not known how many fill what may wait.
  let answered = await send()
  for (let host = 3; host < 12 && answered[0] === 403; host++) {
    sockets.push(await stall(`192.0.2.${host}`, toFormHead(cookie, body.length), body))
    answered = await send()
  }
  expect(answered).toEqual([503, true])
  for (const socket of sockets) socket.destroy()
  await until('nothing waits', isEmpty, patience)
}, 180_000)
