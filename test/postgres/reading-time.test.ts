import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { PostgresFailure } from '../../src/store/postgres/failure.ts'
import { until } from '../harness/until.ts'
import { type Node, type Nodes, startNode, startNodes, toProxied } from './nodes.ts'
import { startProxy } from './proxy.ts'

let nodes: Nodes
let hasty: Node

beforeAll(async () => {
  nodes = await startNodes(1)
  hasty = await startNode({ db: nodes.any().server.db, args: ['--threads', '1', '--list-ms', '400'] })
}, 180_000)

afterAll(async () => {
  await hasty.server.kill9()
  await nodes.stop()
})

test('the server ends a reading whose time is up, and what comes after it has its own time', async () => {
  let readingMs = 300
  const db = openPostgres(nodes.any().server.db, { answerTimeoutMs: 8_000, toReadingMs: () => readingMs })
  try {
    const sleep = db.query<{ one: number }, [number]>('SELECT 1 AS one FROM pg_sleep(?)')
    const read = (seconds: number) => db.transaction('read', async () => (await sleep.get(seconds))?.one)
    const startedMs = performance.now()
    expect(await findCode(() => read(30))).toBe('POSTGRES_57014')
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    readingMs = 5_000
    expect(await read(0.5)).toBe(1)
    // Outside of a transaction that reads, there is no such limit.
    readingMs = 1
    expect((await sleep.get(0.2))?.one).toBe(1)
  } finally {
    await db.close()
  }
}, 180_000)

test('a list that PostgreSQL cannot give in time is 503 and says so, and later ones are answered', async () => {
  const { url } = hasty.server
  const other = openPostgres(nodes.any().server.db)
  try {
    await other.begin('BEGIN')
    await other.script('LOCK TABLE listing, version IN ACCESS EXCLUSIVE MODE')
    const startedMs = performance.now()
    const answers = await Promise.all(
      ['video', 'video?q=x', 'speaker', 'category'].map((path) => fetch(`${url}/api/v2/${path}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    expect(await answers[0]?.json()).toMatchObject({ type: 'urn:rostrum:problem:late' })
    expect(answers[0]?.headers.get('Retry-After')).toBe('1')
  } finally {
    await other.rollback()
    await other.close()
  }
  const deadline = performance.now() + 10_000
  let status = 0
  while (status !== 200 && performance.now() < deadline) status = (await fetch(`${url}/api/v2/video`)).status
  expect(status).toBe(200)
}, 180_000)

test('a list that is late because PostgreSQL is far away says so, and so does the log', async () => {
  const proxy = await startProxy(nodes.port)
  const far = await startNode({ db: toProxied(nodes, proxy), args: ['--threads', '1', '--list-ms', '400'] })
  try {
    proxy.delay(100)
    const said = / The database took [1-9]\d\d ms per round trip\. /
    await until('the problem says why', async () => {
      const body = await (await fetch(`${far.server.url}/api/v2/video`)).text()
      return body.includes('urn:rostrum:problem:late') && said.test(body)
    })
    await fetch(`${far.server.url}/api/v2/video`)
    const lines = far.server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"slow database"'))
    // A busy machine may be late before the delay counts.
    expect(lines.map((line) => JSON.parse(line).why)).toEqual([expect.stringMatching(/ The database took \d+ ms per /)])
  } finally {
    await far.server.kill9()
    await proxy.close()
  }
}, 180_000)

async function findCode(action: () => Promise<unknown>): Promise<string> {
  try {
    await action()
    return 'none'
  } catch (error) {
    if (!(error instanceof PostgresFailure)) throw error
    return error.code
  }
}
