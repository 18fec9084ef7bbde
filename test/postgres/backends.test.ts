import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { toWritten } from '../faults/record-client.ts'
import { runs } from '../harness/runs.ts'
import { createFloors } from './floors.ts'
import { expectHealed, expectHistory, expectPromised } from './healing.ts'
import { createWriter, startLoad } from './load.ts'
import { type OwnNodes, pick, readUntil, startOwnNodes } from './nodes.ts'

// Runner: long

let nodes: OwnNodes
let admin: postgres.Sql

beforeAll(async () => {
  nodes = await startOwnNodes(2, { fsync: false })
  admin = postgres(nodes.db, { max: 1 })
}, 180_000)

afterAll(async () => {
  await admin.end({ timeout: 1 })
  await nodes.stop()
})

test('a node that no longer hears of changes shows none that is older, and listens again', async () => {
  const [record] = await Promise.all([createWriter(nodes)])
  const floors = createFloors()
  const load = startLoad(nodes, [record], floors)
  for (let round = 0; round < 8; round++) {
    const listeners = await findListeners(nodes.all.length)
    await terminate(pick(listeners))
    const { id } = toWritten(await nodes.any().client.create({ title: 'Meanwhile', whiteboard: '0' }))
    for (const node of nodes.all) expect(await readUntil(node, id, 0)).toBe(0)
    toWritten(await nodes.any().client.patch(id, { whiteboard: '1' }))
    for (const node of nodes.all) expect(await readUntil(node, id, 1)).toBe(1)
  }
  await load.stop()
  expect(load.surprises).toEqual([])
  expect(floors.broken()).toEqual([])
  expect(floors.reads()).toBeGreaterThan(100)
  await findListeners(nodes.all.length)
}, 180_000)

test('when the connection of the writer was ended in the meantime, the next write works', async () => {
  const { id } = toWritten(await nodes.any().client.create({ title: 'Next', whiteboard: '0' }))
  for (const [number, { client }] of nodes.all.entries()) {
    toWritten(await client.patch(id, { whiteboard: `${number}.1` }))
    const writers = await admin<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'rostrum' AND query = 'COMMIT' AND state = 'idle'`
    expect(writers.length).toBeGreaterThan(0)
    for (const { pid } of writers) await terminate(pid)
    await Bun.sleep(100)
    toWritten(await client.patch(id, { whiteboard: `${number}.2` }))
  }
})

test('whichever connections are ended under load, nothing acknowledged is lost and nothing denied is done', async () => {
  const writers = await Promise.all(Array.from({ length: 6 }, () => createWriter(nodes)))
  const probes = await Promise.all(nodes.all.map(() => createWriter(nodes)))
  const floors = createFloors()
  const load = startLoad(nodes, writers, floors)
  for (let round = 0; round < runs(40); round++) {
    await Bun.sleep(Math.random() * 150)
    const backends = await admin<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'rostrum' ORDER BY state DESC, pid`
    await terminate(pick(backends.slice(0, 6)).pid)
  }
  await load.stop()
  await expectHealed(nodes, probes)
  await expectPromised(nodes, load)
  expect(floors.broken()).toEqual([])
  await expectHistory(nodes, [...writers, ...probes])
}, 180_000)

async function terminate(pid: number): Promise<void> {
  await admin`SELECT pg_terminate_backend(${pid})`
}

/** Those that ask for the schema, again and again: it keeps a node sure that it would hear. */
async function findListeners(count: number): Promise<readonly number[]> {
  const deadline = performance.now() + 5_000
  for (;;) {
    const before = await findPings()
    await Bun.sleep(300)
    const after = await findPings()
    const found = [...before].flatMap(([pid, at]) => ((after.get(pid) ?? at) === at ? [] : [pid]))
    if (found.length === count) return found
    if (performance.now() > deadline) throw new Error(`${found.length} nodes listen, not ${count}`)
  }
}

async function findPings(): Promise<ReadonlyMap<number, string>> {
  const rows = await admin<{ pid: number; at: string }[]>`
    SELECT pid, query_start::text AS at FROM pg_stat_activity WHERE application_name = 'rostrum' AND query LIKE 'SELECT schema_number%'`
  return new Map(rows.map(({ pid, at }) => [pid, at]))
}
