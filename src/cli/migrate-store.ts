import { CommandFailure, exitCodes } from '../command-failure.ts'
import type { CheckedStore } from '../store/checked-store.ts'
import type { Database } from '../store/database.ts'
import { UnreadableRecord } from '../store/derive/insert-records.ts'
import { isBlankStore, type MoveDigests, MoveError, moveStore } from '../store/maintain/move/move-store.ts'
import { attemptOn, checkStore, findStore, lockStore, openDatabase, prepareStore } from '../store/open.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { loadInBulk } from '../store/postgres/bulk-load.ts'
import { openPostgres } from '../store/postgres/connection.ts'
import * as postgresIds from '../store/postgres/store-id.ts'
import { migrations as fileMigrations } from '../store/schema/migrations.ts'
import { migrations as postgresMigrations } from '../store/schema/postgres/migrations.ts'
import { closeAfter, openBeside } from '../store/sqlite/connection.ts'
import * as sqliteIds from '../store/sqlite/store-id.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/stages.ts'

/** `migrate-store FROM [TO]`: everything of a store becomes another one, of whichever engine; the first stays as it is. */
export function migrateStore(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  const [from, to, ...rest] = words
  if (from === undefined || rest.length > 0) throw usage('Name the store to read and the one to make.')
  const source = findStore(toStorePath(new Map([['db', from]])))
  const target = checkStore(toStorePath(to === undefined ? flags : new Map([['db', to]])))
  if (source.path === target.path) throw usage('The two stores are the same one.')
  checkSchema(source)
  if (!target.isNew) checkBlank(target)
  const stages = createStages()
  const sums = attemptOn(source.path, () =>
    // One snapshot, however long it takes.
    closeAfter(openSource(source.path), (db) => db.transaction(() => moveTo(db, source, target, stages))()),
  )
  stages.end()
  print(toReport(sums))
  printError(
    `${target.shown} has all of it, read back and compared. ${source.shown} stays as it was; what is written to it from ` +
      'now on is not moved, so stop whoever serves it before you serve the new one.\n',
  )
}

/** Reads alone; a file may be served meanwhile. */
function openSource(path: string): Database {
  if (isPostgresAddress(path)) return openPostgres(path)
  const db = openBeside(path)
  db.run('PRAGMA query_only = ON')
  return db
}

/** It is not brought up to date: what is read is not changed. */
function checkSchema({ path, shown }: CheckedStore): void {
  const isPostgres = isPostgresAddress(path)
  const wanted = isPostgres ? postgresMigrations.length : fileMigrations.length
  const sql = isPostgres ? 'SELECT schema FROM store' : 'SELECT user_version AS schema FROM pragma_user_version'
  const found = attemptOn(path, () =>
    closeAfter(openSource(path), (db) => db.query<{ schema: number }, []>(sql).get()?.schema),
  )
  if (found === wanted) return
  throw new CommandFailure(
    exitCodes.badData,
    `${shown} has schema ${found}, this Rostrum knows ${wanted}. Serve it once with this version, then try again.`,
  )
}

function checkBlank({ path, shown, ...target }: CheckedStore): void {
  checkSchema({ path, shown, ...target })
  if (attemptOn(path, () => closeAfter(openSource(path), isBlankStore))) return
  throw toTaken(shown)
}

const toTaken = (shown: string) =>
  new CommandFailure(
    exitCodes.cannotCreate,
    `${shown} has records or tokens already, and stays as it is. Name a new file, or an empty database.`,
  )

function moveTo(
  from: Database,
  source: CheckedStore,
  { path, shown, isNew }: CheckedStore,
  stages: Stages,
): MoveDigests {
  const lock = isPostgresAddress(path) ? null : lockStore(path, shown)
  try {
    return attemptOn(path, () => {
      prepareStore(path, isNew)
      return closeAfter(openTarget(path), (to) => {
        const load = (work: () => MoveDigests) =>
          isPostgresAddress(path) ? loadInBulk(to, work, () => stages.stage('Making the indexes of words')) : work()
        const sums = moveAll(from, to, load, { source: source.shown, target: shown, path: source.path }, stages)
        toStoreIds(path).writeStoreId(to, toStoreIds(source.path).readStoreId(from))
        // Else the server would plan its first lists as if there were nothing.
        if (isPostgresAddress(path)) to.run('ANALYZE')
        return sums
      })
    })
  } finally {
    lock?.release()
  }
}

/** Followers of the changes go on: the numbers are the same. */
const toStoreIds = (path: string) => (isPostgresAddress(path) ? postgresIds : sqliteIds)

/** An index of millions of words takes its time. */
const answerTimeoutMs = 3_600_000

const openTarget = (path: string) =>
  isPostgresAddress(path) ? openPostgres(path, answerTimeoutMs) : openDatabase(path)

function moveAll(
  from: Database,
  to: Database,
  load: (work: () => MoveDigests) => MoveDigests,
  shown: { readonly source: string; readonly target: string; readonly path: string },
  stages: Stages,
): MoveDigests {
  const move = to.transaction(() => {
    // Somebody may have been quicker.
    if (!isBlankStore(to)) throw toTaken(shown.target)
    return load(() => moveStore(from, to, { onStage: stages.stage, onStep: stages.step }))
  })
  try {
    return move.immediate()
  } catch (error) {
    const reason = toReason(error)
    if (reason === null) throw error
    stages.end()
    throw new CommandFailure(
      exitCodes.badData,
      `${shown.source} cannot be moved: ${reason}. Nothing was stored. See: ${toCommandLine(shown.path, 'doctor')}`,
    )
  }
}

/** Null where it is not the moved rows' fault. */
function toReason(error: unknown): string | null {
  if (error instanceof MoveError || error instanceof UnreadableRecord) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Rows that the target's tables do not take: a name twice, a batch that is missing, a path too long for an index.
  const isRefused = /^(?:SQLITE_CONSTRAINT|POSTGRES_23|POSTGRES_54)/.test(code)
  return isRefused && error instanceof Error ? error.message : null
}

function toReport(sums: MoveDigests): string {
  const names = Object.keys(sums).toSorted()
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `${name.padEnd(width)}  ${sums[name]?.rows}  ${sums[name]?.digest}\n`).join('')
}

function usage(problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum migrate-store --help`)
}
