import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListQuery } from '../../src/record/query/query.ts'
import type { ColumnOptions } from '../../src/store/columns/record-columns.ts'
import type { Database } from '../../src/store/database.ts'
import type { ListPage } from '../../src/store/list-reads.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import * as postgresList from '../../src/store/postgres/list.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { readStoreId as readPostgresId } from '../../src/store/postgres/store-id.ts'
import * as postgresWriter from '../../src/store/postgres/writer.ts'
import type { ListSql } from '../../src/store/read/list/list-rows.ts'
import type { MemoryIndexes } from '../../src/store/search/memory-indexes.ts'
import type { SnapshotDeps } from '../../src/store/search/words-loader.ts'
import type { SiteReadDeps } from '../../src/store/site/site-deps.ts'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import * as sqliteList from '../../src/store/sqlite/list.ts'
import { readStoreId as readSqliteId } from '../../src/store/sqlite/store-id.ts'
import * as sqliteWriter from '../../src/store/sqlite/writer.ts'
import type { Writer } from '../../src/store/write/command-writer.ts'
import { borrowCluster, createDatabase as createPostgresDatabase } from '../harness/fresh-store.ts'

/** A new store whose lists are read as a query thread reads them. */
export interface ListStore {
  /** To read from. */
  readonly db: Database
  /** For statements that no command makes. */
  readonly writing: Database
  readonly writer: Writer
  createIndexes(options?: ColumnOptions, snapshot?: SnapshotDeps | null): MemoryIndexes
  readStoreId(db: Database): Promise<string>
  /** Remembers no count. */
  createList(indexes: MemoryIndexes): (query: ListQuery) => Promise<ListPage>
  createListSql(indexes: MemoryIndexes): SiteReadDeps['sql']
  readonly listSql: ListSql
  remove(): Promise<void>
}

const rethrow = (error: unknown): never => {
  throw error
}
const writerDeps = { now: Date.now, onError: rethrow }
const changesCounter = () => Number.NaN

export async function openSqliteStore(): Promise<ListStore> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-columns-'))
  const path = join(folder, 'store.db')
  await createDatabase(path)
  const [db, writing] = [createSqliteDatabase(openForReading(path)), createSqliteDatabase(openForWriting(path, 0))]
  const writer = sqliteWriter.createWriter({ db: openForWriting(path, 0), ...writerDeps })
  return {
    ...{ db, writing, writer },
    createIndexes: (options, snapshot) => sqliteList.createIndexes(db, options, snapshot),
    readStoreId: readSqliteId,
    createList: (indexes) => sqliteList.createList({ db, indexes, changesCounter }),
    createListSql: () => sqliteList.createListSql({ db, changesCounter }),
    listSql: sqliteList.listSql,
    async remove() {
      await Promise.all([db.close(), writing.close(), writer.close()])
      rmSync(folder, { recursive: true })
    },
  }
}

export async function openPostgresStore(): Promise<ListStore> {
  const cluster = await borrowCluster()
  const database = await createPostgresDatabase(cluster.url)
  const open = () => openPostgres(database.db)
  const [db, writing, commands] = [open(), open(), open()]
  expectNone(await migratePostgres(db))
  const writer = postgresWriter.createWriter({ db: commands, ...writerDeps })
  return {
    ...{ db, writing, writer },
    createIndexes: (options, snapshot) => postgresList.createIndexes(db, options, snapshot),
    readStoreId: readPostgresId,
    createList: (indexes) => postgresList.createList({ db, indexes, changesCounter }),
    createListSql: () => postgresList.createListSql({ db, changesCounter }),
    listSql: postgresList.listSql,
    async remove() {
      await Promise.all([db.close(), writing.close(), commands.close()])
      await database.remove()
      await cluster.giveBack()
    },
  }
}

function expectNone(problem: string | null): void {
  if (problem !== null) throw new Error(problem)
}

/** With columns that are never complete, so that SQL counts, as before a load. */
export function countedBySql({ columns, ...others }: MemoryIndexes): MemoryIndexes {
  return { ...others, columns: { ...columns, refresh: async () => undefined, isComplete: () => false } }
}
