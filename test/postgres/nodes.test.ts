import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Change, openGoodStream, readChanges } from '../contract/event-stream.ts'
import { readCounter, toWritten } from '../faults/record-client.ts'
import { createFloors, type Floors } from './floors.ts'
import { type Node, type Nodes, pick, readUntil, readVersions, startNodes } from './nodes.ts'

// Runner: long, slow

const clientCount = 16
const stepsEach = 25
const sharedCount = 4
const streamsEach = 2
let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes(3)
}, 180_000)
afterAll(() => nodes.stop())

/** A record that everybody changes: how often it was counted up, and how often written at all. */
interface Shared {
  readonly id: number
  increments: number
  writes: number
}

test('sixteen clients on three nodes lose no update, and every node tells the same story', async () => {
  const streams = await Promise.all(
    nodes.all.flatMap(({ server }) =>
      Array.from({ length: streamsEach }, () => openGoodStream(server, { since: 0, key: server.adminKey })),
    ),
  )
  const shared = await createShared(sharedCount)
  const created = (await Promise.all(Array.from({ length: clientCount }, () => work(shared)))).flat()
  for (const node of nodes.all) await expectShared(node, shared)
  const total = shared.reduce((sum, { writes }) => sum + writes, created.length)
  const [first = [], ...others] = await Promise.all(
    nodes.all.map(({ server }) => readChanges(server, 0, server.adminKey)),
  )
  expectStory(first, total)
  expect(shared.reduce((sum, { increments }) => sum + increments, 0)).toBeGreaterThan(clientCount)
  for (const other of others) expect(other).toEqual(first)
  for (const stream of streams) {
    expect(await stream.waitForChanges(total, 10_000)).toEqual(first)
    stream.close()
  }
}, 120_000)

test('a node never shows less than it has shown or acknowledged, and the others follow', async () => {
  const shared = await createShared(3)
  const floors = createFloors()
  const until = performance.now() + 5_000
  const readers = nodes.all.flatMap((node) => Array.from({ length: 4 }, () => readOn(node, shared, floors, until)))
  const writers = shared.map((record) => countUp(record, floors, until))
  await Promise.all([...readers, ...writers])
  expect(floors.broken()).toEqual([])
  expect(floors.reads()).toBeGreaterThan(200)
  for (const { writes } of shared) expect(writes).toBeGreaterThan(10)
}, 180_000)

test('a node reads what another one has acknowledged a moment ago', async () => {
  const [record] = await createShared(1)
  if (record === undefined) throw new Error('there is no record')
  const lags: number[] = []
  for (let number = 1; number <= 20; number++) {
    const writer = nodes.any()
    toWritten(await writer.client.patch(record.id, { whiteboard: String(number) }))
    const [since, others] = [performance.now(), nodes.all.filter((node) => node !== writer)]
    for (const node of others) expect(await readUntil(node, record.id, number)).toBe(number)
    lags.push(performance.now() - since)
  }
  expect(lags.toSorted((a, b) => a - b)[lags.length / 2]).toBeLessThan(200)
}, 180_000)

async function createShared(count: number): Promise<Shared[]> {
  const shared: Shared[] = []
  for (let number = 0; number < count; number++) {
    const written = toWritten(await nodes.any().client.create({ title: `Shared ${number}`, whiteboard: '0' }))
    shared.push({ id: written.id, increments: 0, writes: 1 })
  }
  return shared
}

/** Counts up, writes or creates, each time on any node; gives what it has created. */
async function work(shared: readonly Shared[]): Promise<readonly number[]> {
  const created: number[] = []
  for (let step = 0; step < stepsEach; step++) {
    const [dice, record] = [Math.random(), pick(shared)]
    if (dice < 0.6) await increment(record)
    else if (dice < 0.8) {
      toWritten(await nodes.any().client.patch(record.id, { summary: crypto.randomUUID() }))
      record.writes++
    } else created.push(toWritten(await nodes.any().client.create({ title: 'Created' })).id)
  }
  return created
}

/** Reads on one node, writes on another, and begins again where somebody was faster. */
async function increment(record: Shared): Promise<void> {
  for (;;) {
    const read = await nodes.any().client.read(record.id)
    const headers = { 'If-Match': read.headers.get('etag') ?? '' }
    const changes = { whiteboard: String(readCounter(read) + 1) }
    const answer = await nodes.any().client.patch(record.id, changes, headers)
    if (answer.status === 412) continue
    toWritten(answer)
    record.increments++
    record.writes++
    return
  }
}

/** Reached within a moment on each node: the exact sums, and one chain of versions. */
async function expectShared(node: Node, shared: readonly Shared[]): Promise<void> {
  for (const { id, increments, writes } of shared) {
    expect([id, await readUntil(node, id, increments)]).toEqual([id, increments])
    expect(await readVersions(node, id)).toEqual(Array.from({ length: writes }, (_, i) => i + 1))
  }
}

/** Every version once, each record's in order, and no number left out. */
function expectStory(changes: readonly Change[], total: number): void {
  expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, i) => i + 1))
  const versions = new Map<number, number>()
  for (const { id, version } of changes) {
    expect([id, version]).toEqual([id, (versions.get(id) ?? 0) + 1])
    versions.set(id, version)
  }
}

async function readOn(node: Node, shared: readonly Shared[], floors: Floors, until: number): Promise<void> {
  while (performance.now() < until) {
    const { id } = pick(shared)
    await floors.check(node, id, async () => readCounter(await node.client.read(id)))
  }
}

async function countUp(record: Shared, floors: Floors, until: number): Promise<void> {
  while (performance.now() < until) {
    const [node, number] = [nodes.any(), record.writes]
    toWritten(await node.client.patch(record.id, { whiteboard: String(number) }))
    floors.raise(node, record.id, number)
    record.writes++
  }
}
