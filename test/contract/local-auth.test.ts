import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HeaderList } from '../harness/raw.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { createService, fail, listPath, parseFields, requiredFields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor'], args: ['--threads', '2', '--auth', 'local'] })

type Case = readonly [string, (port: number) => HeaderList]

const trusted: readonly Case[] = [
  ['the Host 127.0.0.1 with our port', (port) => ({ Host: `127.0.0.1:${port}` })],
  ['the Host localhost with our port', (port) => ({ Host: `localhost:${port}` })],
  ['the Host LOCALHOST', (port) => ({ Host: `LOCALHOST:${port}` })],
  ['the Host [::1]', (port) => ({ Host: `[::1]:${port}` })],
  ['our own Origin', (port) => ({ Origin: `http://127.0.0.1:${port}` })],
  ['our own Origin by name', (port) => ({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })],
]

const untrusted: readonly Case[] = [
  ['a Host elsewhere', () => ({ Host: 'example.org' })],
  ['a Host elsewhere with our port', (port) => ({ Host: `example.org:${port}` })],
  ['a Host that begins like ours', (port) => ({ Host: `127.0.0.1.example.org:${port}` })],
  ['a Host that begins with localhost', (port) => ({ Host: `localhost.example.org:${port}` })],
  ['a Host on the local network', (port) => ({ Host: `192.168.0.1:${port}` })],
  ['the Host 0.0.0.0', (port) => ({ Host: `0.0.0.0:${port}` })],
  ['Forwarded', () => ({ Forwarded: 'for=127.0.0.1' })],
  ['X-Forwarded-For', () => ({ 'X-Forwarded-For': '127.0.0.1' })],
  ['X-Forwarded-Host', () => ({ 'X-Forwarded-Host': 'localhost' })],
  ['X-Forwarded-Proto', () => ({ 'X-Forwarded-Proto': 'http' })],
  ['X-Forwarded-Port', () => ({ 'X-Forwarded-Port': '80' })],
  ['X-Forwarded-Server', () => ({ 'X-Forwarded-Server': 'localhost' })],
  ['an X-Forwarded- header of any name', () => ({ 'x-forwarded-anything': 'x' })],
  ['Via', () => ({ Via: '1.1 localhost' })],
  ['X-Real-IP', () => ({ 'X-Real-IP': '127.0.0.1' })],
  ['x-real-ip in small letters', () => ({ 'x-real-ip': '127.0.0.1' })],
  ['CF-Connecting-IP', () => ({ 'CF-CONNECTING-IP': '127.0.0.1' })],
  ['True-Client-IP', () => ({ 'True-Client-Ip': '127.0.0.1' })],
  ['X-Client-IP', () => ({ 'x-CLIENT-ip': '127.0.0.1' })],
  ['X-Cluster-Client-IP', () => ({ 'X-Cluster-Client-IP': '127.0.0.1' })],
  ['an empty X-Real-IP', () => ({ 'X-Real-IP': '' })],
  ['an Origin elsewhere', () => ({ Origin: 'https://example.org' })],
  ['the Origin null', () => ({ Origin: 'null' })],
  ['our Origin on another port', () => ({ Origin: 'http://127.0.0.1:1' })],
  ['our Origin without a port', () => ({ Origin: 'http://127.0.0.1' })],
  ['our Origin with https', (port) => ({ Origin: `https://127.0.0.1:${port}` })],
  ['an Origin that begins like ours', (port) => ({ Origin: `http://127.0.0.1:${port}.example.org` })],
]

const judged: readonly (readonly [string, HeaderList])[] = [
  ['a wrong token', { Authorization: 'Token rst_0000000000000000000000000000000000000000' }],
  ['another scheme', { Authorization: 'Basic YTpi' }],
]

const post = (headers: HeaderList, state = 1) =>
  service.call({ method: 'POST', path: listPath, json: { ...requiredFields, state }, headers })

describe('With --auth local, a request without a token', () => {
  for (const [what, toHeaders] of trusted) {
    test(`counts as an admin with ${what}`, async () => {
      const headers = toHeaders(service.server().port)
      const answer = await post(headers)
      expect([answer.status, parseFields(answer).state]).toEqual([201, 1])
      const path = toPath(parseFields(answer).id)
      expect((await service.call({ method: 'PATCH', path, json: { state: 2 }, headers })).status).toBe(200)
      expect((await service.call({ method: 'GET', path, headers })).status).toBe(200)
      expect((await service.call({ method: 'GET', path: '/api/v2/batches', headers })).status).toBe(200)
    })
  }

  test('may undo a batch, as an import proposes', async () => {
    const { id } = await service.create({ category: 'Before' })
    const rename = { method: 'PATCH', path: '/api/v2/category/before', json: { title: 'After' } }
    expect((await service.call(rename)).status).toBe(200)
    const batches = parseFields(await service.call({ method: 'GET', path: '/api/v2/batches' })).results
    const [batch] = Array.isArray(batches) ? batches : fail('no list of batches')
    const undone = await service.call({ method: 'POST', path: `/api/v2/batches/${batch.id}/undo` })
    expect([undone.status, parseFields(await service.read(id)).category]).toEqual([200, 'Before'])
  })

  for (const [what, toHeaders] of untrusted) {
    test(`needs a token with ${what}`, async () => {
      const headers = toHeaders(service.server().port)
      expect((await post(headers)).status).toBe(401)
      const { id } = await service.create({ state: 2 })
      expect((await service.call({ method: 'GET', path: toPath(id), headers })).status).toBe(404)
    })
  }
})

const reasons: readonly (readonly [string, HeaderList, RegExp])[] = [
  ['a Host elsewhere', { Host: 'example.org' }, /Host/],
  ['a header of a proxy', { 'x-real-ip': '127.0.0.1' }, /X-Real-IP/],
  ['X-Forwarded-Anything', { 'X-Forwarded-Anything': 'secret' }, /X-Forwarded-/],
  ['an Origin elsewhere', { Origin: 'https://example.org' }, /Origin/],
]

describe('With --auth local, a 401 says why the mode did not apply', () => {
  for (const [what, headers, reason] of reasons) {
    test(`with ${what}`, async () => {
      const answer = await post(headers)
      const { detail } = parseFields(answer)
      expect(detail).toMatch(/local mode/i)
      expect(detail).toMatch(reason)
      expect(detail).not.toMatch(/secret/)
    })
  }
})

describe('With --auth local, a token that is sent', () => {
  for (const [what, headers] of judged) {
    test(`is judged: ${what}`, async () => expect((await post(headers)).status).toBe(401))
  }

  test('is judged by its role', async () => {
    const toHeaders = (role: 'reader' | 'editor' | 'admin') => ({ Authorization: `Token ${service.keyOf(role)}` })
    const statuses = [
      await post(toHeaders('reader'), 2),
      await post(toHeaders('editor'), 1),
      await post(toHeaders('editor'), 2),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 201])
    expect((await post({ ...toHeaders('admin'), Host: 'example.org', Via: '1.1 proxy' })).status).toBe(201)
  })
})

describe('With --auth local and a limit of writes', () => {
  let started: Server | null = null
  const server = () => started ?? fail('The server has not started')
  const limited = createService(server, () => server().adminKey)

  beforeAll(async () => {
    started = await startServer({ args: ['--threads', '1', '--auth', 'local', '--writes', '1'] })
  }, 180_000)
  afterAll(() => started?.kill9())

  test('the refusal speaks of no token, since none was sent', async () => {
    const call = { method: 'POST', path: listPath, json: requiredFields }
    expect((await limited.call(call)).status).toBe(201)
    const refused = await limited.call(call)
    expect([refused.status, parseFields(refused).detail]).toEqual([429, expect.not.stringMatching(/token has/i)])
    await until('it is logged', () =>
      server().stderr().includes('"too many writes","address":"127.0.0.1","by":"local","count":1'),
    )
  })
})

describe('The start-up text', () => {
  test('says that local authorisation is on', () => {
    const { stdout, stderr } = service.server()
    expect(stdout() + stderr()).toMatch(/local/i)
  })
})

describe('With --auth local on all addresses', () => {
  let started: Server | null = null
  const server = () => started ?? fail('The server has not started')
  const open = createService(server, () => server().adminKey)

  beforeAll(async () => {
    started = await startServer({ host: '0.0.0.0', args: ['--threads', '1', '--auth', 'local'] })
  }, 180_000)
  afterAll(() => started?.kill9())

  test('everyone needs a token', async () => {
    const call = { method: 'POST', path: listPath, json: requiredFields }
    const refused = await open.call(call)
    expect([refused.status, parseFields(refused).detail]).toEqual([401, expect.stringMatching(/loopback/)])
    expect((await open.call({ ...call, as: 'admin' })).status).toBe(201)
  })
})
