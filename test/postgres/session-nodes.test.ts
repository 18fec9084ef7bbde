import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encode } from '../contract/curator.ts'
import { headerOf, send } from '../harness/raw.ts'
import { createToken, revokeToken, type Server } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Nodes, startNodes } from './nodes.ts'

// Runner: long (sessions on two nodes)

let nodes: Nodes
beforeAll(async () => {
  nodes = await startNodes(2)
}, 120_000)
afterAll(() => nodes?.stop())

const servers = () => nodes.all.map(({ server }) => server)

async function post(server: Server, path: string, fields: readonly (readonly [string, string])[], cookie = '') {
  const { body, type } = await encode(fields)
  const headers = { Origin: `http://127.0.0.1:${server.port}`, 'Content-Type': type, Cookie: cookie }
  return send(server.port, { method: 'POST', target: path, headers, body })
}

async function signIn(server: Server, key: string): Promise<string> {
  const answer = await post(server, '/edit/sign-in', [['key', key]])
  const [cookie = ''] = /^rostrum_session=[^;]+/.exec(headerOf(answer, 'Set-Cookie') ?? '') ?? []
  expect([answer.status, cookie === '']).toEqual([303, false])
  return cookie
}

/** What all threads of all nodes say. */
async function readStatuses(cookie: string): Promise<ReadonlySet<number>> {
  const calls = servers().flatMap(({ port }) =>
    Array.from({ length: 4 }, () => send(port, { method: 'GET', target: '/edit', headers: { Cookie: cookie } })),
  )
  return new Set((await Promise.all(calls)).map(({ status }) => status))
}

const toToken = (cookie: string) =>
  new Bun.CryptoHasher('sha256').update(`csrf ${cookie.split('=')[1]}`).digest('base64url')

test('a session of one node is valid on the other, and ends on both when its owner signs out on either', async () => {
  const [first, second] = servers()
  if (first === undefined || second === undefined) return expect.unreachable()
  const cookie = await signIn(first, first.adminKey)
  expect(await readStatuses(cookie)).toEqual(new Set([200]))
  expect((await post(second, '/edit/sign-out', [['csrf', toToken(cookie)]], cookie)).status).toBe(303)
  const ended = new Set([303])
  await until('it has ended everywhere', async () => Bun.deepEquals(await readStatuses(cookie), ended), {
    timeoutMs: 1_000,
  })
}, 180_000)

test('a session ends on both nodes within a second after its token was revoked', async () => {
  const [first, second] = servers()
  if (first === undefined || second === undefined) return expect.unreachable()
  const key = await createToken(first, 'ann', 'editor')
  const cookie = await signIn(first, key)
  expect(await readStatuses(cookie)).toEqual(new Set([200]))
  await revokeToken(second, 'ann')
  await Bun.sleep(1_000)
  expect(await readStatuses(cookie)).toEqual(new Set([303]))
}, 180_000)
