import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../archive/command.ts'
import { toWritten } from '../faults/record-client.ts'
import type { Cluster } from '../harness/postgres.ts'
import { promote, setSynchronous, withAdmin } from '../harness/replication.ts'
import { until } from '../harness/until.ts'
import { createFloors } from './floors.ts'
import { read } from './load.ts'
import { type Node, readLog, type StoreLine, startNode } from './nodes.ts'
import { countSessions, type Pair, readStored, startPair } from './pair.ts'
import { type FailingProxy, startProxy } from './proxy.ts'

// Runner: long, slow

/** Many more than a node has connections, so that all of them are opened and read through. */
const readers = 24
/** From the promotion on; on an idle machine it takes less than one. */
const maxFailoverMs = 5_000
let pair: Pair
/** One that knows the primary by a name that moves, as behind a load balancer, and not by its hosts. */
let named: Node
let name: FailingProxy
let id = 0
let counter = 0

beforeAll(async () => {
  pair = await startPair(2)
  name = await startProxy(pair.first.port)
  named = await startNode({ db: `postgres://rostrum@127.0.0.1:${name.port}/${pair.database}` })
  id = toWritten(await first().client.create({ title: 'Fail-over', whiteboard: '0' })).id
}, 180_000)
afterAll(async () => {
  await named?.server.kill9()
  await name?.close()
  await pair?.stop()
}, 180_000)

describe('A primary that stood still while its replica was promoted', () => {
  test('delays writes by no more than a few seconds', async () => {
    await Promise.all([named, ...pair.nodes].map((node) => readHard(node, 1_000)))
    pair.first.pause()
    // A write that waits for an answer from it when the other one takes over.
    const caught = first().client.patch(id, { whiteboard: String(++counter) })
    await promote(pair.second)
    const since = performance.now()
    await Promise.all([writeSoon(first()), caught])
    expect(performance.now() - since).toBeLessThan(maxFailoverMs)
  }, 180_000)

  test('is replaced by the other one, and every node logs it', async () => {
    const [from, to] = [toHost(pair.first), toHost(pair.second)]
    const changed = { level: 'warn', event: 'primary changed', from, to, timeline: 2, leftTimeline: 1 }
    const findChange = ({ server }: Node) => readLog(server).find(({ event }) => event === changed.event)
    await until('both say so', () => pair.nodes.every((node) => findChange(node) !== undefined))
    for (const node of pair.nodes) {
      const position = { leftPosition: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/), leftSeq: expect.any(Number) }
      expect(findChange(node)).toMatchObject({ ...changed, ...position })
    }
  }, 180_000)

  test('is not read from when it goes on', async () => {
    await writeSoon(second())
    name.leadTo(pair.second.port)
    pair.first.resume()
    const broken = await Promise.all([named, ...pair.nodes].map((node) => readHard(node, 2_000)))
    expect(broken.flat()).toEqual([])
    expect(await settle(() => countSessions(pair.first), 0)).toBe(0)
  }, 180_000)
})

describe('Of two primaries the later one is used by every thread', () => {
  beforeAll(() => setSynchronous(pair.first, false))

  test('also by one that has to reconnect', async () => {
    const stopped = await stopWriters()
    await Promise.all(pair.nodes.map((node) => node.client.patch(id, { whiteboard: String(++counter) })))
    for (const node of pair.nodes) await writeSoon(node)
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    expect(await readStored(pair.second, pair.database, id)).toBe(counter)
    expect(await countSessions(pair.first)).toBe(0)
  }, 180_000)

  test('also by a node that restarts', async () => {
    const node = await startNode({ db: pair.db })
    await writeSoon(node)
    expect(await readStored(pair.second, pair.database, id)).toBe(counter)
    expect(await countSessions(pair.first)).toBe(0)
    await node.server.kill9()
  }, 180_000)

  test('and where only the earlier one is left, nothing is served, and that is said', async () => {
    await pair.second.kill()
    for (const node of pair.nodes) {
      expect(await settle(() => readReason(node), older)).toBe(older)
      expect((await node.client.patch(id, { whiteboard: 'lost' })).status).toBe(503)
      expect((await node.client.read(id)).status).toBe(503)
      const isNamed = ({ event, error }: StoreLine) =>
        event === 'store unreachable' && error?.startsWith(`${toHost(pair.first)} takes writes, but has an older`)
      await until('the log names it', () => readLog(node.server).some(isNamed))
    }
    expect(await countSessions(pair.first)).toBe(0)
    await pair.second.start()
    for (const node of pair.nodes) await writeSoon(node)
    expect(await settle(() => readReason(first()), ready)).toBe(ready)
  }, 180_000)
})

describe('A node that starts while only the earlier one answers', () => {
  let late: Node
  beforeAll(async () => {
    await pair.second.kill()
    late = await startNode({ db: pair.db, isUnready: true })
  }, 180_000)
  afterAll(() => late?.server.kill9())

  test('reads, writes nothing, and says why', async () => {
    const { client } = late
    expect((await client.read(id)).status).toBe(200)
    const before = await readStored(pair.first, pair.database, id)
    const refused = await client.patch(id, { whiteboard: 'lost' })
    expect([refused.status, JSON.parse(refused.body).type]).toEqual([503, 'urn:rostrum:problem:unconfirmed'])
    expect(await readReason(late)).toBe(
      '503 too few PostgreSQL hosts have reported their timeline to be sure of the primary; the log names the silent ones',
    )
    const isSaid = ({ event, why = '' }: StoreLine) =>
      event === 'primary unconfirmed' && why.includes(toHost(pair.second)) && why.includes('remove it from --db')
    await until('the log names the silent host', () => readLog(late.server).some(isSaid))
    expect(await readStored(pair.first, pair.database, id)).toBe(before)
  }, 180_000)

  test('and commands that write refuse, while others work', async () => {
    const created = await runRostrum('token', 'create', '--name', 'lost', '--role', 'reader', '--db', pair.db)
    expect([created.exitCode, created.stderr]).toEqual([69, expect.stringContaining(`${toHost(pair.second)} did not`)])
    const erased = await runRostrum('store', 'new-id', '--db', pair.db)
    expect([erased.exitCode, erased.stderr]).toEqual([69, expect.stringContaining('remove it from --db')])
    const listed = await runRostrum('token', 'list', '--db', pair.db)
    expect([listed.exitCode, listed.stderr]).toEqual([0, ''])
    const alone = pair.first.toUrl(pair.database)
    expect((await runRostrum('token', 'create', '--name', 'ann', '--role', 'reader', '--db', alone)).exitCode).toBe(0)
  }, 180_000)

  test('writes to the later one as soon as it answers, and says what it has left', async () => {
    await pair.second.start()
    await writeSoon(late)
    expect(await readStored(pair.second, pair.database, id)).toBe(counter)
    expect(await settle(() => readReason(late), ready)).toBe(ready)
    const events = () => readLog(late.server).map(({ event }) => event)
    await until('the log says so', () => events().includes('primary changed') && events().includes('primary confirmed'))
  }, 180_000)
})

const older = '503 only a PostgreSQL with an older timeline than one seen before can be reached'
const ready = '200 ready'
const toHost = ({ port }: Cluster) => `127.0.0.1:${port}`
const first = () => toNode(0)
const second = () => toNode(1)

function toNode(index: number): Node {
  const node = pair.nodes[index]
  if (node === undefined) throw new Error('the nodes have not started')
  return node
}

/** Writes until it is acknowledged. */
async function writeSoon({ client }: Node): Promise<void> {
  const deadline = performance.now() + 4 * maxFailoverMs
  for (;;) {
    const { status, body } = await client.patch(id, { whiteboard: String(++counter) })
    if (status === 200) return
    if (performance.now() > deadline) throw new Error(`${status} ${body}`)
    await Bun.sleep(20)
  }
}

/** Reads by many at once; what was older than an acknowledged write. */
async function readHard(node: Node, durationMs: number): Promise<readonly string[]> {
  const floors = createFloors()
  const surprises: string[] = []
  floors.raise(node, id, counter)
  const until = performance.now() + durationMs
  const readOn = async () => {
    while (performance.now() < until) await read(node, id, floors, surprises)
  }
  await Promise.all(Array.from({ length: readers }, readOn))
  return [...new Set([...floors.broken(), ...surprises])]
}

/** The sessions that the nodes write through stand still. */
async function stopWriters(): Promise<readonly number[]> {
  let pids: readonly number[] = []
  // A writer also looks for batches that nobody works on any more; then COMMIT is not the last thing that it said.
  for (let tries = 0; tries < 20 && pids.length < pair.nodes.length; tries++) {
    for (const node of pair.nodes) await writeSoon(node)
    const rows = await withAdmin(
      pair.second,
      (admin) => admin<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE application_name = 'rostrum' AND query = 'COMMIT' AND state = 'idle'`,
    )
    pids = rows.map(({ pid }) => pid)
  }
  expect(pids).toHaveLength(pair.nodes.length)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return pids
}

async function readReason({ server }: Node): Promise<string> {
  const answer = await fetch(`${server.url}/readyz`)
  const { status }: { status: string } = JSON.parse(await answer.text())
  return `${answer.status} ${status}`
}

/** What it is in the end, within the time that it may take. */
async function settle<T>(look: () => Promise<T>, wanted: T): Promise<T> {
  const deadline = performance.now() + 2 * maxFailoverMs
  for (;;) {
    const found = await look()
    if (found === wanted || performance.now() > deadline) return found
    await Bun.sleep(50)
  }
}
