import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { closeWhenDone, type Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { runRostrum } from '../archive/command.ts'
import type { Answer } from '../faults/connection.ts'
import { toWritten } from '../faults/record-client.ts'
import { toCode } from './load.ts'
import { type Node, type OwnNodes, startNode, startOwnNodes, toProxied } from './nodes.ts'
import { startPooler } from './pooler.ts'
import { type FailingProxy, startProxy } from './proxy.ts'

// Runner: long, slow (starts clusters with settings of their own)

/** What the server says in English, and the same in another language. */
const english = 'canceling wait for synchronous replication due to user request'
const german = 'Warten auf synchrone Replikation wird abgebrochen'.padEnd(english.length)

const waitMs = 10_000
let nodes: OwnNodes
let admin: postgres.Sql
let proxy: FailingProxy

beforeAll(async () => {
  nodes = await startOwnNodes(0, { fsync: true })
  admin = postgres(nodes.db, { max: 1, connection: { synchronous_commit: 'local' } })
  proxy = await startProxy(nodes.port)
}, 180_000)
afterAll(async () => {
  await admin.end({ timeout: 1 })
  await proxy.close()
  await nodes.stop()
})

let node: Node | undefined
afterEach(async () => {
  await setSystem('synchronous_standby_names', '')
  await setSystem('synchronous_commit', 'on')
  await admin.unsafe('ALTER ROLE rostrum RESET ALL')
  await admin.unsafe(`ALTER DATABASE ${toName(nodes.db)} RESET ALL`)
  await node?.server.kill9()
})

const setting = 'SET client_min_messages = error'
const cases = [
  { name: 'in English', prepare: async () => undefined },
  { name: 'in another language', prepare: async () => proxy.replace(english, german) },
  {
    name: 'not at all, as the role has it',
    prepare: () => admin.unsafe(`ALTER ROLE rostrum ${setting}`),
  },
  {
    name: 'not at all, as the database has it',
    prepare: () => admin.unsafe(`ALTER DATABASE ${toName(nodes.db)} ${setting}`),
  },
]
for (const { name, prepare } of cases) {
  test(`a write that no replica has confirmed is never answered as done, where the server says so ${name}`, async () => {
    await prepare()
    node = await startNode({ db: toProxied(nodes, proxy) })
    const { id } = toWritten(await node.client.create({ title: 'Unconfirmed', whiteboard: '0' }))
    await setSystem('synchronous_standby_names', '*')
    const answer = await writeUnconfirmed(node, id)
    expect([answer.status, toCode(answer)]).toEqual([503, 'unknown'])
  }, 180_000)
}

test('where warnings cannot be asked for, a node does not start, and says why', async () => {
  const deaf = await startProxy(nodes.port)
  deaf.replace('warning', 'error  ')
  const { exitCode, stderr } = await runRostrum('serve', '--port', '0', '--db', toProxied(nodes, deaf))
  expect([exitCode, stderr]).toEqual([78, expect.stringContaining('cannot be made to report warnings')])
  await deaf.close()
}, 180_000)

describe('A commit waits until it is on disk', () => {
  beforeAll(async () => void (await closeWhenDone(openPostgres(nodes.db), migratePostgres)))

  const settings = [
    ['role', 'off', 'on'],
    ['role', 'local', 'on'],
    ['role', 'remote_write', 'on'],
    ['role', 'on', 'on'],
    ['role', 'remote_apply', 'remote_apply'],
    ['database', 'off', 'on'],
    ['server', 'off', 'on'],
  ] as const
  test.each(settings)('where the %s has synchronous_commit = %s, it is %s', async (owner, value, expected) => {
    await setCommit(owner, value)
    const read = (db: Database) => db.transaction('write', () => db.query('SHOW synchronous_commit').get())
    expect(await closeWhenDone(openPostgres(nodes.db), read)).toEqual({ synchronous_commit: expected })
  })

  test('those of a node and of a command, also if the server is told otherwise meanwhile', async () => {
    await setCommit('role', 'off')
    node = await startNode({ db: nodes.db })
    await admin.unsafe(`CREATE SCHEMA seen; CREATE TABLE seen.setting (value text);
      CREATE FUNCTION seen.note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO seen.setting VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE TRIGGER note AFTER INSERT ON version EXECUTE FUNCTION seen.note();
      CREATE TRIGGER note AFTER INSERT ON token EXECUTE FUNCTION seen.note()`)
    toWritten(await node.client.create({ title: 'Durable', whiteboard: '0' }))
    await setCommit('server', 'off')
    toWritten(await node.client.create({ title: 'Durable again', whiteboard: '0' }))
    await runRostrum('token', 'create', '--name', 'durable', '--role', 'reader', '--db', nodes.db)
    const rows = await admin<{ value: string }[]>`SELECT value FROM seen.setting`
    expect(rows.map(({ value }) => value)).toEqual(['on', 'on', 'on'])
  }, 180_000)
})

/** At the level of the role, of the database, or of postgresql.conf. */
async function setCommit(owner: 'role' | 'database' | 'server', value: string): Promise<void> {
  if (owner === 'server') return setSystem('synchronous_commit', value)
  const name = owner === 'role' ? 'rostrum' : toName(nodes.db)
  await admin.unsafe(`ALTER ${owner} ${name} SET synchronous_commit = ${value}`)
}

const toName = (address: string) => new URL(address).pathname.slice(1)

async function setSystem(name: string, value: string): Promise<void> {
  await admin.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`)
  await admin`SELECT pg_reload_conf()`
}

/** The answer to a write whose wait for a replica was cancelled, as an operator would whose replica is gone. */
async function writeUnconfirmed({ client }: Node, id: number): Promise<Answer> {
  const deadline = performance.now() + waitMs
  // The first ones may be committed before the server has taken the new setting to heart.
  for (let number = 1; performance.now() < deadline; number++) {
    const state = { isAnswered: false }
    const writing = client.patch(id, { whiteboard: String(number) }).finally(() => {
      state.isAnswered = true
    })
    while (!state.isAnswered) if (await cancelWait()) return writing
    toWritten(await writing)
  }
  throw new Error('no commit waits for a replica')
}

async function cancelWait(): Promise<boolean> {
  const found = await admin`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
  return found.length > 0
}

test('a pooler in transaction mode is found, by a node and by a command', async () => {
  const pooler = await startPooler(nodes.port)
  const db = toProxied(nodes, pooler)
  for (const words of [
    ['serve', '--port', '0'],
    ['token', 'create', '--name', 'pooled', '--role', 'reader'],
  ]) {
    const { exitCode, stderr } = await runRostrum(...words, '--db', db)
    expect([exitCode, stderr]).toEqual([
      78,
      expect.stringMatching(/notifications do not arrive.*This looks like a pooler/),
    ])
  }
  await pooler.close()
}, 180_000)
