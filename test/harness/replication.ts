import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Cluster, createCluster, ownAll, writeOwn } from './postgres.ts'
import { until } from './until.ts'

/** Files that belong to the running primary, or are written again. */
const leftOut = ['postmaster.pid', 'postmaster.opts', 'backup_label', 'standby.signal']

/** Starts a replica of a running PostgreSQL from a base backup. */
export async function startStandby(primary: Cluster, port?: number): Promise<Cluster> {
  const fill = (data: string) => copyData(primary, data)
  const standby = await createCluster({ fsync: true, fill, ...(port === undefined ? {} : { port }) })
  await standby.start()
  return standby
}

async function copyData(primary: Cluster, data: string): Promise<void> {
  await withAdmin(primary, async (admin) => {
    await admin`SELECT pg_backup_start('standby', true)`
    for (const name of readdirSync(primary.data).filter((name) => !leftOut.includes(name))) {
      cpSync(join(primary.data, name), join(data, name), { recursive: true })
    }
    const [backup] = await admin<{ labelfile: string }[]>`SELECT labelfile FROM pg_backup_stop(false)`
    writeOwn(join(data, 'backup_label'), backup?.labelfile ?? '')
  })
  const source = `host=127.0.0.1 port=${primary.port} user=rostrum application_name=replica`
  writeOwn(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeOwn(join(data, 'standby.signal'), '')
  ownAll(data)
}

/** Switches synchronous replication on or off. */
export async function setSynchronous(primary: Cluster, isOn: boolean): Promise<void> {
  await withAdmin(primary, async (admin) => {
    await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${isOn ? '*' : ''}'`)
    await admin`SELECT pg_reload_conf()`
    if (isOn) await until('a replica confirms commits', async () => (await countReplicas(admin)) > 0)
  })
}

/** Promotes the replica; resolves when it accepts writes. */
export async function promote(standby: Cluster): Promise<void> {
  await withAdmin(standby, async (admin) => {
    await admin`SELECT pg_promote(true, 20)`
    await until('it takes writes', async () => (await admin`SELECT WHERE NOT pg_is_in_recovery()`).length > 0)
  })
}

async function countReplicas(admin: postgres.Sql): Promise<number> {
  const rows = await admin`SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')`
  return rows.length
}

/** Connects with `synchronous_commit` local, so that its commits never wait for a replica. */
export async function withAdmin<T>(cluster: Cluster, use: (admin: postgres.Sql) => Promise<T>, database = 'postgres') {
  const connection = { synchronous_commit: 'local' }
  const admin = postgres(cluster.toUrl(database), { max: 1, connection, onnotice: () => undefined })
  try {
    return await use(admin)
  } finally {
    await admin.end({ timeout: 1 })
  }
}
