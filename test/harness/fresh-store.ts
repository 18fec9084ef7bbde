import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createCluster } from './postgres.ts'

/** Keys by the role of their token. */
export type Keys = Readonly<Record<string, string>>

/** A store that test/run.ts has made to be copied, with a token of each role, since creating a token takes a process. */
export interface PreparedStore {
  readonly db: string
  readonly keys: Keys
}

/** A new store for one server, without records. */
export interface FreshStore {
  /** The value of `--db`. */
  readonly db: string
  /** The folder to remove with the store; null on PostgreSQL. */
  readonly folder: string | null
  /** Of the tokens that it has already. */
  readonly keys: Keys
  remove(): Promise<void>
}

/** The URL of the cluster that holds the stores, null for SQLite; set by test/run.ts. */
export const clusterUrl = process.env.ROSTRUM_TEST_POSTGRES ?? null

const prepared: PreparedStore | null = JSON.parse(
  (clusterUrl === null ? process.env.ROSTRUM_TEST_PREPARED : process.env.ROSTRUM_TEST_PREPARED_POSTGRES) ?? 'null',
)

/** A store has tokens only if test/run.ts has prepared one. */
export async function createFreshStore(hasTokens = false): Promise<FreshStore> {
  const source = hasTokens ? prepared : null
  if (clusterUrl === null) return createFile(source)
  const database = await createDatabase(clusterUrl, source === null ? undefined : toDatabaseName(source.db))
  return { ...database, keys: source?.keys ?? {} }
}

function createFile(source: PreparedStore | null): FreshStore {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-contract-'))
  const db = join(folder, 'records.db')
  if (source !== null) copyFileSync(source.db, db)
  return {
    db,
    folder,
    keys: source?.keys ?? {},
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
    keys: {},
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
