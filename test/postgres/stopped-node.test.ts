import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toWritten } from '../faults/record-client.ts'
import { type Nodes, readUntil, startNodes, toCounter } from './nodes.ts'

/** Longer than a node may trust what it remembers. */
const stoppedMs = 400
const readers = 16
let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes(2)
}, 180_000)
afterAll(() => nodes?.stop(), 60_000)

test('a node that stood still shows nothing of before when it goes on', async () => {
  const [stopped, other] = nodes.all
  if (stopped === undefined || other === undefined) throw new Error('the nodes have not started')
  const { id } = toWritten(await other.client.create({ title: 'Meanwhile', whiteboard: '0' }))
  for (let round = 1; round <= 5; round++) {
    for (let read = 0; read < readers; read++) expect(await readUntil(stopped, id, round - 1)).toBe(round - 1)
    stopped.server.process.kill('SIGSTOP')
    toWritten(await other.client.patch(id, { whiteboard: String(round) }))
    await Bun.sleep(stoppedMs)
    const reading = Array.from({ length: readers }, () => stopped.client.read(id))
    // Until the questions lie in its sockets.
    await Bun.sleep(50)
    stopped.server.process.kill('SIGCONT')
    const found = (await Promise.all(reading)).map(toCounter).filter((each) => each !== null)
    expect(new Set(found)).toEqual(new Set([round]))
  }
}, 180_000)
