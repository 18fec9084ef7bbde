import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { closeWhenDone, type Database } from '../database.ts'
import type { Engine, Inspected, Prepared } from '../engine.ts'
import { explainFailure } from '../explain-failure.ts'
import { createFindMatches } from '../read/list/list-rows.ts'
import { postgresMigrations } from '../schema/migrations.ts'
import { parseAddress, withoutPassword } from './address.ts'
import { checkWhole } from './check.ts'
import { createReconnectingClient } from './client/reconnecting-client.ts'
import { openPostgres, type PostgresDatabase } from './connection.ts'
import { nameHost, PostgresFailure, toPostgresFailure } from './failure.ts'
import { listSql } from './list.ts'
import { inspectPostgres, migratePostgres } from './migrate.ts'
import { changesChannel } from './notifications.ts'
import { createTimeline, type NodeMemory } from './primary/timeline.ts'
import { findRisks } from './risks.ts'
import { isInPlace, noticeRestore, readStoreId, writeStoreId } from './store-id.ts'

/** Building the index of millions of search tokens takes this long at most. */
const moveTimeoutMs = 3_600_000

/** `primary`: shared memory that tells all connections of the process which host is the primary. */
export function createPostgresEngine(address: string, primary: SharedArrayBuffer): Engine {
  const memory: NodeMemory = { primary, counters: null }
  const shown = withoutPassword(address)
  const refuse = (problem: string) => new CommandFailure(exitCodes.badData, `Cannot use ${shown}: ${problem}`)

  function explain(error: unknown): CommandFailure | null {
    if (!(error instanceof PostgresFailure)) return null
    const { code, advice } = toAdvice(error)
    return new CommandFailure(code, `Cannot use ${shown}: ${error.message}. ${advice}`)
  }

  const withPostgres = <T>(use: (db: PostgresDatabase) => Promise<T>) =>
    explainFailure(explain, () => closeWhenDone(openPostgres(address, { memory }), use))

  async function inspect(): Promise<Inspected> {
    const parsed = parseAddress(address)
    if (typeof parsed === 'string') throw new CommandFailure(exitCodes.config, `Invalid address ${shown}. ${parsed}`)
    const found = await withPostgres(inspectPostgres)
    if (found.is === 'refused') throw refuse(found.problem)
    await explainFailure(explain, () => checkSession(address, memory))
    return found.is === 'new' ? { isNew: true, schema: 0 } : { isNew: false, schema: found.schema }
  }

  /** Nodes that start together wait for one another. PostgreSQL has its own backups, so no copy is kept. */
  async function prepare(): Promise<Prepared> {
    const startMs = performance.now()
    let from: number | null = null
    const migrate = (db: PostgresDatabase) =>
      migratePostgres(db, {
        shown,
        onUpgrade(schema) {
          from = schema
        },
      })
    const open = () => openPostgres(address, { memory, answerTimeoutMs: moveTimeoutMs })
    const problem = await explainFailure(explain, () => closeWhenDone(open(), migrate))
    if (problem !== null) throw refuse(problem)
    const ms = Math.round(performance.now() - startMs)
    const upgraded = from === null ? null : { from, to: postgresMigrations.length, ms, copy: null }
    return { lock: noLock, upgraded }
  }

  return {
    kind: 'postgres',
    path: address,
    shown,
    backupTools: { backup: 'pg_dump or pg_basebackup', restore: 'pg_restore' },
    mayBeMistyped: false,
    explain,
    inspect,
    create: async () => void (await prepare()),
    prepare,
    exists: async () => !(await inspect()).isNew,
    findRisks: () => withPostgres(findRisks),
    lock: () => noLock,
    open: (purpose) =>
      openPostgres(address, purpose === 'move' ? { memory, answerTimeoutMs: moveTimeoutMs } : { memory }),
    createFindMatches: (db) => createFindMatches(db, listSql),
    schema: postgresMigrations.length,
    readStoreId,
    writeStoreId,
    noticeRestore: () =>
      withPostgres(async (db) => {
        // Another node may hold the lock for long, so it is taken only if there is something to write.
        if (await isInPlace(db)) return false
        return db.transaction('write', () => noticeRestore(db)).catch(ifUnconfirmed)
      }),
    clearDerived,
    loadInBulk,
    async *check(listener) {
      const db = openPostgres(address, { memory })
      try {
        yield* checkWhole(db, listener)
      } finally {
        await db.close()
      }
    },
    wipeErased: null,
  }
}

/** A node that may not write yet serves reads; its next start notices. Sessions of another place are invalid anyway. */
function ifUnconfirmed(error: unknown): false {
  if (error instanceof PostgresFailure && error.code === 'POSTGRES_UNCONFIRMED') return false
  throw error
}

const noLock = { release: () => undefined }

function toAdvice({ code, isLost }: PostgresFailure): { readonly code: number; readonly advice: string } {
  if (/^POSTGRES_28/.test(code)) {
    return { code: exitCodes.config, advice: 'Check the user, and the password in PGPASSWORD or ROSTRUM_DB.' }
  }
  if (code === 'POSTGRES_POOLED') {
    return {
      code: exitCodes.config,
      advice:
        'This looks like a pooler in transaction mode, such as PgBouncer. Connect to PostgreSQL itself, or set pool_mode = session.',
    }
  }
  // protocol_violation: poolers use it for startup parameters that they do not know, and for their own configuration.
  if (code === 'POSTGRES_08P01') {
    return {
      code: exitCodes.config,
      advice:
        'This looks like a pooler, such as PgBouncer, that refuses the connection. Connect to PostgreSQL itself; or correct the settings of the pooler, with pool_mode = session.',
    }
  }
  if (code === 'POSTGRES_NO_WARNINGS') {
    return {
      code: exitCodes.config,
      advice:
        'PostgreSQL sends a warning if no replica has confirmed a commit. Connect without a proxy that drops warnings.',
    }
  }
  if (code === 'POSTGRES_55P03') {
    return { code: exitCodes.unavailable, advice: 'Another process is using it. Try again when that has finished.' }
  }
  if (code === 'POSTGRES_UNCONFIRMED') {
    return { code: exitCodes.unavailable, advice: 'Start it. If a host is gone for good, remove it from --db.' }
  }
  // insufficient_privilege
  if (code === 'POSTGRES_42501') {
    const advice =
      'Grant this user what docs/operations.md lists under “Least privileges”. For a new schema, run rostrum upgrade as the owner.'
    return { code: exitCodes.config, advice }
  }
  if (code === 'POSTGRES_3D000') {
    return { code: exitCodes.noInput, advice: 'Create an empty database with createdb.' }
  }
  return isLost
    ? { code: exitCodes.unavailable, advice: 'Check that PostgreSQL is running there and accepts this machine.' }
    : { code: exitCodes.cannotCreate, advice: 'See the log of the PostgreSQL server.' }
}

/** Deletes in slices, so that no statement exceeds the statement timeout. */
const sliceRows = 10_000

const tables = {
  listing: 'id',
  record_speaker: 'record_id',
  record_tag: 'record_id',
  search: 'rowid',
  speaker_piece: 'rowid',
  tag_piece: 'rowid',
  moment_due: 'record_id',
  moment_transcript: 'number',
  moment_posting: 'block',
} as const

/** Deletes all derived data except names, and makes running nodes drop their caches. */
async function clearDerived(db: Database): Promise<void> {
  for (const [table, key] of Object.entries(tables)) {
    const slice = db.query(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} LIMIT ${sliceRows})`)
    while ((await slice.run()).changes > 0);
  }
  await db.script(`NOTIFY ${changesChannel}, 'tokens'`)
}

/**
 * Runs work that fills an empty database, within the open transaction and without a statement timeout. The search
 * indexes are built at the end, which takes a tenth of the time of building them row by row.
 */
async function loadInBulk<T>(db: Database, work: () => Promise<T>, onIndexes: () => void): Promise<T> {
  await db.script('SET LOCAL statement_timeout = 0')
  const indexes = await db
    .query<{ name: string; definition: string }, []>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND indexdef LIKE '% USING gin %'`,
    )
    .all()
  for (const { name } of indexes) await db.script(`DROP INDEX ${name}`)
  const result = await work()
  onIndexes()
  for (const { definition } of indexes) await db.script(definition)
  // Without statistics PostgreSQL would plan the first lists as if the tables were empty.
  await db.script('ANALYZE')
  return result
}

/** A notification takes a round trip; this is for a machine that is very busy. */
const noticeTimeoutMs = 5_000

/**
 * Throws if a pooler assigns the server's sessions per transaction. Then no notification arrives, and settings of a
 * session, such as `synchronous_commit`, are lost after each transaction.
 */
async function checkSession(address: string, memory: NodeMemory): Promise<void> {
  const channel = `check_${crypto.randomUUID().replaceAll('-', '')}`
  const { promise: isNoticed, resolve } = Promise.withResolvers<boolean>()
  const connect = (onNotify: () => void) => createReconnectingClient(address, createTimeline(memory), { onNotify })
  const [listener, notifier] = [connect(() => resolve(true)), connect(() => undefined)]
  let timer: Timer | undefined
  const run = async (connection: typeof listener, sql: string) => (await connection.connect()).unsafe(sql).simple()
  try {
    await run(listener, `LISTEN ${channel}`)
    // From another connection: a pooler does pass on notifications that arrive during the session's own transaction.
    await run(notifier, `NOTIFY ${channel}`)
    timer = setTimeout(() => resolve(false), noticeTimeoutMs)
    if (await isNoticed) return
    throw new PostgresFailure('POOLED', nameHost('notifications do not arrive', listener.hostName()), false)
  } catch (error) {
    throw toPostgresFailure(error, listener.hostName())
  } finally {
    // Otherwise a command would not end before the timer.
    clearTimeout(timer)
    await Promise.all([listener.end(), notifier.end()])
  }
}
