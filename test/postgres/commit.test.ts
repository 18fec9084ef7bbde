import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openEngine } from '../../src/store/open.ts'
import { readCounter, toWritten } from '../faults/record-client.ts'
import { until } from '../harness/until.ts'
import { toCode } from './load.ts'
import { type Node, type Nodes, readUntil, startNode, startNodes, toProxied } from './nodes.ts'
import { type FailingProxy, startProxy } from './proxy.ts'

let nodes: Nodes
let proxy: FailingProxy
/** One that reaches PostgreSQL only through the proxy. */
let behind: Node

beforeAll(async () => {
  nodes = await startNodes(1)
  proxy = await startProxy(nodes.port)
  behind = await startNode({ db: toProxied(nodes, proxy) })
}, 180_000)

afterAll(async () => {
  await behind.server.kill9()
  await proxy.close()
  await nodes.stop()
})

describe('A write whose connection is lost at its commit', () => {
  const cases = [
    { when: 'before', expected: 0, name: 'that was never heard' },
    { when: 'after', expected: 1, name: 'whose answer was never heard' },
  ] as const
  for (const { when, expected, name } of cases) {
    test(`${name} is answered 503, "outcome unknown", and never as done`, async () => {
      const { id } = toWritten(await behind.client.create({ title: `Cut ${when}`, whiteboard: '0' }))
      const cut = proxy.cutAt('COMMIT', when)
      const answer = await behind.client.patch(id, { whiteboard: '1' })
      await cut
      expect([answer.status, toCode(answer)]).toEqual([503, 'unknown'])
      expect(answer.body).toContain('may or may not have been stored')
      expect(answer.headers.get('retry-after')).toBeString()
      for (const node of [behind, ...nodes.all]) expect(await readUntil(node, id, expected)).toBe(expected)
      // The next one works, and is a version on top of what there is.
      toWritten(await behind.client.patch(id, { whiteboard: '2' }))
      expect(readCounter(await behind.client.read(id))).toBe(2)
      for (const node of nodes.all) expect(await readUntil(node, id, 2)).toBe(2)
    })
  }
})

test('a write whose connection is lost before its commit is answered 503, and leaves nothing behind', async () => {
  const { id } = toWritten(await behind.client.create({ title: 'Cut early', whiteboard: '0' }))
  const cut = proxy.cutAt('SAVEPOINT part', 'after')
  const answer = await behind.client.patch(id, { whiteboard: '1' })
  await cut
  expect([answer.status, toCode(answer)]).toEqual([503, 'down'])
  for (const node of [behind, ...nodes.all]) expect(await readUntil(node, id, 0)).toBe(0)
  toWritten(await behind.client.patch(id, { whiteboard: '2' }))
  expect(readCounter(await behind.client.read(id))).toBe(2)
})

test('a node says that its PostgreSQL may lose what was committed', () => {
  const why = (name: string) => expect.stringContaining(`PostgreSQL has ${name} = off`)
  const said = behind.server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"unsafe database"'))
  expect(said.map((line) => JSON.parse(line).why)).toEqual([why('fsync'), why('full_page_writes')])
})

describe('A database that is 100 ms away', () => {
  beforeAll(() => proxy.delay(50))
  afterAll(() => proxy.delay(0))

  test('is said to be slow', async () => {
    const engine = await openEngine(toProxied(nodes, proxy))
    const why = expect.stringMatching(/^A round trip to PostgreSQL takes \d{3} ms; above 20 ms/)
    expect(await engine.findRisks()).toContainEqual({ event: 'slow database', why })
  }, 180_000)

  test('is still heard of in time: records come from memory, and lists from the database', async () => {
    const { id } = toWritten(await behind.client.create({ title: 'Far away', whiteboard: '0' }))
    await until('a record comes from memory', async () => {
      const sinceMs = performance.now()
      return (await behind.client.read(id)).status === 200 && performance.now() - sinceMs < 50
    })
    expect((await fetch(`${behind.server.url}/api/v2/video`)).status).toBe(200)
  }, 180_000)
})
