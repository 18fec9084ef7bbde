import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createCluster } from './postgres.ts'

/** A new, empty store for one server. */
export interface FreshStore {
  /** The value of `--db`. */
  readonly db: string
  /** The folder to remove with the store; null on PostgreSQL. */
  readonly folder: string | null
  remove(): Promise<void>
}

/** The URL of the cluster that holds the stores, null for SQLite; set by test/run.ts. */
export const clusterUrl = process.env.ROSTRUM_TEST_POSTGRES ?? null

export async function createFreshStore(): Promise<FreshStore> {
  return clusterUrl === null ? createFile() : await createDatabase(clusterUrl)
}

function createFile(): FreshStore {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-contract-'))
  return {
    db: join(folder, 'records.db'),
    folder,
    async remove() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The cluster of a run, whatever engine a file tests; set by test/run.ts. */
const sharedUrl = process.env.ROSTRUM_TEST_SHARED_POSTGRES ?? clusterUrl

/** A cluster for tests that neither stop it nor change its settings, and drop the databases that they create. */
export interface BorrowedCluster {
  /** The URL of its first database, which stays empty. */
  readonly url: string
  giveBack(): Promise<void>
}

/** Starting one takes a second, so all files of a run share one; a file that runs by itself gets its own. */
export async function borrowCluster(): Promise<BorrowedCluster> {
  if (sharedUrl !== null) return { url: sharedUrl, giveBack: async () => undefined }
  const cluster = await createCluster({ fsync: false })
  await cluster.start()
  return { url: cluster.toUrl('postgres'), giveBack: cluster.remove }
}

/** Creates a database in the cluster. */
export async function createDatabase(cluster: string, template = 'template1'): Promise<FreshStore> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await runStatement(cluster, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    db: cluster.replace(/\/[^/]*$/, `/${name}`),
    folder: null,
    remove: () => runStatement(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

export function toDatabaseName(address: string): string {
  return new URL(address).pathname.slice(1)
}

/** Runs one or more statements over a new connection. */
export async function runStatement(address: string, statement: string): Promise<void> {
  const client = postgres(address, { max: 1, onnotice: () => undefined })
  try {
    await client.unsafe(statement)
  } finally {
    await client.end({ timeout: 1 })
  }
}
