import { afterEach, describe, expect, test } from 'bun:test'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import {
  type Change,
  comeAndGo,
  countStreams,
  type EventStream,
  openGoodStream,
  openStream,
  readChanges,
  type StreamOptions,
  streamPath,
  waitFor,
  writeFromOutside,
} from './event-stream.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { fail, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long checkout, long PostgreSQL

const proxy = ['--trusted-proxy', '127.0.0.1']
const service = useService({ roles: ['reader'], args: ['--threads', '2', '--heartbeat', '1', ...proxy] })
const narrow = useService({ args: ['--threads', '2', '--streams', '2'] })

const opened: EventStream[] = []

afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

async function open(options: StreamOptions = {}, server: Server = service.server()): Promise<EventStream> {
  const stream = await openGoodStream(server, options)
  opened.push(stream)
  return stream
}

const readPages = (since: number, key?: string) => readChanges(service.server(), since, key)
const findLast = async () => (await readPages(0, service.keyOf('admin'))).at(-1)?.seq ?? 0

const get = { method: 'GET', path: streamPath }
const bad = { ...get, status: 400 }

const refusals: readonly Row[] = [
  ...['x', '-1', '1.5', '99999999999999999999', '9007199254740991'].flatMap((text) => [
    { ...bad, name: `since=${text} is refused by name`, path: `${streamPath}?since=${text}`, errors: ['since'] },
    {
      ...bad,
      name: `Last-Event-ID: ${text} is refused by name, whatever since says`,
      path: `${streamPath}?since=0`,
      headers: { 'Last-Event-ID': text },
      errors: ['Last-Event-ID'],
    },
  ]),
  { ...get, name: 'A wrong token is refused', as: 'wrong', status: 401 },
  ...['POST', 'PUT', 'DELETE'].map((method) => ({
    name: `${method} is not allowed`,
    method,
    path: streamPath,
    status: 405,
    has: { Allow: 'GET, HEAD, OPTIONS' },
  })),
  { ...get, name: 'OPTIONS is answered', method: 'OPTIONS', status: 200, has: { 'Content-Type': 'application/json' } },
]

describe('The stream', () => {
  runTable(refusals, service)

  test('is one of events, kept by nobody, and begins at once', async () => {
    const { headers, text } = await open()
    expect(text()).toBe('retry: 2000\n\n')
    const names = ['Content-Type', 'Cache-Control', 'X-Accel-Buffering', 'Vary', 'Allow', 'Content-Length']
    expect(names.map((name) => headers.get(name))).toEqual([
      'text/event-stream',
      'private, no-store',
      'no',
      'Accept, Authorization',
      'GET, HEAD, OPTIONS',
      null,
    ])
  })

  test('is not opened by HEAD', async () => {
    expect(await waitFor(async () => (await countStreams(service.server())) === 0, 3_000)).toBe(true)
    for (const path of [streamPath, `${streamPath}/?since=0`]) {
      const answer = await service.call({ method: 'HEAD', path })
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, ['text/event-stream'], ''])
    }
    expect(await countStreams(service.server())).toBe(0)
  })

  test('tells what comes from now on', async () => {
    await service.create()
    const stream = await open()
    const { id, updated } = await service.create()
    const [change, ...others] = await stream.waitForChanges(1)
    expect([change, others]).toEqual([
      { seq: await findLast(), id: Number(id), version: 1, at: `${updated}Z`, kind: 'created' },
      [],
    ])
  })

  test('tells what the pages tell, from since or from Last-Event-ID, which wins', async () => {
    for (let count = 0; count < 3; count++) await service.create()
    const all = await readPages(0)
    const at = all.at(-3)?.seq ?? fail('Too few changes')
    expect(await (await open({ since: 0 })).waitForChanges(all.length)).toEqual(all)
    expect(await (await open({ since: at })).waitForChanges(2)).toEqual(all.slice(-2))
    expect(await (await open({ since: 0, lastEventId: at })).waitForChanges(2)).toEqual(all.slice(-2))
    const last = await findLast()
    expect((await openStream(service.server(), { since: last + 1 })).status).toBe(400)
    const ready = await open({ since: last })
    await service.create()
    expect(await ready.waitForChanges(1)).toHaveLength(1)
  })

  test('tells the public of what is public, token holders of everything', async () => {
    const before = await findLast()
    const [live, all] = [await open(), await open({ key: service.keyOf('reader') })]
    const { id } = await service.create({ state: 2, title: 'Unheard of' })
    for (const step of [{ state: 1 }, { summary: 'a' }, { state: 2 }, { summary: 'b' }, { state: 1 }]) {
      await service.patch(id, step)
    }
    const kinds = (await live.waitForChanges(4)).map(({ kind }) => kind)
    expect(kinds).toEqual(['created', 'updated', 'withdrawn', 'created'])
    expect(live.changes()).toEqual(await readPages(before))
    expect(await all.waitForChanges(6)).toEqual(await readPages(before, service.keyOf('reader')))
    expect(live.text() + all.text()).not.toContain('Unheard')
  })

  test('gives signs of life', async () => {
    const stream = await open()
    await until('the third one', () => (stream.text().match(/^:$/gm)?.length ?? 0) > 2)
    expect(stream.text()).toMatch(/^retry: 2000\n\n(:\n\n){2,4}$/)
  })
})

describe('Readers on all threads', () => {
  test('hear what was written on any', async () => {
    const readers = await Promise.all(Array.from({ length: 8 }, () => open()))
    const before = await findLast()
    await Promise.all(Array.from({ length: 8 }, () => service.create()))
    const wanted = await readPages(before)
    for (const reader of readers) expect(await reader.waitForChanges(8)).toEqual(wanted)
  })

  test('hear what another process wrote', async () => {
    const { id } = await service.create()
    const readers = await Promise.all(Array.from({ length: 4 }, () => open()))
    await writeFromOutside(service.server(), Number(id))
    for (const reader of readers) expect(await reader.waitForChanges(1)).toMatchObject([{ id, version: 2 }])
  })
})

describe('While 300 writes go on', () => {
  const writeAll = async (id: unknown, name: string, count: number) => {
    for (let step = 0; step < count; step++) await service.patch(id, { whiteboard: `${name} ${step}` })
  }

  test('each of 20 readers gets every change once and in order', async () => {
    const before = await findLast()
    const fresh = await Promise.all(Array.from({ length: 10 }, () => open()))
    const ids = await Promise.all(Array.from({ length: 3 }, async () => (await service.create()).id))
    const writing = Promise.all(ids.map((id) => writeAll(id, 'many', 99)))
    const old = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        await Bun.sleep(index * 20)
        return open({ since: 0 })
      }),
    )
    await writing
    const all = await readPages(0)
    const late = all.filter(({ seq }) => seq > before)
    expect(late).toHaveLength(300)
    for (const reader of fresh) expect(await reader.waitForChanges(300)).toEqual(late)
    for (const reader of old) expect(await reader.waitForChanges(all.length)).toEqual(all)
  })

  test('a reader that comes back again and again misses nothing', async () => {
    const { id } = await service.create()
    await writeAll(id, 'before', 300)
    const since = (await findLast()) - 300
    const writing = writeAll(id, 'after', 300)
    const told: (readonly Change[])[] = []
    // Each time from so far back that it has to be told from the store, and for a while from there on.
    while (told.length < 100 && (told.at(-1)?.length ?? 0) < 590) {
      const reader = await open({ since })
      told.push(await reader.waitForChanges(Math.min(600, (told.at(-1)?.length ?? 300) + 2)))
      reader.close()
    }
    await writing
    const wanted = await readPages(since)
    expect(told.length).toBeGreaterThan(10)
    for (const changes of told) expect(changes).toEqual(wanted.slice(0, changes.length))
  })
})

describe('No more readers than there may be', () => {
  const server = () => narrow.server()
  const waitForCount = (count: number) => waitFor(async () => (await countStreams(server())) === count, 3_000)

  test('are let in, on whatever thread; when one leaves, another may come', async () => {
    const readers = [await open({}, server()), await open({}, server())]
    for (let attempt = 0; attempt < 8; attempt++) {
      const answer = await narrow.call(get)
      checkEveryAnswer(get, answer)
      expect([answer.status, Number(answer.headers.get('retry-after')?.[0]) > 0]).toEqual([503, true])
    }
    readers[0]?.close()
    expect(await waitForCount(1)).toBe(true)
    const next = await open({}, server())
    expect((await openStream(server())).status).toBe(503)
    for (const reader of [...readers, next]) reader.close()
    expect(await waitForCount(0)).toBe(true)
  })

  test('are let in when many come at once', async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => openStream(server())))
    for (const stream of streams) stream.close()
    expect(await waitForCount(0)).toBe(true)
    expect([1, 2]).toContain(streams.filter(({ status }) => status === 200).length)
  })

  test('are counted, and those who leave before the first byte are not', async () => {
    for (let count = 0; count < 40; count++) await comeAndGo(server(), count % 3)
    expect(await waitForCount(0)).toBe(true)
    expect((await open({}, server())).status).toBe(200)
  })
})

describe('One client', () => {
  const most = 100
  const openMany = (toOptions: (i: number) => StreamOptions) =>
    Promise.all(Array.from({ length: most }, (_, i) => open(toOptions(i))))

  test('may have 100 streams open from one address, and others still get theirs', async () => {
    const address = '192.0.2.1'
    const [first] = await openMany(() => ({ address }))
    for (let attempt = 0; attempt < 4; attempt++) {
      const refused = await openStream(service.server(), { address, key: service.keyOf('reader') })
      expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([503, true])
      await refused.waitForText('100 streams open')
    }
    await open({ address: '192.0.2.2' })
    first?.close()
    const isOpen = async () => {
      const stream = await openStream(service.server(), { address })
      opened.push(stream)
      return stream.status === 200
    }
    expect(await waitFor(isOpen, 5_000)).toBe(true)
  })

  test('may have 100 streams open with one token, from wherever', async () => {
    const key = service.keyOf('reader')
    await openMany((i) => ({ key, address: `198.51.100.${i}` }))
    expect((await openStream(service.server(), { key, address: '198.51.100.200' })).status).toBe(503)
    await open({ address: '198.51.100.200' })
    await open({ key: service.keyOf('admin'), address: '198.51.100.200' })
  })
})

test('SIGTERM ends streams in good order, and the server soon after', async () => {
  const server = await startServer()
  const readers = await Promise.all(Array.from({ length: 6 }, () => open({}, server)))
  const started = performance.now()
  expect(await server.stop()).toBe(0)
  // Open streams would hold it for seven seconds, and then be cut.
  expect(performance.now() - started).toBeLessThan(7_000)
  expect(await Promise.all(readers.map((reader) => reader.waitForEnd(10_000)))).toEqual(Array(6).fill('ended'))
})
