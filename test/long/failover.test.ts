import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Cluster } from '../harness/postgres.ts'
import { promote, setSynchronous, startStandby, withAdmin } from '../harness/replication.ts'
import { createFloors } from '../postgres/floors.ts'
import { expectHealed, expectHistory, expectPromised } from '../postgres/healing.ts'
import { createWriter, startLoad } from '../postgres/load.ts'
import { type Nodes, pick } from '../postgres/nodes.ts'
import { countSessions, type Pair, startPair } from '../postgres/pair.ts'

// Runner: alone (it measures how long recovery takes)

const faults = ['killed', 'stopped for a while', 'killed, and back as a primary'] as const
type Fault = (typeof faults)[number]

const rounds = 20
const writersCount = 6
let pair: Pair
let primary: Cluster
let standby: Cluster

beforeAll(async () => {
  pair = await startPair(2)
  primary = pair.first
  standby = pair.second
}, 180_000)
afterAll(() => pair?.stop(), 60_000)

for (let round = 0; round < rounds; round++) {
  const fault = faults[round % faults.length] ?? 'killed'
  const isLast = round === rounds - 1
  test(`fail-over ${round + 1} loses nothing and shows nothing old: a primary that is ${fault}`, async () => {
    await failOver(fault)
    if (!isLast) await replaceLost()
  }, 120_000)
}

async function failOver(fault: Fault): Promise<void> {
  const nodes = toNodes(primary)
  const writers = await Promise.all(Array.from({ length: writersCount }, () => createWriter(nodes)))
  const probes = await Promise.all(pair.nodes.map(() => createWriter(nodes)))
  const floors = createFloors()
  const load = startLoad(nodes, writers, floors)
  await Bun.sleep(1_000)
  if (fault === 'stopped for a while') primary.pause()
  else await primary.kill()
  await Bun.sleep(Math.random() * 1_000)
  await promote(standby)
  await expectHealed(nodes, probes)
  await bringBack(fault)
  await Bun.sleep(1_500)
  await load.stop()
  await expectHealed(nodes, probes)
  await expectPromised(nodes, load)
  expect(floors.broken()).toEqual([])
  expect(floors.reads()).toBeGreaterThan(100)
  await expectHistory(toNodes(standby), [...writers, ...probes])
  if (fault !== 'killed') expect(await countSessions(primary)).toBe(0)
}

/** The old primary goes on as one that would take writes, while every thread has to connect again. */
async function bringBack(fault: Fault): Promise<void> {
  if (fault === 'killed') return
  if (fault === 'stopped for a while') primary.resume()
  else await primary.start()
  await setSynchronous(primary, false)
  await withAdmin(
    standby,
    (admin) => admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rostrum'`,
  )
}

/** In the place of the old primary comes a replica of the new one. */
async function replaceLost(): Promise<void> {
  const lost = primary
  await lost.remove()
  primary = standby
  standby = await startStandby(primary, lost.port)
  pair.add(standby)
  await setSynchronous(primary, true)
}

function toNodes(cluster: Cluster): Nodes {
  const all = pair.nodes
  return { port: cluster.port, db: cluster.toUrl(pair.database), all, any: () => pick(all), stop: pair.stop }
}
