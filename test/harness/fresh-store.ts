import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

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

/** Creates a database in the cluster. */
export async function createDatabase(cluster: string): Promise<FreshStore> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await runStatement(cluster, `CREATE DATABASE ${name}`)
  return {
    db: cluster.replace(/\/[^/]*$/, `/${name}`),
    folder: null,
    remove: () => runStatement(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
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
