import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runs } from '../harness/runs.ts'
import { createFloors } from './floors.ts'
import { expectHealed, expectHistory, expectPromised } from './healing.ts'
import { createWriter, startLoad, type Writer } from './load.ts'
import { type OwnNodes, startOwnNodes } from './nodes.ts'

// Runner: long

const rounds = runs(20)
const writerCount = 8
let nodes: OwnNodes

beforeAll(async () => {
  nodes = await startOwnNodes(2, { fsync: true })
}, 180_000)
afterAll(() => nodes.stop())

test(`PostgreSQL is killed ${rounds} times under load from two nodes: nothing acknowledged is lost, and both heal`, async () => {
  const writers = await Promise.all(Array.from({ length: writerCount }, () => createWriter(nodes)))
  const probes = await Promise.all(nodes.all.map(() => createWriter(nodes)))
  const floors = createFloors()
  for (let round = 0; round < rounds; round++) {
    const before = count(writers)
    const load = startLoad(nodes, writers, floors)
    await Bun.sleep(400 + Math.random() * 400)
    await nodes.cluster.kill()
    await Bun.sleep(Math.random() * 500)
    await nodes.cluster.start()
    await expectHealed(nodes, probes)
    await load.stop()
    expect(count(writers)).toBeGreaterThan(before)
    await expectPromised(nodes, load)
  }
  expect(floors.broken()).toEqual([])
  await expectHistory(nodes, [...writers, ...probes])
}, 600_000)

const count = (writers: readonly Writer[]) => writers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
