import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encode, type FieldList, listForms } from '../contract/curator.ts'
import { headerOf, send } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { type OwnNodes, readLog, startOwnNodes } from './nodes.ts'

let nodes: OwnNodes
beforeAll(async () => {
  nodes = await startOwnNodes(1, { fsync: false })
}, 120_000)
afterAll(() => nodes?.stop())

async function post(path: string, fields: FieldList, cookie = '') {
  const { server } = nodes.any()
  const { body, type } = await encode(fields)
  const own = { Origin: `http://127.0.0.1:${server.port}`, Accept: 'text/html' }
  const headers = { ...own, 'Content-Type': type, Cookie: cookie }
  return send(server.port, { method: 'POST', target: path, headers, body })
}

test('what was typed is in the answer while the database is down, for every caller', async () => {
  const { server } = nodes.any()
  const signed = await post('/edit/sign-in', [['key', server.adminKey]])
  const [cookie = ''] = /^rostrum_session=[^;]+/.exec(headerOf(signed, 'Set-Cookie') ?? '') ?? []
  expect([signed.status, cookie === '']).toEqual([303, false])
  await nodes.cluster.kill()

  const typed: FieldList = [
    ['csrf', 'the token of its page'],
    ['etag', '1-0'],
    ['field.title', 'Typed & kept'],
  ]
  const form = await post('/edit/video/1?list=state%3D2', typed, cookie)
  const repeat = listForms(form.body).find(({ action }) => action === '/edit/video/1?list=state%3D2')
  expect([form.status, repeat?.fields]).toEqual([503, typed])

  const late: FieldList = [
    ['next', '/edit/video/1'],
    ['repeats', '1'],
    ['typed:field.title', 'Typed & kept'],
  ]
  const signIn = await post('/edit/sign-in', [...late, ['key', 'rst_unknown']])
  const again = listForms(signIn.body).find(({ action }) => action === '/edit/sign-in')
  expect([signIn.status, again?.fields]).toEqual([503, late])
}, 180_000)

test('the log has few lines of it, however many requests fail in five seconds, and says when it is over', async () => {
  const { server, client } = nodes.any()
  const before = readLog(server).length
  const read = async () => expect((await client.read(1)).status).toBe(503)
  const statuses = async () => void (await Promise.all(Array.from({ length: 20 }, read)))
  const sinceMs = performance.now()
  await until('five seconds are over', async () => {
    await statuses()
    return performance.now() > sinceMs + 5_000
  })

  await nodes.cluster.start()
  await until('it is over', async () => readLog(server).at(-1)?.event === 'store back')
  expect(readLog(server).at(-1)).toMatchObject({ level: 'info', host: `127.0.0.1:${nodes.cluster.port}` })
  expect((await client.read(1)).status).toBe(404)
  const lines = readLog(server).slice(before)
  const events = lines.map(({ event }) => event)
  expect(new Set(events)).toEqual(
    new Set(['store error', 'store unreachable', 'store back'].filter((each) => events.includes(each))),
  )
  expect(lines.length).toBeLessThanOrEqual(6)
  expect(lines.reduce((sum, { count = 0 }) => sum + count, 0)).toBeGreaterThan(20)
  expect(JSON.stringify(lines)).toContain(`127.0.0.1:${nodes.cluster.port}`)
  expect(JSON.stringify(lines)).not.toContain(' at ')
}, 180_000)
