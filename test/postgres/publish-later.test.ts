import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask } from '../faults/connection.ts'
import { parseRecord, toWritten } from '../faults/record-client.ts'
import { until } from '../harness/until.ts'
import { type Node, type Nodes, readVersions, startNodes } from './nodes.ts'

/** More than one transaction publishes. */
const count = 120
let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes(2)
}, 180_000)
afterAll(() => nodes?.stop(), 60_000)

const isLive = async ({ client }: Node, id: number) => parseRecord((await client.read(id)).body).state === 1

async function schedule({ server }: Node, id: number, at: string): Promise<void> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const answer = await ask(server.port, 'PUT', `/api/v2/video/${id}/publish-at`, headers, JSON.stringify({ at }))
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`)
}

test('Two nodes publish each draft once, though one of them is killed meanwhile', async () => {
  const [killed, other] = nodes.all
  if (killed === undefined || other === undefined) throw new Error('the nodes have not started')
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push(toWritten(await killed.client.create({ title: `Talk ${i}`, state: 2 })).id)
  const at = new Date(Date.now() + 6_000).toISOString()
  for (const id of ids) await schedule(killed, id, at)
  const [first = 0] = ids
  await until('the first is live', () => isLive(other, first))
  await killed.server.kill9()
  await until('all are live', async () => (await Promise.all(ids.map((id) => isLive(other, id)))).every(Boolean))
  for (const id of ids) expect([id, await readVersions(other, id)]).toEqual([id, [1, 2]])
}, 180_000)
