import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { readDb } from '../settings/config.ts'
import { closeWhenDone, type Database } from '../store/database.ts'
import { UnreadableRecord } from '../store/derive/rebuild.ts'
import type { Engine, Inspected } from '../store/engine.ts'
import { explainFailure } from '../store/explain-failure.ts'
import { isBlankStore, type MoveDigests, MoveError, moveStore } from '../store/maintain/move-store.ts'
import { findStore, openEngine, refuseOldSchema, withDatabase } from '../store/open.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/progress.ts'

/** `migrate-store FROM [TO]`: copies everything to another store, of either engine, and never changes the first. */
export async function migrateStore([from, to, ...rest]: readonly string[], flags: Flags): Promise<void> {
  if (from === undefined || rest.length > 0) throw usage('Name the store to copy and the one to create.')
  const source = await openEngine(readDb(new Map([['db', from]])))
  const found = await findStore(source)
  const target = await openEngine(readDb(to === undefined ? flags : new Map([['db', to]])))
  const there = await target.inspect()
  if (source.path === target.path) throw usage('The two stores are the same.')
  // The source is only read, so it is not upgraded.
  refuseOldSchema(source, found)
  if (!there.isNew) await checkBlank(target, there)
  const stages = createStages()
  // One snapshot for the whole copy.
  const copyAll = (db: Database) => db.transaction('read', () => copy(db, source, target, stages))
  const lock = target.lock()
  try {
    if (there.isNew) await explainFailure(target.explain, target.create)
    print(toReport(await withDatabase(source, 'read', copyAll)))
  } finally {
    lock.release()
    stages.end()
  }
  printError(
    `${target.shown} has everything; the copy was verified. ${source.shown} is unchanged. Later writes to it are not ` +
      'copied, so stop its server before you serve the new store.\n',
  )
}

async function checkBlank(target: Engine, there: Inspected): Promise<void> {
  refuseOldSchema(target, there)
  if (!(await withDatabase(target, 'read', isBlankStore))) throw toTaken(target.shown)
}

const toTaken = (shown: string) =>
  new CommandFailure(
    exitCodes.cannotCreate,
    `${shown} already has records or tokens, so nothing was copied to it. Name a new file, or an empty database.`,
  )

function copy(from: Database, source: Engine, target: Engine, stages: Stages): Promise<MoveDigests> {
  const fill = async (to: Database) => {
    const digests = await copyOrExplain(from, to, source, target, stages)
    // The change numbers are the same, so clients of the change feed continue where they were.
    await target.writeStoreId(to, await source.readStoreId(from))
    return digests
  }
  return explainFailure(target.explain, () => closeWhenDone(target.open('move'), fill))
}

async function copyOrExplain(
  from: Database,
  to: Database,
  source: Engine,
  target: Engine,
  stages: Stages,
): Promise<MoveDigests> {
  const move = async () => {
    // Another process may have written to it since the first check.
    if (!(await isBlankStore(to))) throw toTaken(target.shown)
    const work = () => moveStore(from, to, { onStage: stages.stage, onStep: stages.step })
    return target.loadInBulk(to, work, () => stages.stage('Building the search indexes'))
  }
  try {
    return await to.transaction('write', move)
  } catch (error) {
    const reason = toReason(error)
    if (reason === null) throw error
    stages.end()
    throw new CommandFailure(
      exitCodes.badData,
      `Cannot copy ${source.shown}: ${reason}. Nothing was stored. See: ${toCommandLine(source.path, 'doctor')}`,
    )
  }
}

/** Why rows cannot be copied; null for any other error. */
function toReason(error: unknown): string | null {
  if (error instanceof MoveError || error instanceof UnreadableRecord) return error.message
  // Rows that the target's tables refuse: a duplicate name, a missing batch, a path too long for an index.
  const isRefused = /^(?:SQLITE_CONSTRAINT|POSTGRES_23|POSTGRES_54)/.test(toErrorCode(error))
  return isRefused && error instanceof Error ? error.message : null
}

function toReport(digests: MoveDigests): string {
  const names = Object.keys(digests).toSorted()
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `${name.padEnd(width)}  ${digests[name]?.rows}  ${digests[name]?.digest}\n`).join('')
}

const usage = (problem: string) => createUsageFailure('migrate-store', problem)
