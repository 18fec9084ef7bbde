import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

/** A place for one server's records, which nobody else uses. */
export interface FreshStore {
  /** What `--db` takes. */
  readonly db: string
  /** The folder that is to be removed with it; null where there is none. */
  readonly folder: string | null
  remove(): Promise<void>
}

/** The address of a cluster on which suites are to run, instead of on files; set by test/run.ts. */
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

/** A database of its own in the cluster. */
export async function createDatabase(cluster: string): Promise<FreshStore> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await runStatement(cluster, `CREATE DATABASE ${name}`)
  return {
    db: cluster.replace(/\/[^/]*$/, `/${name}`),
    folder: null,
    remove: () => runStatement(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Runs a statement, or several, over a connection of its own. */
export async function runStatement(address: string, statement: string): Promise<void> {
  const client = postgres(address, { max: 1, onnotice: () => undefined })
  try {
    await client.unsafe(statement)
  } finally {
    await client.end({ timeout: 1 })
  }
}
