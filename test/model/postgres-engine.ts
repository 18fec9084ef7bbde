import { openPostgres } from '../../src/store/postgres/connection.ts'
import { createList } from '../../src/store/postgres/list.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import { borrowCluster, createDatabase, toDatabaseName } from '../harness/fresh-store.ts'
import { type OpenEngine, openEngine, type Places } from './sql-engine.ts'

/** New databases, which are copies of one, since making one takes long. */
export async function createPostgresDatabases(): Promise<Places> {
  const cluster = await borrowCluster()
  const empty = await createDatabase(cluster.url)
  await prepare(empty.db)
  const template = toDatabaseName(empty.db)
  return {
    async create() {
      const { db, remove } = await createDatabase(cluster.url, template)
      return { open: () => openDatabase(db), remove }
    },
    async remove() {
      await empty.remove()
      await cluster.giveBack()
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
