import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { runRostrum } from '../archive/command.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'
import { program } from '../harness/program.ts'
import { startStandby } from '../harness/replication.ts'
import { collectText, createFolder, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { createCertificate } from './certificate.ts'

// Runner: long (clusters of several hosts)

const folder = createFolder()
const roots = join(folder, 'roots.pem')
const otherRoots = join(folder, 'other.pem')
const tls = createCertificate({ name: 'localhost' })
let primary: Cluster
let standby: Cluster

beforeAll(async () => {
  writeFileSync(roots, tls.certificate)
  writeFileSync(otherRoots, createCertificate({ name: 'localhost' }).certificate)
  primary = await createCluster({ fsync: false, tls })
  await primary.start()
  standby = await startStandby(primary)
}, 180_000)
afterAll(async () => {
  await Promise.all([primary.remove(), standby.remove()])
  rmSync(folder, { recursive: true })
}, 180_000)

/** What a new connection says of itself. */
async function ask(hosts: string, parameters = ''): Promise<unknown> {
  const db = openPostgres(`postgres://rostrum@${hosts}/postgres${parameters}`)
  try {
    return db
      .query('SELECT ssl AS "isSecret", pg_is_in_recovery() AS standby FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      .get()
  } finally {
    await db.close()
  }
}

const nobody = '127.0.0.1:1'

describe('Of several hosts the one that takes writes is used', () => {
  test.each([
    ['the first is down', () => `${nobody},127.0.0.1:${primary.port}`],
    ['the first only reads', () => `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`],
    ['the last only reads', () => `localhost:${primary.port},127.0.0.1:${standby.port}`],
    ['two are of no use', () => `${nobody},127.0.0.1:${standby.port},127.0.0.1:${primary.port}`],
  ])('when %s', async (_, toHosts) => {
    expect(await ask(toHosts(), '?sslmode=disable')).toEqual({ isSecret: false, standby: false })
    expect(await ask(toHosts())).toEqual({ isSecret: true, standby: false })
  })

  test.each([
    ['all are down', () => `${nobody},127.0.0.1:2`],
    ['all only read', () => `127.0.0.1:${standby.port},${nobody}`],
    ['the only one only reads', () => `127.0.0.1:${standby.port}`],
  ])('and when %s, that is said soon', async (_, toHosts) => {
    const { exitCode, stderr } = await runRostrum('token', 'list', '--db', `postgres://rostrum@${toHosts()}/postgres`)
    expect([exitCode, stderr]).toEqual([69, expect.stringContaining('Check that PostgreSQL is running there')])
  })

  test('a node serves through them', async () => {
    const hosts = `${nobody},127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
    const server = await startServer({
      db: `postgres://rostrum@${hosts}/postgres`,
      args: ['--sample', '--threads', '2'],
    })
    expect((await fetch(`${server.url}/api/v2/video/1`)).status).toBe(200)
    await server.stop()
  })
})

describe('Connections are as secret as asked for', () => {
  test.each([
    ['disable', false],
    ['prefer', true],
    ['require', true],
  ])('sslmode=%s', async (mode, isSecret) => {
    expect(await ask(`127.0.0.1:${primary.port}`, `?sslmode=${mode}`)).toMatchObject({ isSecret })
  })

  test('prefer goes without where the server has no TLS, require does not', async () => {
    const plain = await createCluster({ fsync: false })
    await plain.start()
    expect(await ask(`127.0.0.1:${plain.port}`, '?sslmode=prefer')).toMatchObject({ isSecret: false })
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      await expect(ask(`127.0.0.1:${plain.port}`, `?sslmode=${mode}`)).rejects.toThrow()
    }
    await plain.remove()
  })

  test.each([
    ['localhost', 'verify-full', roots, true],
    ['127.0.0.1', 'verify-full', roots, false],
    ['127.0.0.1', 'verify-ca', roots, true],
    ['localhost', 'verify-full', otherRoots, false],
    ['localhost', 'verify-ca', otherRoots, false],
    ['localhost', 'verify-full', 'system', false],
  ])('a certificate of localhost is good for %s with %s and the roots %s: %p', async (host, mode, file, isGood) => {
    for (const hosts of [`${host}:${primary.port}`, `${host}:${primary.port},${nobody}`]) {
      const act = () => ask(hosts, `?sslmode=${mode}&sslrootcert=${encodeURIComponent(file)}`)
      if (isGood) expect(await act()).toEqual({ isSecret: true, standby: false })
      else await expect(act()).rejects.toThrow()
    }
  })

  test('a certificate of an address is good for that address alone', async () => {
    const other = createCertificate({ ip: [127, 0, 0, 1] })
    const file = join(folder, 'address.pem')
    writeFileSync(file, other.certificate)
    const cluster = await createCluster({ fsync: false, tls: other })
    await cluster.start()
    const parameters = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`
    expect(await ask(`127.0.0.1:${cluster.port}`, parameters)).toMatchObject({ isSecret: true })
    await expect(ask(`localhost:${cluster.port}`, parameters)).rejects.toThrow()
    await cluster.remove()
  })
})

describe('A node that starts before PostgreSQL', () => {
  test('waits for it, says so, and then serves', async () => {
    const late = await createCluster({ fsync: false })
    const serve = [program, 'serve', '--db', late.toUrl('postgres'), '--port', '0', '--threads', '1']
    const node = Bun.spawn(serve, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    const text = collectText(node.stderr)
    await until('it says that it waits', () => text().includes('"waiting for the store"'))
    await late.start()
    await until('it serves', () => text().includes('"serving"'))
    expect(text().match(/"waiting for the store"/g)?.length).toBe(1)
    node.kill('SIGTERM')
    expect(await node.exited).toBe(0)
    await late.remove()
  }, 180_000)

  test('says why it does not start once that has taken too long', async () => {
    const serve = ['serve', '--db', `postgres://rostrum@${nobody}/postgres`, '--port', '0', '--db-wait']
    expect(await runRostrum(...serve, '0')).toMatchObject({
      exitCode: 69,
      stderr: expect.not.stringContaining('waiting'),
    })
    const { exitCode, stderr } = await runRostrum(...serve, '1')
    expect([exitCode, stderr]).toEqual([69, expect.stringContaining('Check that PostgreSQL is running there')])
    expect(stderr).toContain('"waiting for the store"')
  })
})
