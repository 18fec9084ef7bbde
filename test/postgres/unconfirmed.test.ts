import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { runRostrum } from '../archive/command.ts'
import type { Answer } from '../faults/connection.ts'
import { toWritten } from '../faults/record-client.ts'
import { toCode } from './load.ts'
import { type Node, type Nodes, startNode, startNodes, toProxied } from './nodes.ts'
import { type FailingProxy, startProxy } from './proxy.ts'

/** What the server says in English, and the same in another language. */
const english = 'canceling wait for synchronous replication due to user request'
const german = 'Warten auf synchrone Replikation wird abgebrochen'.padEnd(english.length)

const waitMs = 10_000
let nodes: Nodes
let admin: postgres.Sql
let proxy: FailingProxy

beforeAll(async () => {
  nodes = await startNodes(0, { fsync: true })
  admin = postgres(nodes.db, { max: 1, connection: { synchronous_commit: 'local' } })
  proxy = await startProxy(nodes.cluster.port)
}, 60_000)
afterAll(async () => {
  await admin.end({ timeout: 1 })
  await proxy.close()
  await nodes.stop()
})

let node: Node | undefined
afterEach(async () => {
  await setSystem('synchronous_standby_names', '')
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
  }, 60_000)
}

test('where warnings cannot be asked for, a node does not start, and says why', async () => {
  const deaf = await startProxy(nodes.cluster.port)
  deaf.replace('warning', 'error  ')
  const { exitCode, stderr } = await runRostrum('serve', '--port', '0', '--db', toProxied(nodes, deaf))
  expect([exitCode, stderr]).toEqual([78, expect.stringContaining('cannot be made to report warnings')])
  await deaf.close()
}, 60_000)

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
