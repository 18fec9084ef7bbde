import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { runRostrum } from '../archive/command.ts'
import { type Curator, createCurator } from '../contract/curator.ts'
import { openGoodStream, waitFor } from '../contract/event-stream.ts'
import { createService } from '../contract/service.ts'
import { createDatabase, runStatement } from '../harness/fresh-store.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'
import { type Server, startServer } from '../harness/server.ts'

// Runner: long (fails over, and restores databases under running nodes)

let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster({ fsync: false })
  await cluster.start()
}, 180_000)
afterAll(() => cluster.remove(), 60_000)

async function ask<Row extends object>(sql: string): Promise<Row> {
  const client = postgres(cluster.toUrl('postgres'), { max: 1, onnotice: () => undefined })
  try {
    const [row] = await client.unsafe<Row[]>(sql)
    return row ?? ({} as Row)
  } finally {
    await client.end({ timeout: 1 })
  }
}

/** Null while the service cannot say. */
async function readStore({ url }: Server): Promise<string | null> {
  const answer = await fetch(`${url}/api/v2/changes`)
  const { store }: { store: string } = JSON.parse(await answer.text())
  return answer.status === 200 ? store : null
}

async function create({ url, adminKey }: Server, title: string): Promise<number> {
  const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ category: 'C', title, state: 1 })
  return (await fetch(`${url}/api/v2/video`, { method: 'POST', headers, body })).status
}

async function signIn(toServer: () => Server): Promise<Curator> {
  const curator = createCurator(createService(toServer, () => toServer().adminKey))
  await curator.signIn(toServer().adminKey)
  expect(await curator.isIn()).toBe(true)
  return curator
}

/** What a standby does when it takes over, by a server alone: recovery to the end, then a timeline of its own. */
async function promote(): Promise<void> {
  const { folder } = await ask<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
  // The cluster of these tests acknowledges before it writes, and would lose the last commits.
  await ask('CHECKPOINT')
  await cluster.kill()
  writeFileSync(join(folder, 'standby.signal'), '')
  await cluster.start()
  await ask('SELECT pg_promote()')
}

test('after a failover the id of the store is another one, on every node, and streams are told', async () => {
  const { db } = await createDatabase(cluster.toUrl('postgres'))
  const nodes = [await startServer({ db }), await startServer({ db })]
  const [node, other] = nodes
  if (node === undefined || other === undefined) throw new Error('there are two nodes')
  expect(await create(node, 'before')).toBe(201)
  const before = await readStore(node)
  expect(before).toMatch(/^[0-9a-f]{16}$/)
  expect(await readStore(other)).toBe(before)
  const stream = await openGoodStream(node)
  const curator = await signIn(() => other)
  await promote()
  const isThere = async () => (await Promise.all(nodes.map((each) => readStore(each)))).every((id) => id !== null)
  expect(await waitFor(isThere, 20_000)).toBe(true)
  const after = await readStore(node)
  expect(after).not.toBe(before)
  expect(await readStore(other)).toBe(after)
  await stream.waitForText(`event: reset\nid: ${after}.1\n`, 10_000)
  const status = async () => (await fetch(`${other.url}/api/v2/changes?since=1&store=${before}`)).status
  expect(await status()).toBe(409)
  expect(await waitFor(async () => (await create(other, 'after')) === 201, 10_000)).toBe(true)
  await stream.waitForText(/data: \{"seq":2,/, 5_000)
  stream.close()
  // A recovery to a point in time looks the same, and may have brought back sessions that were ended.
  expect(await curator.isIn()).toBe(false)
  await curator.signIn(other.adminKey)
  expect([await curator.isIn(), await readStore(node)]).toEqual([true, after])
  await Promise.all(nodes.map((each) => each.stop()))
}, 90_000)

test('an ordinary role may read the id, and give the store another', async () => {
  await ask(`CREATE ROLE ordinary LOGIN`)
  const { db } = await createDatabase(cluster.toUrl('postgres'))
  await ask(`ALTER DATABASE ${new URL(db).pathname.slice(1)} OWNER TO ordinary`)
  const address = db.replace('//rostrum@', '//ordinary@')
  const server = await startServer({ db: address })
  const made = await readStore(server)
  expect(made).toMatch(/^[0-9a-f]{16}$/)
  const renewed = await runRostrum('store', 'new-id', '--db', address)
  expect(await waitFor(async () => (await readStore(server)) === renewed.stdout.trim(), 2_000)).toBe(true)
  await server.stop()
}, 180_000)

/** Nobody else is connected to a database while this is done; nodes come back by themselves. */
async function alone(name: string, statements: readonly string[]): Promise<void> {
  await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  const isAlone = async () =>
    (await ask<{ n: string }>(`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = '${name}'`)).n === '0'
  expect(await waitFor(isAlone, 5_000)).toBe(true)
  for (const statement of statements) await ask(statement)
  await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

test('an older copy that is put back under a running node is told as such, and what is written then is told, too', async () => {
  const { db } = await createDatabase(cluster.toUrl('postgres'))
  const name = new URL(db).pathname.slice(1)
  const node = await startServer({ db })
  const createSoon = (title: string) => waitFor(async () => (await create(node, title)) === 201, 15_000)
  for (const title of ['one', 'two', 'three']) expect(await create(node, title)).toBe(201)
  await alone(name, [`CREATE DATABASE ${name}_copy TEMPLATE ${name}`])
  for (const title of ['lost', 'lost too', 'lost as well']) expect(await createSoon(title)).toBe(true)
  const before = await readStore(node)
  const stream = await openGoodStream(node, { since: 6 })
  await alone(name, [`ALTER DATABASE ${name} RENAME TO ${name}_old`, `ALTER DATABASE ${name}_copy RENAME TO ${name}`])
  const { stdout: made } = await runRostrum('store', 'new-id', '--db', db)
  expect(await waitFor(async () => (await readStore(node)) === made.trim(), 15_000)).toBe(true)
  expect(made.trim()).not.toBe(before)
  // The node has told of six changes before; this store has three.
  await stream.waitForText(`event: reset\nid: ${made.trim()}.3\n`, 10_000)
  expect(await createSoon('after')).toBe(true)
  await stream.waitForText(new RegExp(`id: ${made.trim()}\\.4\\ndata: \\{"seq":4,"id":4,`), 5_000)
  stream.close()
  await node.stop()
}, 90_000)

test('no session begins again in a database that was restored, under a running node or before a start', async () => {
  const { db } = await createDatabase(cluster.toUrl('postgres'))
  const name = new URL(db).pathname.slice(1)
  let node = await startServer({ db })
  const [gone, kept] = [await signIn(() => node), await signIn(() => node)]
  const cookies = new Map(gone.cookies)
  await alone(name, [`CREATE DATABASE ${name}_copy TEMPLATE ${name}`])
  const isReady = async () => (await fetch(`${node.url}/readyz`)).status === 200
  expect(await waitFor(isReady, 15_000)).toBe(true)
  expect((await gone.post('/edit/sign-out', [])).status).toBe(303)
  const before = await readStore(node)
  await alone(name, [`ALTER DATABASE ${name} RENAME TO ${name}_old`, `ALTER DATABASE ${name}_copy RENAME TO ${name}`])
  expect(await waitFor(isReady, 15_000)).toBe(true)
  for (const [key, value] of cookies) gone.cookies.set(key, value)
  expect([await gone.isIn(), await kept.isIn()]).toEqual([false, false])
  const restored = await readStore(node)
  expect(restored).not.toBe(before)
  await kept.signIn(node.adminKey)
  expect([await gone.isIn(), await kept.isIn(), await readStore(node)]).toEqual([false, true, restored])
  await node.stop()
  // As pg_restore --clean: the same database, another table.
  await runStatement(db, 'CREATE TABLE again AS TABLE store; DROP TABLE store; ALTER TABLE again RENAME TO store')
  node = await startServer({ db })
  expect(node.stderr()).toMatch(/"store restored".*All sessions were ended.*rostrum token list/)
  expect([await kept.isIn(), (await readStore(node)) === restored]).toEqual([false, false])
  await kept.signIn(node.adminKey)
  await node.stop()
  node = await startServer({ db })
  expect([await kept.isIn(), node.stderr().includes('store restored')]).toEqual([true, false])
  await node.stop()
}, 120_000)
