import { expect } from 'bun:test'
import postgres from 'postgres'
import { readChanges } from '../contract/event-stream.ts'
import { readCounter } from '../faults/record-client.ts'
import { until } from '../harness/until.ts'
import { createFloors } from './floors.ts'
import { type Load, type Writer, write } from './load.ts'
import { type Node, type Nodes, readVersions } from './nodes.ts'

const healMs = 5_000

/** On every node a write and a read succeed, soon after connections are taken again. */
export async function expectHealed(nodes: Nodes, probes: readonly Writer[]): Promise<void> {
  const since = performance.now()
  const surprises: string[] = []
  const healNode = async (node: Node, probe: Writer) => {
    const tryBoth = async () =>
      (await write(node, probe, createFloors(), surprises)) && (await node.client.read(probe.id)).status === 200
    while (!(await tryBoth()) && performance.now() < since + healMs) await Bun.sleep(20)
    expect(performance.now() - since).toBeLessThan(healMs)
  }
  await Promise.all(probes.map((probe, i) => healNode(nodes.all[i] ?? nodes.any(), probe)))
  expect(surprises).toEqual([])
}

/** After the storm each node soon shows the last that was acknowledged by either, or what came after it. */
export async function expectPromised(nodes: Nodes, { writers, surprises }: Load): Promise<void> {
  expect(surprises).toEqual([])
  for (const { client } of nodes.all) {
    for (const { id, sent, acknowledged } of writers) {
      const last = Math.max(...acknowledged)
      const readLast = async () => readCounter(await client.read(id))
      // The other node learns of a write by a notification, which may come after the answer to it.
      await until(`record ${id} is at ${last}`, async () => (await readLast()) >= last, { timeoutMs: healMs })
      expect(await readLast()).toBeLessThanOrEqual(sent)
    }
  }
}

/** What was written in the end, as the database has it: all that was promised, nothing that was denied, nothing twice. */
export async function expectHistory(nodes: Nodes, writers: readonly Writer[]): Promise<void> {
  const client = postgres(nodes.db, { max: 1 })
  for (const { id, acknowledged, refused } of writers) {
    const rows = await client<{ counter: string }[]>`
      SELECT convert_from(body, 'LATIN1')::json ->> 'whiteboard' AS counter
      FROM version WHERE record_id = ${id} ORDER BY number`
    const written = rows.map(({ counter }) => Number(counter))
    expect(written).toEqual([...new Set(written)].sort((a, b) => a - b))
    expect([...acknowledged].filter((number) => !written.includes(number))).toEqual([])
    expect([...refused].filter((number) => written.includes(number))).toEqual([])
    for (const node of nodes.all) expect(await readVersions(node, id)).toHaveLength(written.length)
  }
  await client.end({ timeout: 1 })
  const [first, second] = await Promise.all(nodes.all.map(({ server }) => readChanges(server, 0, server.adminKey)))
  expect(second).toEqual(first ?? [])
}
