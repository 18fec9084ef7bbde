import { expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { addLinks, readStoredLinks, startHosts } from '../link/link-server.ts'
import { useDatabases } from './databases.ts'
import { startNode } from './nodes.ts'

const { createAddress } = useDatabases()
const args = ['--threads', '1', '--check-private', 'on', '--check-links', '24h']

test('two nodes and a command that start together ask about each address once', async () => {
  const hosts = startHosts()
  const db = await createAddress()
  const first = await startNode({ db, args: ['--threads', '1'] })
  await first.client.create({ title: 'A talk', category: 'Event', state: 1 })
  const names = Array.from({ length: 12 }, (_, i) => `127.0.0.${2 + (i % 4)}/${i}`)
  await addLinks(db, names.map(hosts.toUrl))
  const [one, two, command] = await Promise.all([
    startServer({ db, args }),
    startServer({ db, args }),
    runRostrum('check-links', '--db', db, '--check-private', 'on'),
  ])
  expect([0, 69]).toContain(command.exitCode ?? -1)
  if (command.exitCode === 69)
    expect(command.stderr).toMatch(/Another run has been in progress since .*Z: rostrum serve, process \d+ on /)
  await until('all are checked', async () => (await readStoredLinks(db)).every(({ state }) => state === 'ok'))
  expect(hosts.requests.map(({ line }) => line).toSorted()).toEqual(names.map((name) => `HEAD ${name}`).toSorted())
  expect(await Promise.all([one.stop(), two.stop(), first.server.stop()])).toEqual([0, 0, 0])
  expect(hosts.requests).toHaveLength(names.length)
  await hosts.stop()
}, 120_000)
