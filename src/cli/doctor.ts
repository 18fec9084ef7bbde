import { CommandFailure, exitCodes } from '../command-failure.ts'
import type { Database } from '../store/database.ts'
import { UnreadableRecord } from '../store/derive/insert-records.ts'
import { rebuildDerived } from '../store/derive/rebuild.ts'
import type { CheckListener, Finding } from '../store/maintain/check/finding.ts'
import { attemptOn, findStore, lockStore, prepareStore } from '../store/open.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import * as postgres from '../store/postgres/check/check.ts'
import { clearDerived as clearPostgres } from '../store/postgres/clear.ts'
import { openPostgres } from '../store/postgres/connection.ts'
import * as sqlite from '../store/sqlite/check/check.ts'
import { clearDerived } from '../store/sqlite/clear.ts'
import { closeAfter, openBeside, openForWriting } from '../store/sqlite/connection.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { toFindingText } from './terminal/finding-text.ts'
import { print, printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/stages.ts'

/** Of a store that is wrong all over, so much is shown. */
const maxShown = 1000

/** `doctor`: finds what is wrong with a store, served or not; with `--rebuild` mends what can be made from its bytes. */
export function runDoctor(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  if (words.length > 0) {
    throw new CommandFailure(exitCodes.usage, '"doctor" takes options only. See: rostrum doctor --help')
  }
  const { path, shown } = findStore(toStorePath(flags))
  const stages = createStages()
  const mayRebuild = flags.get('rebuild') === 'true'
  if (mayRebuild) rebuild(path, shown, stages)
  const count = attemptOn(path, () => printFindings(path, stages))
  stages.end()
  if (count === 0) return printError(`${shown} is in order.\n`)
  const advice = toAdvice(path, mayRebuild)
  throw new CommandFailure(exitCodes.badData, `${toCountText(count)} wrong in ${shown}. ${advice}`)
}

/** A file must not be served meanwhile; in PostgreSQL readers see what was there before, and writers wait. */
function rebuild(path: string, shown: string, stages: Stages): void {
  const lock = isPostgresAddress(path) ? null : lockStore(path, shown)
  try {
    stages.stage('Making anew what lists and searches know')
    attemptOn(path, () => {
      prepareStore(path, false)
      if (isPostgresAddress(path)) {
        closeAfter(openPostgres(path), (db) => rebuildDerived(db, () => clearPostgres(db), stages.step))
      } else closeAfter(openForWriting(path, 10_000), (db) => rebuildDerived(db, () => clearDerived(db), stages.step))
    })
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error
    stages.end()
    // All or nothing: what is wrong is told below.
    printError(`Nothing was made anew, because of ${error.message}\n`)
  } finally {
    lock?.release()
  }
}

/** Prints each on standard output, and gives their number. */
function printFindings(path: string, stages: Stages): number {
  const listener: CheckListener = { onStage: stages.stage, onStep: stages.step }
  return isPostgresAddress(path)
    ? closeAfter(openPostgres(path), (db: Database) => printAll(postgres.checkWhole(db, listener)))
    : closeAfter(openBeside(path), (db) => printAll(sqlite.checkWhole(db, listener)))
}

function printAll(findings: Iterable<Finding>): number {
  let count = 0
  for (const finding of findings) {
    count++
    if (count <= maxShown) print(`${toFindingText(finding)}\n`)
    else if (count === maxShown + 1) print('There is more than that.\n')
  }
  return count
}

const toCountText = (count: number) => (count === 1 ? 'One thing is' : `${count} things are`)

function toAdvice(path: string, isRebuilt: boolean): string {
  const restore = isPostgresAddress(path)
    ? "PostgreSQL's own (see docs/operations.md)"
    : toCommandLine(path, 'restore', 'BACKUP', '--replace')
  return isRebuilt
    ? `It cannot be made anew from what is there: put a backup in its place with ${restore}`
    : `Make a copy of it, then try: ${toCommandLine(path, 'doctor', '--rebuild')}. What that cannot mend needs a backup: ${restore}`
}
