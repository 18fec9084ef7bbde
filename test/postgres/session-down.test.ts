import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encode, type FieldList, listForms } from '../contract/curator.ts'
import { headerOf, send } from '../harness/raw.ts'
import { type Nodes, startNodes } from './nodes.ts'

let nodes: Nodes
beforeAll(async () => {
  nodes = await startNodes(1, { fsync: false })
}, 120_000)
afterAll(() => nodes?.stop())

async function post(path: string, fields: FieldList, cookie = '') {
  const { server } = nodes.any()
  const { body, type } = await encode(fields)
  const own = { Origin: `http://127.0.0.1:${server.port}`, Accept: 'text/html' }
  const headers = { ...own, 'Content-Type': type, Cookie: cookie }
  return send(server.port, { method: 'POST', target: path, headers, body })
}

test('what was typed is in the answer while the database is down, whoever the caller is', async () => {
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
}, 60_000)
