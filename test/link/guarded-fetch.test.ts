import { afterEach, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { type AddressInfo, createServer } from 'node:net'
import { toErrorCode } from '../../src/error-code.ts'
import { toHolder } from '../../src/link/checker.ts'
import { resolveName } from '../../src/link/guarded-fetch.ts'
import { createPacer } from '../../src/link/pacer.ts'
import {
  closedAddress,
  endlessBody,
  type FakeInternet,
  type FakeOptions,
  type Host,
  redirect,
  startInternet,
} from './fake-internet.ts'

// Runner: one engine

let internet: FakeInternet | null = null
afterEach(() => internet?.stop())

function start(hosts: { readonly [name: string]: Host }, options?: FakeOptions): FakeInternet {
  internet = startInternet(hosts, options)
  return internet
}

const fine = () => new Response('fine', { headers: { 'Content-Type': 'Text/Plain; charset=utf-8' } })

test('a reply has its status, type and body', async () => {
  const { fetch, requests } = start({ 'a.example': fine })
  const reply = { is: 'reply', status: 200, type: 'text/plain', isCut: false, permanent: null }
  expect(await fetch('https://a.example/x?y=1', 'GET')).toMatchObject({ ...reply, body: 'fine' })
  expect(await fetch('http://a.example/x', 'HEAD')).toMatchObject({ ...reply, body: '' })
  expect(requests).toEqual(['GET a.example/x?y=1', 'HEAD a.example/x'])
})

test('the certificate of the name is checked at the address that was judged', async () => {
  const { fetch, requests } = start({ 'a.example': fine, 'b.example': fine }, { impostor: 'b.example' })
  expect(await fetch('https://a.example/', 'GET')).toMatchObject({ is: 'reply' })
  // The same server, right after a connection that was fine.
  expect(await fetch('https://b.example/', 'GET')).toEqual({ is: 'unreadable', why: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  expect(requests).toEqual(['GET a.example/'])
})

test('nothing private is contacted, by any way that leads there', async () => {
  let asked = 0
  const { fetch, privateRequests } = start(
    {
      'to-private.example': () => redirect('http://10.0.0.1/'),
      'to-name.example': () => redirect('http://inside.example/'),
      'to-port.example': () => redirect('http://to-port.example:8080/'),
      'rebind.example': fine,
    },
    {
      addresses: {
        'inside.example': ['192.168.0.7'],
        'mixed.example': ['93.184.0.0', '127.0.0.1'],
        'mapped.example': ['::ffff:10.0.0.1'],
        'rebind.example': () => (asked++ === 0 ? ['93.184.0.3'] : ['127.0.0.1']),
      },
    },
  )
  const urls = [
    'to-private.example',
    'to-name.example',
    'to-port.example',
    'inside.example',
    'mixed.example',
    'mapped.example',
  ]
  for (const host of [...urls, '127.0.0.1', 'localhost:22', '[::1]', '169.254.169.254/latest', 'me@to-private.example'])
    expect(await fetch(`http://${host}/`, 'GET')).toEqual({ is: 'refused' })
  // Public at first, private then: each request judges what it connects to.
  expect(await fetch('http://rebind.example/', 'GET')).toMatchObject({ is: 'reply' })
  expect(await fetch('http://rebind.example/', 'GET')).toEqual({ is: 'refused' })
  expect(asked).toBe(2)
  expect(privateRequests()).toBe(0)
})

test('another address of the name is tried if nobody listens at the first', async () => {
  const { fetch, requests } = start(
    { 'a.example': fine },
    { addresses: { 'a.example': [closedAddress, '93.184.0.0'], 'b.example': [closedAddress] } },
  )
  expect(await fetch('http://a.example/', 'HEAD')).toMatchObject({ status: 200 })
  expect(await fetch('http://b.example/', 'HEAD')).toEqual({ is: 'timeout', why: 'ECONNREFUSED' })
  expect(requests).toEqual(['HEAD a.example/'])
})

test('an address of each family is tried, because this machine may lack a route to one', async () => {
  const nowhere = ['2001:4860::1', '2001:4860::2', '93.184.0.0']
  const { fetch } = start({ 'a.example': fine }, { addresses: { 'a.example': nowhere }, closed: nowhere.slice(0, 2) })
  expect(await fetch('http://a.example/', 'HEAD')).toMatchObject({ status: 200 })
})

test('a name that ends with a dot is the same host, with the same certificate', async () => {
  const { fetch } = start({ 'a.example': fine }, { addresses: { 'a.example.': ['93.184.0.0'] } })
  expect(await fetch('https://a.example./', 'HEAD')).toMatchObject({ is: 'reply', url: 'https://a.example./' })
})

test('a Location in UTF-8 leads where a browser goes', async () => {
  const location = Buffer.from('/prüfung').toString('latin1')
  const { fetch } = start({ 'a.example': ({ pathname }) => (pathname === '/' ? redirect(location) : fine()) })
  expect(await fetch('http://a.example/', 'HEAD')).toMatchObject({ permanent: 'http://a.example/pr%C3%BCfung' })
})

test('a body that stops is cut; what came before it counts', async () => {
  const stalled = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('beginning')) }))
  const { fetch } = start({ 'a.example': stalled }, { timeoutMs: 1_500 })
  expect(await fetch('http://a.example/', 'GET')).toMatchObject({ status: 200, body: 'beginning', isCut: true })
})

test('private addresses and other ports are contacted only if the operator wants it', async () => {
  const { fetch, privateRequests } = start(
    {},
    { allowsPrivate: true, addresses: { 'inside.example': ['192.168.0.7'] } },
  )
  expect(await fetch('http://inside.example:8080/', 'GET')).toMatchObject({ is: 'reply', body: '1' })
  expect(privateRequests()).toBe(1)
})

test('redirects are followed five times, and the permanent ones that come first are remembered', async () => {
  const { fetch, requests } = start({
    'a.example': ({ pathname }) => {
      const n = Number(pathname.slice(1))
      if (n >= 10) return redirect(`/${n + 1}`, 302)
      return n === 2 ? redirect('/3', 302) : n < 5 ? redirect(`http://b.example/${n + 1}`, 308) : fine()
    },
    'b.example': ({ pathname }) => redirect(`http://a.example${pathname}`),
  })
  expect(await fetch('http://a.example/1#t=5', 'HEAD')).toMatchObject({
    ...{ is: 'unreadable', why: 'more than 5 redirects' },
  })
  expect(requests).toHaveLength(6)
  expect(await fetch('http://a.example/4#t=5', 'HEAD')).toMatchObject({
    ...{ url: 'http://a.example/5#t=5', permanent: 'http://a.example/5#t=5' },
  })
  expect(await fetch('http://a.example/2', 'HEAD')).toMatchObject({ permanent: null, url: 'http://a.example/5' })
  expect(await fetch('http://a.example/11', 'HEAD')).toMatchObject({ is: 'unreadable' })
})

test('a host that is slow, endless or nonsense costs little time and memory', async () => {
  const never = () => new Promise<Response>(() => undefined)
  const options = { timeoutMs: 1_500, addresses: { 'nobody.example': [] } }
  const { fetch } = start(
    { 'slow.example': never, 'endless.example': endlessBody, 'odd.example': () => redirect('http://[nonsense/') },
    options,
  )
  expect(await fetch('http://slow.example/', 'GET')).toEqual({ is: 'timeout', why: 'no answer in time' })
  const cut = await fetch('http://endless.example/', 'GET')
  expect(cut).toMatchObject({ is: 'reply', isCut: true })
  expect(cut.is === 'reply' && cut.body.length).toBe(64 * 1024)
  expect(await fetch('http://odd.example/', 'GET')).toMatchObject({ is: 'unreadable' })
  expect(await fetch('http://nobody.example/', 'GET')).toMatchObject({ is: 'unresolved' })
  expect(await fetch('http://missing.example/', 'GET')).toEqual({ is: 'unresolved', why: 'ENOTFOUND' })
})

test('a request ends with the run; what had come before counts', async () => {
  const stopping = new AbortController()
  const hang = () => {
    stopping.abort()
    return new Promise<Response>(() => undefined)
  }
  const { fetch, requests } = start({ 'a.example': fine, 'slow.example': hang }, { signal: stopping.signal })
  expect(await fetch('http://a.example/', 'GET')).toMatchObject({ is: 'reply' })
  const beganMs = performance.now()
  expect(await fetch('http://slow.example/', 'GET').catch(({ name }) => name)).toBe('AbortError')
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  expect(requests).toHaveLength(2)
})

test('a host that sends informational responses without end is unreadable', async () => {
  const flood = createServer((socket) => {
    socket.on('error', () => undefined)
    const send = () => socket.destroyed || socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), send)
    send()
  })
  await new Promise<void>((listens) => flood.listen(0, '127.0.0.1', () => listens()))
  const { port } = flood.address() as AddressInfo
  const { fetch } = start({}, { allowsPrivate: true, connectTo: () => ({ host: '127.0.0.1', port }) })
  expect(await fetch('http://127.0.0.1/', 'GET')).toMatchObject({ is: 'unreadable' })
  flood.close()
})

test('a silent name server is no fault of the name, unless other names resolve', async () => {
  const hang = () => new Promise<readonly string[]>(() => undefined)
  const { fetch } = start({ 'a.example': fine }, { timeoutMs: 500, addresses: { 'hang.example': hang } })
  expect(await fetch('http://hang.example/', 'GET')).toMatchObject({ is: 'unreached' })
  await fetch('http://a.example/', 'GET')
  expect(await fetch('http://hang.example/', 'GET')).toMatchObject({ is: 'unresolved' })
})

test('names whose servers are silent hold up no other name', async () => {
  const server = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    if (query.includes('silent')) return
    const reply = Buffer.from(query)
    // Server failure, or no such name.
    reply.writeUInt16BE(query.includes('broken') ? 0x8182 : 0x8183, 2)
    server.send(reply, port, address)
  })
  await new Promise<void>((listens) => server.bind(0, '127.0.0.1', () => listens()))
  const before = getServers()
  setServers([`127.0.0.1:${server.address().port}`])
  try {
    const silent = Promise.allSettled(Array.from({ length: 20 }, (_, i) => resolveName(`silent${i}.example`)))
    const isAnswered = resolveName('missing.example').catch(toErrorCode)
    expect(await Promise.race([silent, isAnswered])).toBe('ENOTFOUND')
    expect(await resolveName('broken.example').catch(toErrorCode)).toBe('EAI_AGAIN')
  } finally {
    setServers(before)
    server.close()
  }
})

test('a name whose servers do not answer fails, unless no name resolves', async () => {
  const { fetch } = start({ 'a.example': fine }, { addresses: { 'lame.example': () => fail('EAI_AGAIN') } })
  expect(await fetch('http://lame.example/', 'GET')).toEqual({ is: 'unreached', why: 'EAI_AGAIN' })
  await fetch('http://a.example/', 'GET')
  expect(await fetch('http://lame.example/', 'GET')).toEqual({ is: 'unresolved', why: 'ESERVFAIL' })
})

function fail(code: string): never {
  throw Object.assign(new Error(code), { code })
}

/** A clock that goes on only while somebody waits. */
function createWaits() {
  let now = 1_000_000
  const sleep = async (ms: number) => {
    now += ms
  }
  return { now: () => now, sleep }
}

/** A clock for many who wait at the same time: it goes on to the first of them, when all others wait, too. */
function createQueue() {
  const starts: { readonly host: string; readonly ms: number }[] = []
  const waiting: { readonly ms: number; readonly wake: () => void }[] = []
  let now = 1_000_000
  const wakeNext = () => {
    const next = waiting.sort((a, b) => a.ms - b.ms).shift()
    if (next === undefined) return
    now = Math.max(now, next.ms)
    next.wake()
    setImmediate(wakeNext)
  }
  setImmediate(wakeNext)
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      waiting.push({ ms: now + ms, wake })
    })
  return { starts, clock: { now: () => now, sleep } }
}

test('a host is asked once a second, counted from the end of the request before', async () => {
  const clock = createWaits()
  const pacer = createPacer(clock, new AbortController().signal)
  const [starts, ends]: [number[], number[]] = [[], []]
  const ask = () =>
    pacer.inTurn('a.example', async () => {
      starts.push(clock.now())
      await clock.sleep(300)
      ends.push(clock.now())
    })
  await Promise.all([ask(), ask(), ask()])
  expect(starts.slice(1).map((at, i) => at - (ends[i] ?? 0))).toEqual([1_000, 1_000])
})

test('a host that asks for a pause gets it, and after three in a row or a long one it is left alone', async () => {
  const clock = createWaits()
  const pacer = createPacer(clock, new AbortController().signal)
  const ask = (retryAfter: string | undefined, host = 'a.example') =>
    pacer.inTurn(host, async (pause) => {
      pause(retryAfter)
      return clock.now()
    })
  const times = [await ask('120'), await ask(undefined), await ask('1.5')]
  expect(times.map((at) => Number(at) - Number(times[0]))).toEqual([0, 120_000, 180_000])
  expect(await ask('1')).toBe('closed')
  const until = clock.now() + 90_000
  await ask(new Date(until).toUTCString(), 'b.example')
  expect(await ask('86400', 'b.example')).toBe(until)
  // A pause of no time is one, and an empty header names none.
  const before = await ask('0', 'd.example')
  expect([await ask('', 'd.example'), await ask('0', 'd.example'), await ask('0', 'd.example')]).toEqual([
    Number(before) + 1_000,
    Number(before) + 61_000,
    'closed',
  ])
  // One that has waited for its turn since before the host said so.
  expect(await Promise.all([ask('86400', 'c.example'), ask('1', 'c.example')])).toEqual([clock.now(), 'closed'])
})

test('a host that names the time of its next request is asked then, although the machine had another time before', async () => {
  const clock = createWaits()
  for (const hours of [-5, 5]) {
    const timeOfDay = () => clock.now() + hours * 3_600_000
    const pacer = createPacer({ ...clock, timeOfDay }, new AbortController().signal)
    const ask = (retryAfter: string) =>
      pacer.inTurn('a.example', async (pause) => {
        pause(retryAfter)
        return timeOfDay()
      })
    const until = timeOfDay() - (timeOfDay() % 1_000) + 90_000
    await ask(new Date(until).toUTCString())
    expect(await ask('1')).toBe(until)
  }
})

test('any reply but a success can ask for a pause', async () => {
  const headers = { 'Retry-After': '86400' }
  const { fetch, requests } = start({
    'a.example': () => new Response('rate limit', { status: 403, headers }),
    'b.example': () => new Response('fine', { headers }),
  })
  for (const host of ['a.example', 'b.example']) for (let i = 0; i < 2; i++) await fetch(`http://${host}/`, 'GET')
  expect(requests).toEqual(['GET a.example/', 'GET b.example/', 'GET b.example/'])
  expect(await fetch('http://a.example/', 'GET')).toEqual({ is: 'paused', host: 'a.example' })
})

test('a host is asked once a second by all of its names', async () => {
  const clock = createWaits()
  const pacer = createPacer(clock, new AbortController().signal)
  const ask = (host: string) => pacer.inTurn(host, async () => clock.now())
  const [first, second] = await Promise.all([ask('a.example'), ask('a.example.')])
  expect(Number(second) - Number(first)).toBe(1_000)
})

test('hosts are not all asked at the same moment, and their number does not slow down any of them', async () => {
  const { starts, clock } = createQueue()
  const pacer = createPacer(clock, new AbortController().signal)
  const ask = (host: string) => pacer.inTurn(host, async () => void starts.push({ host, ms: clock.now() }))
  const hosts = Array.from({ length: 50 }, (_, i) => `host-${i}.example`)
  await Promise.all([1, 2, 3].flatMap(() => hosts.map(ask)))
  const times = starts.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const gaps = times.slice(1).map((ms, i) => ms - (times[i] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10)
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(3_000)
})

test('nobody is asked once the run is stopped', async () => {
  const stopping = new AbortController()
  const pacer = createPacer(createWaits(), stopping.signal)
  stopping.abort()
  expect(pacer.inTurn('a.example', async () => 'asked')).rejects.toThrow()
})

test('Containers with one host name and process id are different holders of a run', () => {
  expect(toHolder('serve')).toMatch(/^rostrum serve, process \d+ on .+ \([0-9a-f]{8}\)$/)
  expect(toHolder('serve')).not.toBe(toHolder('serve'))
})
