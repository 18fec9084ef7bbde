import { createDatabase } from '../harness/fresh-store.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'
import { setSynchronous, startStandby, withAdmin } from '../harness/replication.ts'
import { type Node, startNode } from './nodes.ts'

/** A primary, its synchronous replica, and nodes that know both by address, the first primary first. */
export interface Pair {
  readonly first: Cluster
  readonly second: Cluster
  readonly database: string
  /** The address with both hosts. */
  readonly db: string
  readonly nodes: readonly Node[]
  /** One more server that is removed in the end. */
  add(cluster: Cluster): void
  stop(): Promise<void>
}

export async function startPair(count: number): Promise<Pair> {
  const clusters: Cluster[] = []
  const nodes: Node[] = []
  const stop = async () => {
    await Promise.all(nodes.map(({ server }) => server.kill9()))
    await Promise.all(clusters.map((cluster) => cluster.remove()))
  }
  try {
    const first = await createCluster({ fsync: true })
    clusters.push(first)
    await first.start()
    const second = await startStandby(first)
    clusters.push(second)
    await setSynchronous(first, true)
    const database = new URL((await createDatabase(first.toUrl('postgres'))).db).pathname.slice(1)
    const db = `postgres://rostrum@127.0.0.1:${first.port},127.0.0.1:${second.port}/${database}`
    nodes.push(...(await Promise.all(Array.from({ length: count }, () => startNode({ db })))))
    const add = (cluster: Cluster) => void clusters.push(cluster)
    return { first, second, database, db, nodes, add, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What a server has of a record: the number that a test last wrote into it. */
export async function readStored(cluster: Cluster, database: string, id: number): Promise<number> {
  const read = async (admin: Parameters<Parameters<typeof withAdmin>[1]>[0]) => {
    const [row] = await admin<{ counter: string }[]>`
      SELECT convert_from(body, 'LATIN1')::json ->> 'whiteboard' AS counter FROM record WHERE id = ${id}`
    return Number(row?.counter)
  }
  return withAdmin(cluster, read, database)
}

/** How many sessions of ours a server has that could be read or written through. */
export async function countSessions(cluster: Cluster): Promise<number> {
  return withAdmin(cluster, async (admin) => {
    const rows = await admin`SELECT FROM pg_stat_activity WHERE application_name = 'rostrum'`
    return rows.length
  })
}
