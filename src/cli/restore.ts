import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { attempt } from '../store/explain-failure.ts'
import { createStoreId } from '../store/maintain/new-store-id.ts'
import { attemptOn, lockStore, toRealPath } from '../store/open.ts'
import { createFileAtomically, hasNoLinks, sync } from '../store/sqlite/atomic-file.ts'
import { closeAfter, openBeside } from '../store/sqlite/connection.ts'
import { checkpointLog, compareCounts, copyStore, findFault } from '../store/sqlite/copy.ts'
import { hasLog, inspectDatabase } from '../store/sqlite/inspect.ts'
import { eraseAll, listErased } from '../store/sqlite/purge.ts'
import { writeStoreId } from '../store/sqlite/store-id.ts'
import { refusePostgres } from './files-only.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { toFindingText } from './terminal/finding-text.ts'
import { printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/stages.ts'

/** `restore FILE`: a backup becomes the store. The one that was there is kept aside, and only with `--replace`. */
export function restore([name, ...rest]: readonly string[], flags: ReadonlyMap<string, string>): void {
  if (name === undefined || rest.length > 0) {
    throw new CommandFailure(exitCodes.usage, 'Name one backup. See: rostrum restore --help')
  }
  const given = toStorePath(flags)
  refusePostgres('restore', given)
  const file = attempt(`read the backup ${name}`, () => toRealPath(resolve(name)))
  const path = attemptOn(given, () => toRealPath(given))
  if (file === path) throw new CommandFailure(exitCodes.usage, `${file} is the store itself; name a backup of it.`)
  const mayReplace = flags.get('replace') === 'true'
  if (isThere(path) && !mayReplace) throw toTaken(path)
  const stages = createStages()
  judgeBackup(file, stages)
  const lock = lockStore(path, path)
  try {
    const aside = attemptOn(path, () => putInPlace(file, path, mayReplace, stages))
    stages.end()
    if (aside !== null) printError(`The store that was there is kept as ${aside}\n`)
    printError(`Restored ${file} to ${path}. Serve it with: ${toCommandLine(path, 'serve')}\n`)
  } finally {
    lock.release()
  }
}

const isThere = (path: string) => existsSync(path) || hasLog(path)

const toTaken = (path: string) =>
  new CommandFailure(
    exitCodes.cannotCreate,
    `There is a store at ${path} already, and it stays. With --replace it is kept aside; or name another with --db.`,
  )

/** What to do about a file that is no backup. */
const backupAdvice = { foreign: 'name another backup', damaged: 'Take another backup' }

/** Before anything else is touched. */
function judgeBackup(file: string, stages: Stages): void {
  const inspection = attempt(`read the backup ${file}`, () => inspectDatabase(file, backupAdvice))
  if (inspection.is === 'new') {
    const problem = existsSync(file) ? `${file} is empty; it is not a backup.` : `There is no backup at ${file}.`
    throw new CommandFailure(exitCodes.noInput, problem)
  }
  if (inspection.is === 'refused') throw new CommandFailure(exitCodes.badData, inspection.problem)
  stages.stage(`Checking ${file}`)
  const fault = attempt(`read the backup ${file}`, () => findFault(file, stages.step))
  if (fault === null) return
  stages.end()
  throw new CommandFailure(
    exitCodes.badData,
    `${file} is not a good backup (${toFindingText(fault)}). Nothing was changed. Take another one.`,
  )
}

/** Where the store that was there is now; null where there was none. */
function putInPlace(file: string, path: string, mayReplace: boolean, stages: Stages): string | null {
  let aside: string | null = null
  const isNamed = createFileAtomically(
    path,
    (draft) => {
      stages.stage(`Copying it to ${path}`)
      copyStore(file, draft)
      if (compareCounts(file, draft) === null) throw new Error('the copy has not all that the backup has')
      eraseAgain(path, draft)
      renewStoreId(draft)
    },
    isThere(path) && mayReplace
      ? (draft) => {
          aside = keepAside(path)
          // A disk may do these in any order otherwise, and the old log would meet the new file.
          sync(dirname(path))
          renameSync(draft, path)
          return true
        }
      : undefined,
  )
  if (!isNamed) throw toTaken(path)
  return aside
}

/** What was erased from the old store stays erased, as far as that can still be read. */
function eraseAgain(path: string, draft: string): void {
  const erased = existsSync(path) ? listErased(path) : { ids: [], origins: [] }
  if (erased === null) {
    const again = toCommandLine(path, 'purge', 'ID')
    printError(`What was erased from the store that is there cannot be read; erase it again: ${again}\n`)
  } else if (erased.ids.length + erased.origins.length > 0) {
    const again = eraseAll(draft, erased, toTimestamp(Date.now()))
    if (again.length > 0) printError(`Erased again, as in the store that is there: ${again.join(', ')}\n`)
  }
}

/** It counts changes anew where the old one had others. One of an older schema gets its first id at the upgrade. */
function renewStoreId(draft: string): void {
  closeAfter(openBeside(draft), (db) => {
    const hasId = db.query(`SELECT 1 FROM sqlite_schema WHERE name = 'store'`).get() !== null
    if (hasId) writeStoreId(db, createStoreId())
  })
}

/**
 * The old store gets a second name, so that there is a store under the first one at every moment. Its log must not meet
 * the new file: it goes into the old one or, where that is damaged, aside with it.
 */
function keepAside(path: string): string {
  const aside = `${path}.before-restore-${toTimestamp(Date.now()).replaceAll(/[-:.]/g, '')}Z`
  checkpointLog(path)
  if (hasLog(path)) giveSecondName(`${path}-wal`, `${aside}-wal`)
  if (existsSync(path)) giveSecondName(path, aside)
  // The second names are on disk before a first one goes.
  sync(dirname(path))
  for (const beside of ['-wal', '-shm']) rmSync(`${path}${beside}`, { force: true })
  return aside
}

function giveSecondName(path: string, other: string): void {
  try {
    linkSync(path, other)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && hasNoLinks(error.code))) throw error
    renameSync(path, other)
  }
}
