import { afterAll, describe, expect, test } from 'bun:test'
import { createQuota, createQuotaBuffer } from '../../src/http/limits.ts'
import { createSendAnswer, toWholeBody } from '../../src/http/respond.ts'
import type { ChunkedAnswer } from '../../src/http/route.ts'
import type { MaybePromise } from '../../src/promises.ts'

/** Unequal ones, so that none can stand for another. */
const toPieces = (size: number) => [
  'head'.slice(0, size),
  'x'.repeat(Math.max(0, size - 7)),
  'end'.slice(0, Math.max(0, size - 4)),
]

/** Answers as many bytes as the path says, on a later turn of the event loop. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    await Bun.sleep(1)
    const size = Number(new URL(request.url).pathname.slice(1))
    return new Response(toWholeBody(toPieces(size)), { headers: { ETag: '"a"', Vary: 'Accept' } })
  },
})
afterAll(() => server.stop(true))

const edges = [15 * 1024, 1 << 20]
const sizes = [0, 1, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), 20_000_000]

test.each(sizes)('%d bytes arrive whole and with their length', async (size) => {
  const response = await fetch(new URL(`/${size}`, server.url))
  expect(response.headers.get('Content-Length')).toBe(String(size))
  expect(response.headers.get('Transfer-Encoding')).toBeNull()
  expect(await response.text()).toBe(toPieces(size).join(''))
})

test('a client that disconnects in the middle of a large response does no harm', async () => {
  const controller = new AbortController()
  const response = await fetch(new URL('/1000000', server.url), { signal: controller.signal })
  await response.body?.getReader().read()
  controller.abort()
  expect((await fetch(new URL('/30000', server.url))).status).toBe(200)
})

/** A download as handlers of the site answer it, whose caller may lose their token. */
function createDownload(
  next: ChunkedAnswer['next'],
  isStillTrusted: () => MaybePromise<boolean> = () => true,
  client = new AbortController(),
) {
  const waiting = createQuota(createQuotaBuffer(1), 0, { max: 1_000_000, maxPerKey: 1_000_000 })
  const call = { method: 'GET', signal: client.signal, clientAddress: () => 'a', isStillTrusted }
  const response = createSendAnswer(waiting)({ status: 200, headers: new Headers(), next }, call)
  return { response, waiting }
}

const nextTurn = () => new Promise((done) => setImmediate(done))

/** Chunks 1 to `last`. */
function countTo(last: number, read: (n: number) => void = () => {}) {
  let n = 0
  return async () => {
    if (n === last) return null
    read(++n)
    return Buffer.from(`${n};`)
  }
}

describe('A body that is read while it is sent', () => {
  let respond = () => new Response()
  const downloads = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => respond(), error: () => new Response() })
  afterAll(() => downloads.stop(true))

  test('arrives whole', async () => {
    respond = () => createDownload(countTo(5)).response
    expect(await (await fetch(downloads.url)).text()).toBe('1;2;3;4;5;')
  })

  test.each([
    ['it cannot be read', 3, 9],
    ['its token is no longer valid', 9, 3],
  ])('is seen to be incomplete if %s', async (_, failsAt, endsAt) => {
    let asked = 0
    const read = (n: number) => {
      if (n === failsAt) throw new Error('the store is down')
    }
    const isStillTrusted = async () => {
      await Bun.sleep(20)
      return ++asked !== endsAt
    }
    respond = () => createDownload(countTo(20, read), isStillTrusted).response
    const response = await fetch(downloads.url)
    await expect(response.text()).rejects.toThrow()
  })

  test('is never read ahead of the client, and counts as waiting until its end', async () => {
    let reads = 0
    const { response, waiting } = createDownload(countTo(9, () => reads++))
    const reader = response.body?.getReader() ?? expect.unreachable()
    await reader.read()
    await reader.read()
    await Bun.sleep(10)
    expect([reads, waiting.total()]).toEqual([2, 256 * 1024])
    await reader.cancel()
    expect(waiting.total()).toBe(0)
  })

  test('is refused while too many others wait to be read', () => {
    const waiting = createQuota(createQuotaBuffer(1), 0, { max: 1_000_000, maxPerKey: 600_000 })
    const send = () => {
      const call = { method: 'GET', signal: AbortSignal.any([]), clientAddress: () => 'a', isStillTrusted: () => true }
      return createSendAnswer(waiting)({ status: 200, headers: new Headers(), next: countTo(5) }, call)
    }
    expect([send().status, send().status]).toEqual([200, 200])
    expect(send).toThrow('overloaded')
  })

  test.each(['cancelled', 'aborted'])('no longer counts once it is %s, even while a chunk is read', async (how) => {
    const client = new AbortController()
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    const { response, waiting } = createDownload(() => promise, undefined, client)
    const reader = response.body?.getReader() ?? expect.unreachable()
    const read = reader.read()
    await nextTurn()
    if (how === 'cancelled') await reader.cancel()
    else client.abort()
    resolve(Buffer.from('too late'))
    await read
    await nextTurn()
    expect(waiting.total()).toBe(0)
  })

  test('no longer counts once its token is invalid', async () => {
    let isTrusted = true
    const { response, waiting } = createDownload(countTo(9), () => isTrusted)
    const reader = response.body?.getReader() ?? expect.unreachable()
    await reader.read()
    isTrusted = false
    await expect(reader.read()).rejects.toThrow('no longer valid')
    expect(waiting.total()).toBe(0)
  })
})

describe('A large body', () => {
  const pieces = ['x'.repeat(300_000)]
  const toCall = (method: string, clientAddress: string, client = new AbortController()) => ({
    ...{ method, signal: client.signal, clientAddress: () => clientAddress, isStillTrusted: () => true },
  })
  const createWaiting = () => createQuota(createQuotaBuffer(1), 0, { max: 1_000_000, maxPerKey: 700_000 })

  test.each(['GET', 'POST', 'PATCH'])('counts as waiting until it is read: %s', async (method) => {
    const waiting = createWaiting()
    const response = createSendAnswer(waiting)({ status: 200, headers: new Headers(), pieces }, toCall(method, 'a'))
    expect(waiting.total()).toBe(300_000)
    expect((await response.text()).length).toBe(300_000)
    expect(waiting.total()).toBe(0)
  })

  test('counts as waiting until its client disconnects, and not at all for HEAD', () => {
    const waiting = createWaiting()
    const client = new AbortController()
    const send = createSendAnswer(waiting)
    send({ status: 200, headers: new Headers(), pieces }, toCall('HEAD', 'a'))
    expect(waiting.total()).toBe(0)
    send({ status: 200, headers: new Headers(), pieces }, toCall('GET', 'a', client))
    expect(waiting.total()).toBe(300_000)
    client.abort()
    expect(waiting.total()).toBe(0)
  })

  test('counts as waiting until its token is no longer valid', async () => {
    const waiting = createWaiting()
    const call = { ...toCall('GET', 'a'), isStillTrusted: async () => false }
    const response = createSendAnswer(waiting)({ status: 200, headers: new Headers(), pieces }, call)
    await expect(response.text()).rejects.toThrow('no longer valid')
    expect(waiting.total()).toBe(0)
  })

  test('is refused if too many bytes wait for one address, or for all, whatever the request was', () => {
    const send = createSendAnswer(createWaiting())
    const ask = (method: string, address: string) =>
      send({ status: 200, headers: new Headers(), pieces }, toCall(method, address)).status
    expect([ask('GET', 'a'), ask('POST', 'a'), ask('PATCH', 'b')]).toEqual([200, 200, 200])
    expect(() => ask('POST', 'a')).toThrow('overloaded')
    expect(() => ask('POST', 'b')).toThrow('overloaded')
  })

  test('is sent however large it is, if nothing else waits', () => {
    const [huge, send] = [['x'.repeat(2_000_000)], createSendAnswer(createWaiting())]
    expect(send({ status: 200, headers: new Headers(), pieces: huge }, toCall('POST', 'a')).status).toBe(200)
  })
})
