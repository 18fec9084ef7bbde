import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { toPath, useService } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { runToEnd } from './spawn.ts'

const service = useService({ args: ['--threads', '2', '--auth', 'local'] })

/** Nobody's, and so never ours. */
const otherUid = 65_534
const isRoot = process.getuid?.() === 0
const client = `${import.meta.dir}/other-user.ts`

/** Only root can become another user; elsewhere the same request is made by our own, who is trusted. */
const asOther = isRoot ? String(otherUid) : ''
const forOther = isRoot ? 401 : 201

test('another user of the machine needs a token, and the response says why', async () => {
  const { port } = service.server()
  const { stdout } = await runToEnd([process.execPath, client, 'post', String(port), asOther], 20_000)
  const { status, body } = JSON.parse(stdout)
  expect(status).toBe(forOther)
  if (isRoot) expect(body.detail).toMatch(/another user/)
})

test('a proxy of another user that adds no header gives nobody access', async () => {
  const { port } = service.server()
  const { stdout } = await runToEnd([process.execPath, client, 'proxy', String(port), asOther], 20_000)
  expect(JSON.parse(stdout).status).toBe(forOther)
})

test('a draft is 404 for another user of the machine, and not in lists', async () => {
  const { id } = await service.create({ state: 2 })
  const { port } = service.server()
  const { stdout } = await runToEnd([process.execPath, client, 'read', String(port), asOther, String(id)], 20_000)
  const { item, list } = JSON.parse(stdout)
  expect([item, list]).toEqual(isRoot ? [404, 0] : [200, 1])
})

test('reads of live records have no cost for local mode, in whatever form', async () => {
  const [live, draft] = [await service.create(), await service.create({ state: 2 })]
  const tag = headerOf(await service.call({ method: 'GET', path: toPath(live.id) }), 'ETag') ?? ''
  const countReads = (id: unknown) =>
    countRead(async () => {
      await service.call({ method: 'GET', path: toPath(id) })
      await service.call({ method: 'GET', path: `${toPath(id)}?format=json` })
      await service.call({ method: 'GET', path: toPath(id), headers: { 'If-None-Match': tag } })
    })
  // Of a draft each reads the kernel's table of connections; what else is read meanwhile, the threads read by themselves.
  expect(await countReads(live.id)).toBeLessThan((await countReads(draft.id)) / 2)
})

/** What the service read from files while this was done thirty times. */
async function countRead(work: () => Promise<unknown>): Promise<number> {
  const { pid } = service.server().process
  const readSoFar = () => Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1])
  const before = readSoFar()
  for (let i = 0; i < 30; i++) await work()
  return readSoFar() - before
}

test('a caller that has closed its end or half of it needs a token, since its user is unknown', async () => {
  const { port, process: server } = service.server()
  const body = '{"category":"c","title":"half-closed"}'
  const head = `POST /api/v2/video HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  // Stopped, so that the end is there before the request is looked at.
  server.kill('SIGSTOP')
  const socket = createConnection({ host: '127.0.0.1', port })
  await new Promise<void>((resolve, reject) => void socket.on('error', reject).end(head + body, resolve))
  server.kill('SIGCONT')
  await new Promise<void>((resolve) => void socket.on('close', () => resolve()).resume())
  const list = await service.call({ method: 'GET', path: '/api/v2/video?q=half-closed', as: 'admin' })
  expect(JSON.parse(list.body).count).toBe(0)
})
