import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { PostgresFailure } from '../../src/store/postgres/failure.ts'
import { maxSilenceMs } from '../../src/store/postgres/writer.ts'
import { readChanges } from '../contract/event-stream.ts'
import { toWritten } from '../faults/record-client.ts'
import { toCode } from './load.ts'
import { type Node, type Nodes, readUntil, startNode, startNodes, toProxied } from './nodes.ts'
import { type FailingProxy, startProxy } from './proxy.ts'

// Runner: long, slow

/** Three seconds for a read, and as many again for a busy machine. */
const maxAnswerMs = 6_000
/** Within so long a node trusts nothing any more that it has kept. */
const deafMs = 500
let nodes: Nodes
let proxy: FailingProxy
/** One that reaches PostgreSQL only through the proxy, and one that needs no proxy. */
let [behind, direct]: Node[] = []

beforeAll(async () => {
  nodes = await startNodes(1)
  proxy = await startProxy(nodes.port)
  direct = nodes.any()
  // One connection for each thread, at which 200 reads may wait.
  behind = await startNode({ db: toProxied(nodes, proxy), args: ['--threads', '2', '--pool', '2'] })
}, 180_000)

afterAll(async () => {
  await behind?.server.kill9()
  await proxy.close()
  await nodes.stop()
})

test('while PostgreSQL does not respond, reads are 503 in time, and nothing stale is shown', async () => {
  const { stalled, other } = both()
  const hot = await createHot(stalled)
  const cold = toWritten(await other.client.create({ title: 'Cold', whiteboard: '0' })).id
  proxy.stall()
  toWritten(await other.client.patch(hot, { whiteboard: '1' }))
  await Bun.sleep(deafMs)
  const since = performance.now()
  const wanted = Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? hot : cold))
  const times: number[] = []
  const read = async (id: number) => {
    const answer = await stalled.client.read(id)
    times.push(performance.now() - since)
    return answer
  }
  const answers = await Promise.all(wanted.map(read))
  const kinds = new Set(
    answers.map((answer) => `${answer.status} ${toCode(answer)} ${answer.headers.get('retry-after')}`),
  )
  expect([...kinds]).toEqual(['503 unreadable 1'])
  expect(Math.max(...times)).toBeLessThan(maxAnswerMs)
  // Those for whom there was no place did not wait.
  expect(Math.min(...times)).toBeLessThan(2_500)
  expect((await fetch(`${stalled.server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${stalled.server.url}/readyz`)).status).toBe(503)
  proxy.resume()
  await expectHealed(stalled, hot, 1)
}, 180_000)

test('a write without a response from PostgreSQL is done once, or reported as unknown', async () => {
  const { stalled, other } = both()
  const hot = await createHot(stalled)
  proxy.stall()
  const body = JSON.stringify({ category: 'Faults', title: 'Silence' })
  const headers = { Authorization: `Token ${stalled.server.adminKey}`, 'Content-Type': 'application/json' }
  const posting = fetch(`${stalled.server.url}/api/v2/video`, { method: 'POST', headers, body })
  await Bun.sleep(1_500)
  proxy.resume()
  const { status } = await posting
  expect([201, 503]).toContain(status)
  await expectHealed(stalled, hot, 0)
  const list = await fetch(`${other.server.url}/api/v2/video?q=Silence`, { headers })
  const { count }: { count: number } = JSON.parse(await list.text())
  expect(status === 201 ? [1] : [0, 1]).toContain(count)
}, 180_000)

test('connections that no longer respond are closed and replaced', async () => {
  const { stalled, other } = both()
  const hot = await createHot(stalled)
  proxy.freeze()
  toWritten(await other.client.patch(hot, { whiteboard: '1' }))
  await Bun.sleep(deafMs)
  const since = performance.now()
  const read = async () => (await stalled.client.read(hot)).status === 200
  while (!(await read()) && performance.now() < since + 2 * maxAnswerMs) await Bun.sleep(20)
  await expectHealed(stalled, hot, 1)
  const patch = async () => (await stalled.client.patch(hot, { whiteboard: '2' })).status === 200
  while (!(await patch()) && performance.now() < since + 5 * maxAnswerMs) await Bun.sleep(20)
  await expectHealed(stalled, hot, 2)
}, 90_000)

test('a node that has just started knows every place in the feed, though it hears of nothing yet', async () => {
  const { server } = both().other
  await createHot(both().other)
  const story = await readChanges(server, 0, server.adminKey)
  const cut = proxy.cutAt('LISTEN rostrum', 'before')
  const started = await startNode({ db: toProxied(nodes, proxy) })
  const told = await readChanges(started.server, 0, server.adminKey)
  await Promise.all([cut, started.server.kill9()])
  expect(told).toEqual(story)
}, 180_000)

test('a node that freezes in the middle of a write does not block the others', async () => {
  const { other } = both()
  const hot = await createHot(other)
  const still = openPostgres(nodes.db, { maxSilenceMs })
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = still.transaction('write', () => {
    begin()
    return over
  })
  await begun
  const since = performance.now()
  const patch = async () => (await other.client.patch(hot, { whiteboard: '2' })).status === 200
  while (!(await patch()) && performance.now() < since + 3 * maxAnswerMs) await Bun.sleep(20)
  await expectHealed(other, hot, 2)
  end()
  await expect(writing).rejects.toThrow(PostgresFailure)
  await still.close()
}, 180_000)

function both(): { readonly stalled: Node; readonly other: Node } {
  if (behind === undefined || direct === undefined) throw new Error('the nodes have not started')
  return { stalled: behind, other: direct }
}

/** A record that all threads of the node have at hand. */
async function createHot(node: Node): Promise<number> {
  const { id } = toWritten(await node.client.create({ title: 'Hot', whiteboard: '0' }))
  for (let read = 0; read < 20; read++) expect(await readUntil(node, id, 0)).toBe(0)
  return id
}

/** Within five seconds the node shows what there is, and never again what was before. */
async function expectHealed({ client }: Node, id: number, wanted: number): Promise<void> {
  const deadline = performance.now() + 5_000
  // Each of its threads has connections of its own, which come back one by one.
  for (let good = 0; good < 20; ) {
    const answer = await client.read(id)
    if (answer.status === 200) {
      expect(JSON.parse(answer.body)).toMatchObject({ whiteboard: String(wanted) })
      good++
    } else {
      expect(performance.now()).toBeLessThan(deadline)
      good = 0
      await Bun.sleep(20)
    }
  }
}
