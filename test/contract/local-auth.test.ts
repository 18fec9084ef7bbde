import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HeaderList } from '../harness/raw.ts'
import { type Server, startServer } from '../harness/server.ts'
import { createService, fail, listPath, parseFields, requiredFields, toPath, useService } from './service.ts'

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
    test(`counts as a publisher with ${what}`, async () => {
      const headers = toHeaders(service.server().port)
      const answer = await post(headers)
      expect([answer.status, parseFields(answer).state]).toEqual([201, 1])
      const path = toPath(parseFields(answer).id)
      expect((await service.call({ method: 'PATCH', path, json: { state: 2 }, headers })).status).toBe(200)
      expect((await service.call({ method: 'GET', path, headers })).status).toBe(200)
    })
  }

  for (const [what, toHeaders] of untrusted) {
    test(`needs a token with ${what}`, async () => {
      const headers = toHeaders(service.server().port)
      expect((await post(headers)).status).toBe(401)
      const { id } = await service.create({ state: 2 })
      expect((await service.call({ method: 'GET', path: toPath(id), headers })).status).toBe(404)
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
  }, 30_000)
  afterAll(() => started?.kill9())

  test('everyone needs a token', async () => {
    const call = { method: 'POST', path: listPath, json: requiredFields }
    expect((await open.call(call)).status).toBe(401)
    expect((await open.call({ ...call, as: 'admin' })).status).toBe(201)
  })
})
