import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { readDb } from '../settings/config.ts'
import { closeWhenDone } from '../store/database.ts'
import { createStoreId, type Engine } from '../store/engine.ts'
import { explainFailure, explainFile } from '../store/explain-failure.ts'
import { toProblemText } from '../store/maintain/check/problem.ts'
import { openEngine } from '../store/open.ts'
import { createFileAtomically, giveToFolderOwner, hasNoLinks, sync, takeOver } from '../store/sqlite/atomic-file.ts'
import { openBeside } from '../store/sqlite/connection.ts'
import { checkpointLog, compareCounts, copyStore, findFault } from '../store/sqlite/copy.ts'
import { createSqliteDatabase } from '../store/sqlite/database.ts'
import { toRealPath } from '../store/sqlite/engine.ts'
import { hasLog, inspectDatabase } from '../store/sqlite/inspect.ts'
import { keepTokens, listErased, listValidTokens } from '../store/sqlite/previous-store.ts'
import { eraseAll } from '../store/sqlite/purge.ts'
import { writeStoreId } from '../store/sqlite/store-id.ts'
import { refuseOtherTools } from './backup.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/progress.ts'
import { toTokenTable } from './token.ts'

/** `restore FILE`: replaces the store with a backup. With `--replace` an existing store is kept under another name. */
export async function restore([name, ...rest]: readonly string[], flags: Flags): Promise<void> {
  if (name === undefined || rest.length > 0) throw createUsageFailure('restore', 'Name one backup.')
  const engine = await openEngine(readDb(flags))
  refuseOtherTools(engine, 'restore')
  const { path } = engine
  const file = explainFailure(explainFile(`read the backup ${name}`), () => toRealPath(resolve(name)))
  if (file === path) throw new CommandFailure(exitCodes.usage, `${file} is the store itself. Name a backup of it.`)
  const mayReplace = flags.get('replace') === 'true'
  if (isThere(path) && !mayReplace) throw toTaken(path)
  const stages = createStages()
  const schema = await checkBackup(file, stages)
  if (isThere(path) && schema < engine.schema) {
    stages.end()
    throw toOldBackup(file, schema, engine)
  }
  const lock = engine.lock()
  try {
    const placed = await explainFailure(engine.explain, () => putInPlace(file, path, mayReplace, stages))
    stages.end()
    if (placed.aside !== null) printError(`The previous store is kept as ${placed.aside}\n`)
    printError(`Restored ${file} to ${path}. Serve it with: ${toCommandLine(path, 'serve')}\n`)
    printError(toTokenText(path, placed.tokens))
  } finally {
    lock.release()
  }
}

const isThere = (path: string) => existsSync(path) || hasLog(path)

const toTaken = (path: string) =>
  new CommandFailure(
    exitCodes.cannotCreate,
    `There is already a store at ${path}. Add --replace to rename it, or name another path with --db.`,
  )

/**
 * Tokens and erasures of the store that is replaced are taken over, which needs the current schema, and only `serve` and
 * `upgrade` change that (decision 66).
 */
function toOldBackup(file: string, schema: number, engine: Engine): CommandFailure {
  const copy = `${file}.schema-${engine.schema}`
  const upgrade = toCommandLine(copy, 'upgrade', '--upgrade-copy', 'off')
  return new CommandFailure(
    exitCodes.oldSchema,
    `${file} has schema ${schema}, and this program needs ${engine.schema} to replace a store: its tokens and erasures are ` +
      `kept. Nothing was changed. Copy the backup to ${copy}, run ${upgrade}, then restore that.`,
  )
}

const backupAdvice = { foreign: 'Name another backup', damaged: 'Use another backup' }

/** Runs before anything is changed. Returns the schema of the backup. */
async function checkBackup(file: string, stages: Stages): Promise<number> {
  const explain = explainFile(`read the backup ${file}`)
  const inspection = explainFailure(explain, () => inspectDatabase(file, backupAdvice))
  if (inspection.is === 'new') {
    const problem = existsSync(file) ? `${file} is empty, so it is not a backup.` : `There is no backup at ${file}.`
    throw new CommandFailure(exitCodes.noInput, problem)
  }
  if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
  stages.stage(`Checking ${file}`)
  const fault = await explainFailure(explain, () => findFault(file, stages.step))
  if (fault === null) return inspection.schema
  stages.end()
  throw new CommandFailure(
    exitCodes.badData,
    `The backup ${file} is damaged (${toProblemText(fault)}). Nothing was changed. Use another backup.`,
  )
}

interface Placed {
  /** Where the previous store is now; null if there was none. */
  readonly aside: string | null
  /** `kept`: those of the previous store. `revoked`: it could not be read. */
  readonly tokens: 'of the backup' | 'kept' | 'revoked'
}

async function putInPlace(file: string, path: string, mayReplace: boolean, stages: Stages): Promise<Placed> {
  let aside: string | null = null
  let tokens: Placed['tokens'] = 'of the backup'
  const replace = (temporary: string) => {
    aside = keepAside(path)
    // Without this a disk may reorder the two renames, and SQLite would apply the old log to the new file.
    sync(dirname(path))
    renameSync(temporary, path)
    return true
  }
  const isReplaced = isThere(path) && mayReplace
  const isCreated = await createFileAtomically(
    path,
    async (temporary) => {
      stages.stage(`Copying it to ${path}`)
      copyStore(file, temporary)
      if (compareCounts(file, temporary) === null) throw new Error('records or versions are missing in the copy')
      await eraseAgain(path, temporary)
      if (isReplaced) tokens = keepTokens(path, temporary, toTimestamp(Date.now())) ? 'kept' : 'revoked'
      await renewStoreId(temporary)
      if (isReplaced) keepOwner(path, temporary)
      else giveToFolderOwner(temporary)
    },
    isReplaced ? replace : undefined,
  )
  if (!isCreated) throw toTaken(path)
  return { aside, tokens }
}

/** Tells the operator which keys are valid now (decision 68). */
function toTokenText(path: string, tokens: Placed['tokens']): string {
  const valid = listValidTokens(path, toTimestamp(Date.now()))
  const create = `Create one with: ${toCommandLine(path, 'token', 'create', '--name', 'NAME', '--role', 'ROLE')}\n`
  if (tokens === 'revoked') {
    return `Cannot read the tokens of the previous store, so every key of the backup was revoked. ${create}`
  }
  const whose = tokens === 'kept' ? 'the previous store, not of the backup' : 'the backup'
  if (valid.length === 0) return `The tokens are those of ${whose}; no key is valid. ${create}`
  const end = `End a key with: ${toCommandLine(path, 'token', 'revoke', '--name', 'NAME')}\n`
  return `The tokens are those of ${whose}. These keys are valid:\n${toTokenTable(valid, Date.now())}${end}`
}

/** A restore by root must leave a store that the user of the service can open. */
function keepOwner(path: string, copy: string): void {
  const previous = statSync(existsSync(path) ? path : `${path}-wal`)
  if (takeOver(copy, previous)) return
  const owner = `${previous.uid}:${previous.gid}`
  printError(`Cannot give the store to its previous owner. If the service cannot open it: chown ${owner} ${path}\n`)
}

/** Erases what was erased from the previous store, as far as that store can still be read. */
async function eraseAgain(path: string, copy: string): Promise<void> {
  const erased = existsSync(path) ? listErased(path) : { ids: [], origins: [] }
  if (erased === null) {
    const again = toCommandLine(path, 'purge', 'ID')
    printError(`Cannot read which records were erased from the previous store. Erase them again with: ${again}\n`)
  } else if (erased.ids.length + erased.origins.length > 0) {
    const again = await eraseAll(copy, erased, toTimestamp(Date.now()))
    if (again.length > 0) printError(`Erased again, as in the previous store: ${again.join(', ')}\n`)
  }
}

/** Change numbers are about to be reused (decision 37), and sessions end. */
function renewStoreId(copy: string): Promise<void> {
  return closeWhenDone(openBeside(copy), (db) => writeStoreId(createSqliteDatabase(db), createStoreId()))
}

/**
 * Links the old store to a second name, so that a store exists under the first name at every moment. SQLite must never
 * combine the new file with the old log: the log is checkpointed into the old file or, if that is damaged, moved with it.
 */
function keepAside(path: string): string {
  const aside = `${path}.before-restore-${toTimestamp(Date.now()).replaceAll(/[-:.]/g, '')}Z`
  checkpointLog(path)
  if (hasLog(path)) linkOrRename(`${path}-wal`, `${aside}-wal`)
  if (existsSync(path)) linkOrRename(path, aside)
  // The second names must be on disk before a first one is removed.
  sync(dirname(path))
  for (const sidecar of ['-wal', '-shm']) rmSync(`${path}${sidecar}`, { force: true })
  return aside
}

function linkOrRename(path: string, other: string): void {
  try {
    linkSync(path, other)
  } catch (error) {
    if (!hasNoLinks(toErrorCode(error))) throw error
    renameSync(path, other)
  }
}
