import { describe, expect, test } from 'bun:test'
import { exchange, headerOf, send, toBytes, toChunks } from '../harness/raw.ts'
import { checkApiHeaders, checkItemHeaders, checkProblem } from './every-answer.ts'
import { fail, listPath, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const maxBodyBytes = 1024 * 1024
const maxTargetBytes = 8 * 1024

const toBody = (length: number) => JSON.stringify({ summary: 'padded' }).padEnd(length, ' ')
const patch = { method: 'PATCH', path: toPath('{id}'), as: 'admin' as const }
const chunked = { 'Transfer-Encoding': 'chunked' }

const bodies: readonly Row[] = [
  { ...patch, name: 'A body of 1 MiB is taken', body: toBody(maxBodyBytes), status: 200 },
  { ...patch, name: 'A body of 1 MiB and a byte is refused', body: toBody(maxBodyBytes + 1), status: 413 },
  { ...patch, name: 'A body of 2 MiB is refused', body: toBody(2 * maxBodyBytes), status: 413 },
  { ...patch, name: 'A small body in chunks is taken', headers: chunked, body: toChunks(toBody(100), 7), status: 200 },
  {
    ...patch,
    name: 'A body of 1 MiB in chunks is taken',
    headers: chunked,
    body: toChunks(toBody(maxBodyBytes), 60_000),
    status: 200,
  },
  {
    ...patch,
    name: 'A body of 1 MiB and a byte in chunks is refused',
    headers: chunked,
    body: toChunks(toBody(maxBodyBytes + 1), 60_000),
    status: 413,
  },
  {
    ...patch,
    name: 'A body of 2 MiB in chunks is refused',
    headers: chunked,
    body: toChunks(toBody(2 * maxBodyBytes), 60_000),
    status: 413,
  },
  { ...patch, name: 'A PUT that is too large is refused', method: 'PUT', body: toBody(maxBodyBytes + 1), status: 413 },
  {
    ...patch,
    name: 'A POST that is too large is refused',
    method: 'POST',
    path: listPath,
    body: toBody(maxBodyBytes + 1),
    status: 413,
  },
  ...[maxBodyBytes + 1, 1_000_000_000].map((bytes) => ({
    ...patch,
    name: `A Content-Length of ${bytes} is refused before the body comes`,
    body: '',
    headers: { 'Content-Length': String(bytes) },
    status: 413,
  })),
  ...[100, 2 * maxBodyBytes].map((bytes) => ({
    ...patch,
    name: `A body that says twice that it has ${bytes} bytes is refused`,
    body: toBody(bytes),
    headers: { 'Content-Length': [String(bytes), String(bytes)] },
    status: 400,
  })),
]

async function getTarget(target: string) {
  return send(service.server().port, { method: 'GET', target })
}

describe('The body', () => runTable(bodies, service))

describe('The target', () => {
  const toTarget = (path: string, length: number) => `${path}?x=`.padEnd(length, 'x')

  test('may have 8 KiB', async () => {
    const { id } = await service.create()
    expect((await getTarget(toTarget(toPath(id), maxTargetBytes))).status).toBe(200)
  })

  for (const length of [maxTargetBytes + 1, 12_000, 60_000]) {
    test(`of ${length} bytes is refused`, async () => {
      const answer = await getTarget(toTarget(toPath(1), length))
      expect(answer.status).toBe(414)
      checkProblem({ method: 'GET' }, answer)
      checkApiHeaders(answer)
      checkItemHeaders(answer)
    })
  }

  test('that is too long is refused on the list', async () => {
    const answer = await getTarget(toTarget(listPath, maxTargetBytes + 1))
    expect(answer.status).toBe(414)
    checkProblem({ method: 'GET' }, answer)
  })
})

describe('The headers', () => {
  const get = (id: unknown, headers: Record<string, string>) =>
    service.call({ method: 'GET', path: toPath(id), headers })

  test('may have 15 KiB', async () => {
    const { id } = await service.create()
    expect((await get(id, { 'X-Long': 'x'.repeat(15 * 1024) })).status).toBe(200)
  })

  for (const kib of [17, 64]) {
    test(`of ${kib} KiB in one are refused`, async () => {
      const answer = await get(1, { 'X-Long': 'x'.repeat(kib * 1024) })
      expect(answer.status).toBe(431)
      checkProblem({ method: 'GET' }, answer)
      checkItemHeaders(answer)
    })
  }

  test('of 17 KiB in many are refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`X-Part-${index}`, 'x'.repeat(1024)]))
    expect((await get(1, many)).status).toBe(431)
  })
})

const goodHosts = [
  'localhost',
  'localhost:8080',
  'my_host:80',
  'video.example.org',
  '127.0.0.1',
  '10.0.0.1:443',
  '[::1]',
  '[2001:db8::1]:8080',
  'EXAMPLE.org',
]
const badHosts = [
  '',
  'a b',
  'a/b',
  'user@example.org',
  'http://example.org',
  '[::1',
  '::1',
  'example.org:port',
  'example.org:80:80',
  'exa<mple',
  'a,b',
  'a?b',
  'a#b',
  '%zz',
  'ex"ample',
  '1.2.3.4.5',
  '256.1.1.1',
  '1.2.3.256:80',
  'xn--a',
  'www.xn--a.org',
]

describe('The Host header', () => {
  for (const host of goodHosts) {
    test(`may be ${host}`, async () => {
      const { id } = await service.create()
      const answer = await service.call({ method: 'GET', path: toPath(id), headers: { Host: host } })
      expect(answer.status).toBe(200)
    })
  }

  for (const host of badHosts) {
    test(`may not be ${JSON.stringify(host)}`, async () => {
      const answer = await service.call({ method: 'GET', path: toPath(1), headers: { Host: host } })
      expect(answer.status).toBe(400)
      checkProblem({ method: 'GET' }, answer)
      checkItemHeaders(answer)
    })
  }

  for (const path of ['/api/docs', '/api/v2', '/api/v2/openapi.json', '/']) {
    test(`may not be 1.2.3.4.5 or xn--a at ${path}, of which no address can be made`, async () => {
      const answers = ['1.2.3.4.5', 'xn--a'].map((Host) => service.call({ method: 'GET', path, headers: { Host } }))
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400])
    })
  }

  for (const hosts of [
    ['localhost', 'example.org'],
    ['localhost', 'localhost'],
  ]) {
    test(`may not come twice: ${hosts.join(' and ')}`, async () => {
      const answer = await service.call({ method: 'GET', path: toPath(1), headers: { Host: hosts } })
      expect(answer.status).toBe(400)
      checkProblem({ method: 'GET' }, answer)
    })
  }

  test('is judged on a write before anything is written', async () => {
    const { id } = await service.create()
    const before = await service.read(id)
    const answer = await service.patch(id, { summary: 'x' }, { Host: ['localhost', 'example.org'] })
    expect([answer.status, (await service.read(id)).body]).toEqual([400, before.body])
  })
})

/** Every thread has its own memory; connections go to one by chance. */
async function warm(id: unknown): Promise<void> {
  for (let i = 0; i < 40; i++) await service.call({ method: 'GET', path: toPath(id) })
}

describe('A connection', () => {
  test('may carry several requests, one after another', async () => {
    const { id } = await service.create()
    const { port } = service.server()
    // What a connection sends behind an answer that is still to come, Bun loses: what is known need not be waited for.
    await warm(id)
    const get = toBytes(port, { method: 'GET', target: toPath(id) })
    const head = toBytes(port, { method: 'HEAD', target: toPath(id) })
    const none = toBytes(port, { method: 'GET', target: toPath('01') })
    const answers = await exchange(port, Buffer.concat([get, head, none, get]), {
      methods: ['GET', 'HEAD', 'GET', 'GET'],
    })
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
    const [first, second, , last] = answers
    expect(last?.body).toBe(first?.body ?? fail('No answer'))
    expect(second === undefined ? null : headerOf(second, 'Content-Length')).toBe(String(first?.bytes.length))
  })

  test('goes on after a write was refused', async () => {
    const { id } = await service.create()
    const answer = await service.patch(id, { nope: 1 })
    const next = await service.call({ method: 'PUT', path: toPath(id), as: 'admin', json: requiredFields })
    expect([answer.status, next.status]).toEqual([400, 200])
  })
})
