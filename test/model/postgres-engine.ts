import postgres from 'postgres'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { createList } from '../../src/store/postgres/list.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import { createCluster } from '../harness/postgres.ts'
import { type OpenEngine, openEngine, type Places } from './sql-engine.ts'

/** New databases in a cluster of their own; they are copies of one, since making one takes long. */
export async function createPostgresDatabases(): Promise<Places> {
  const cluster = await createCluster({ fsync: false })
  await cluster.start()
  const client = postgres(cluster.toUrl('postgres'), { max: 1, onnotice: () => undefined })
  await client.unsafe('CREATE DATABASE empty')
  await prepare(cluster.toUrl('empty'))
  let count = 0
  return {
    async create() {
      const name = `store_${++count}`
      await client.unsafe(`CREATE DATABASE ${name} TEMPLATE empty`)
      return {
        open: () => openDatabase(cluster.toUrl(name)),
        remove: async () => void (await client.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)),
      }
    },
    async remove() {
      await client.end({ timeout: 1 })
      await cluster.remove()
    },
  }
}

async function prepare(address: string): Promise<void> {
  const db = openPostgres(address)
  const problem = await migratePostgres(db)
  await db.close()
  if (problem !== null) throw new Error(problem)
}

function openDatabase(address: string): OpenEngine {
  const db = openPostgres(address)
  return openEngine({
    db,
    createList,
    createWriter: (deps) => createWriter({ db, ...deps }),
    close: () => db.close(),
  })
}
