import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/record/command.ts'
import { type Changes, fromBody } from '../../src/record/record.ts'
import type { Database } from '../../src/store/database.ts'
import { checkCategories, checkMerges } from '../../src/store/maintain/check/entries.ts'
import { checkBatches, checkLeftovers } from '../../src/store/maintain/check/leftovers.ts'
import { checkNames, checkRecords } from '../../src/store/maintain/check/records.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter as createPostgresWriter } from '../../src/store/postgres/writer.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createWriter as createSqliteWriter } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import type { BatchJob, BegunBatch, JobWatch } from '../../src/store/write/batch/batches.ts'
import type { Writer } from '../../src/store/write/command-writer.ts'
import { useDatabases } from '../postgres/databases.ts'

export const author = { name: 'ann', role: 'admin' } as const

/** A store without threads: batches run when they are asked for. */
export interface NameStore {
  readonly db: Database
  /** Runs a command to its end, however many transactions that takes. */
  ask(command: Command): Promise<Outcome>
  /**
   * Begins what a command asks for, and stops it once so many records are done: by default in its first transaction.
   * `between` runs after each slice before that.
   */
  stop(command: Command, after?: number, between?: (done: number) => Promise<void>): Promise<Outcome>
  /** After its first slice: for what happens in between. */
  during(command: Command, use: () => Promise<void>): Promise<Outcome>
  create(changes: Changes): Promise<number>
  readList(id: number, field: 'speakers' | 'tags'): Promise<readonly string[]>
  /** What `doctor` would find, without the search index. */
  check(): Promise<readonly string[]>
  rows(sql: string): Promise<readonly unknown[][]>
  close(): Promise<void>
}

interface Engine {
  readonly name: string
  open(): Promise<{ db: Database; writer: Writer; indexedSql(table: string): string; close(): Promise<void> }>
}

function createStore({ db, writer, indexedSql, close }: Awaited<ReturnType<Engine['open']>>): NameStore {
  const watch = { onProgress: () => undefined, isStopped: () => false, isAnswered: () => false }

  async function begin(command: Command): Promise<Outcome | BegunBatch> {
    const outcomes = await writer.run([command], new Set())
    const [outcome] = outcomes === 'busy' ? [] : outcomes
    return outcome ?? fail(outcomes)
  }

  async function runNext(job: BatchJob, more: Partial<JobWatch> = {}) {
    const ran = await writer.runBatch(job, { ...watch, ...more })
    return ran === 'busy' || ran.is === 'failed' ? fail(ran) : ran
  }

  async function finish(first: BatchJob): Promise<Outcome> {
    let ran = await runNext(first)
    while (ran.is === 'slice') ran = await runNext(ran.job)
    return ran
  }

  async function ask(command: Command): Promise<Outcome> {
    const outcome = await begin(command)
    return outcome.is === 'begun' ? finish(outcome.job) : outcome
  }

  const rows = async (sql: string) =>
    (await db.query<object, []>(sql).all()).map((row): unknown[] => Object.values(row))

  return {
    db,
    ask,
    rows,
    async stop(command, after = 0, between = () => Promise.resolve()) {
      const outcome = await begin(command)
      let seen = 0
      const onProgress = (done: number) => {
        seen = done
      }
      const counting = { onProgress, isStopped: () => seen >= after }
      let ran = outcome.is === 'begun' ? await runNext(outcome.job, counting) : fail(outcome)
      while (ran.is === 'slice') {
        await between(ran.job.slices?.progress.done ?? 0)
        ran = await runNext(ran.job, counting)
      }
      return ran
    },
    async during(command, use) {
      const outcome = await begin(command)
      const ran = outcome.is === 'begun' ? await runNext(outcome.job) : fail(outcome)
      await use()
      return ran.is === 'slice' ? finish(ran.job) : fail(ran)
    },
    async create(changes) {
      const outcome = await ask({
        kind: 'create',
        author,
        changes: { category: 'C', title: 'T', state: 1, ...changes },
      })
      return outcome.is === 'stored' ? outcome.stored.id : fail(outcome)
    },
    async readList(id, field) {
      const row = await db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?').get(id)
      return row === null ? fail(`no record ${id}`) : fromBody(row.body)[field]
    },
    async check() {
      const found: string[] = []
      const words = { expect: () => [], compare: () => [] }
      const checks = [
        checkRecords(db, words, () => undefined),
        checkMerges(db),
        checkCategories(db),
        checkBatches(db),
        checkLeftovers(db),
        checkNames(db, 'speaker', indexedSql('speaker')),
        checkNames(db, 'tag', indexedSql('tag')),
      ]
      for (const check of checks) for await (const { id, what } of check) found.push(`${id ?? ''} ${what}`)
      return found
    },
    close,
  }
}

/** Runs a test on a new store of each engine. */
export function useNameStores() {
  const { createAddress } = useDatabases()
  const sqlite: Engine = {
    name: 'SQLite',
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'rostrum-names-'))
      const path = join(folder, 'store.db')
      await createDatabase(path)
      const [raw, other] = [openForWriting(path, 0), openForWriting(path, 0)]
      const writer = createSqliteWriter({ db: raw, now: Date.now, onError: fail })
      return {
        db: createSqliteDatabase(other),
        writer,
        indexedSql: (table) => `SELECT id FROM ${table}_piece_docsize`,
        async close() {
          await writer.close()
          other.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
  const postgres: Engine = {
    name: 'PostgreSQL',
    async open() {
      const address = await createAddress()
      const [db, other] = [openPostgres(address), openPostgres(address)]
      expect(await migratePostgres(db)).toBeNull()
      const writer = createPostgresWriter({ db, now: Date.now, onError: fail })
      return {
        db: other,
        writer,
        indexedSql: (table) => `SELECT rowid AS id FROM ${table}_piece`,
        async close() {
          await writer.close()
          await other.close()
        },
      }
    },
  }
  return [sqlite, postgres].map(({ name, open }) => ({
    name,
    /** The doctor must have nothing to say at the end. */
    async run(use: (store: NameStore) => Promise<void>): Promise<void> {
      const store = createStore(await open())
      try {
        await use(store)
        expect(await store.check()).toEqual([])
      } finally {
        await store.close()
      }
    },
  }))
}

export function fail(what: unknown): never {
  throw what instanceof Error ? what : new Error(`unexpected: ${JSON.stringify(what)}`)
}
