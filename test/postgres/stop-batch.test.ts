import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeWhenDone } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { until } from '../harness/until.ts'
import { importTalks } from '../store/talks.ts'
import { type Nodes, startNodes } from './nodes.ts'

// Runner: long, slow

const count = 6_000
let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes(2)
}, 120_000)
afterAll(() => nodes?.stop(), 60_000)

test('a node stops the transaction of another node, which leaves nothing of it', async () => {
  const [runs, stops] = nodes.all
  if (runs === undefined || stops === undefined) throw new Error('the nodes have not started')
  await closeWhenDone(openPostgres(nodes.db), (db) => importTalks(db, count, 'Event'))
  const [headers, others] = [runs, stops].map(({ server }) => ({
    Authorization: `Token ${server.adminKey}`,
    'Content-Type': 'application/json',
  }))
  if (headers === undefined || others === undefined) throw new Error('there are two nodes')
  const rename = fetch(`${runs.server.url}/api/v2/category/event`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ title: 'Renamed' }),
  })
  const readBatch = async () => {
    const answer = await fetch(`${runs.server.url}/api/v2/batches/2`, { headers })
    return answer.status === 200 ? Object(await answer.json()) : { done: 0 }
  }
  await until('it runs', async () => (await readBatch()).done > 0)
  const stopped = await fetch(`${stops.server.url}/api/v2/batches/2/stop`, { method: 'POST', headers: others })
  expect([200, 202]).toContain(stopped.status)
  await until('it has stopped', async () => (await readBatch()).state === 'stopped')
  expect(await readBatch()).toMatchObject({ kind: 'rename category', total: count, done: 0, changed: 0 })
  expect((await rename).status).toBe(202)
  const event = await fetch(`${stops.server.url}/api/v2/category/event`, { headers: others })
  expect(Object(await event.json()).title).toBe('Event')
}, 120_000)
