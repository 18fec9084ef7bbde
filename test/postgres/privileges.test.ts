import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runRostrum } from '../cli/store-command.ts'
import { toWritten } from '../faults/record-client.ts'
import { withAdmin } from '../harness/replication.ts'
import { until } from '../harness/until.ts'
import { useCluster } from './databases.ts'
import { startNode } from './nodes.ts'

// Runner: long (a role with the documented privileges)

const cluster = useCluster()

const operations = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')
const [ofServer = '', ofDatabase = ''] = (/```sql\n([\s\S]*?)```/.exec(operations)?.[1] ?? '').split(
  '\\connect talks\n',
)
const toDb = (role: string) => `postgres://${role}@127.0.0.1:${cluster().port}/talks`

test('a node and commands work with the documented privileges, and can alter no table', async () => {
  await withAdmin(cluster(), async (admin) => {
    for (const statement of ofServer.trim().split('\n')) await admin.unsafe(statement)
  })
  await withAdmin(cluster(), (admin) => admin.unsafe(ofDatabase), 'talks')
  const early = await runRostrum('serve', '--db', toDb('rostrum_node'), '--port', '0')
  expect([early.exitCode, early.stderr]).toEqual([78, expect.stringMatching(/permission denied.*Least privileges/s)])

  const create = ['token', 'create', '--create-store', '--name', 'ann', '--role', 'admin']
  expect(await runRostrum(...create, '--db', toDb('rostrum_owner'))).toMatchObject({ exitCode: 0 })
  const { server, client } = await startNode({ db: toDb('rostrum_node') })
  try {
    const { id } = toWritten(await client.create({ title: 'Created by a node' }))
    expect((await client.patch(id, { title: 'Changed by a node' })).status).toBe(200)
    expect((await client.read(id)).body).toContain('Changed by a node')
    const list = await fetch(`${server.url}/api/v2/video?q=changed`)
    expect([list.status, await list.text()]).toEqual([200, expect.stringContaining('Changed by a node')])
    await until('the store is measured', async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      return /^rostrum_records\{state="live"\} 1$/m.test(metrics) && /^rostrum_store_bytes [1-9]/m.test(metrics)
    })
  } finally {
    await server.stop()
  }
  const commands = [
    ['token', 'list'],
    ['doctor'],
    ['doctor', '--rebuild'],
    ['purge', '1', '--yes'],
    ['store', 'new-id'],
  ]
  for (const command of commands) {
    const { exitCode, stderr } = await runRostrum(...command, '--db', toDb('rostrum_node'))
    expect([command, exitCode, stderr]).toEqual([command, 0, expect.any(String)])
  }
  for (const harm of ['DROP TABLE record', 'ALTER TABLE record ADD COLUMN x int', 'CREATE TABLE x (y int)']) {
    const asNode = `SET ROLE rostrum_node; ${harm}`
    expect(withAdmin(cluster(), (admin) => admin.unsafe(asNode), 'talks')).rejects.toThrow(
      /must be owner|permission denied/,
    )
  }
}, 120_000)
