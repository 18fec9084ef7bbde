import { ask } from '../faults/connection.ts'
import { createRecordClient, parseRecord, type RecordClient } from '../faults/record-client.ts'
import { borrowCluster, createDatabase } from '../harness/fresh-store.ts'
import { type Cluster, type ClusterOptions, createCluster } from '../harness/postgres.ts'
import { type Server, type ServerOptions, startServer } from '../harness/server.ts'

/** A serving process, and a client whose every request has a connection of its own, so that all threads serve it. */
export interface Node {
  readonly server: Server
  readonly client: RecordClient
}

export interface Nodes {
  /** The port of PostgreSQL. */
  readonly port: number
  /** The database's address. */
  readonly db: string
  readonly all: readonly Node[]
  readonly any: () => Node
  stop(): Promise<void>
}

/** Nodes on a PostgreSQL that the tests may stop. */
export interface OwnNodes extends Nodes {
  readonly cluster: Cluster
}

/** Nodes that start at the same time on one new database. */
export async function startNodes(count: number): Promise<Nodes> {
  const cluster = await borrowCluster()
  const database = await createDatabase(cluster.url)
  return await startOn(database.db, count, async () => {
    await database.remove()
    await cluster.giveBack()
  })
}

/** The same on a PostgreSQL of their own. */
export async function startOwnNodes(count: number, options: ClusterOptions): Promise<OwnNodes> {
  const cluster = await createCluster(options)
  try {
    await cluster.start()
    const { db } = await createDatabase(cluster.toUrl('postgres'))
    return { cluster, ...(await startOn(db, count, cluster.remove)) }
  } catch (error) {
    await cluster.remove()
    throw error
  }
}

async function startOn(db: string, count: number, remove: () => Promise<void>): Promise<Nodes> {
  const all = await Promise.all(Array.from({ length: count }, () => startNode({ db })))
  async function stop(): Promise<void> {
    await Promise.all(all.map(({ server }) => server.kill9()))
    await remove()
  }
  return { port: Number(new URL(db).port), db, all, any: () => pick(all), stop }
}

export async function startNode(options: ServerOptions): Promise<Node> {
  const server = await startServer(options)
  return { server, client: createRecordClient((...request) => ask(server.port, ...request), server.adminKey) }
}

/** The way to the database through what listens on another port. */
export function toProxied(nodes: Pick<Nodes, 'db' | 'port'>, { port }: { readonly port: number }): string {
  return nodes.db.replace(`:${nodes.port}/`, `:${port}/`)
}

export function pick<T>(from: readonly T[]): T {
  const found = from[Math.floor(Math.random() * from.length)]
  if (found === undefined) throw new Error('there is nothing to pick from')
  return found
}

/** Every version's number, oldest first, as a node tells them. */
export async function readVersions({ server }: Node, id: number): Promise<readonly number[]> {
  const numbers: number[] = []
  for (let page = 1; ; page++) {
    const path = `/api/v2/video/${id}/history?page_size=100&page=${page}`
    const { status, body } = await ask(server.port, 'GET', path, { Authorization: `Token ${server.adminKey}` })
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    const { results, next }: { results: { version: number }[]; next: string | null } = JSON.parse(body)
    numbers.push(...results.map(({ version }) => version))
    if (next === null) return numbers.reverse()
  }
}

/** The number that a test last wrote into the record; null where the answer is not a record. */
export function toCounter({ status, body }: { readonly status: number; readonly body: string }): number | null {
  return status === 200 ? Number(parseRecord(body).whiteboard) : null
}

/** From a commit on one node to a read on another one; many times what it takes on an idle machine. */
const maxLagMs = 2_000

/** What a node reads within the time that news may take to reach it. */
export async function readUntil({ client }: Node, id: number, wanted: number): Promise<number | null> {
  const deadline = performance.now() + maxLagMs
  for (;;) {
    const found = toCounter(await client.read(id))
    if (found === wanted || performance.now() > deadline) return found
  }
}

/** A line of the log that says something of the store. */
export interface StoreLine {
  readonly level: string
  readonly event: string
  readonly count?: number
  readonly seconds?: number
  readonly host?: string
  readonly error?: string
  readonly why?: string
}

/** The lines of a node's log, oldest first. */
export function readLog({ stderr }: Server): readonly StoreLine[] {
  const lines = stderr().split('\n')
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line))
}
