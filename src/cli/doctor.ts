import type { Database } from 'bun:sqlite'
import { rebuildDerived } from '../store/sql/rebuild.ts'
import { checkWhole } from '../store/sqlite/check/check.ts'
import { clearDerived } from '../store/sqlite/clear.ts'
import { closeAfter, openBeside, openForWriting, upgradeDatabase } from '../store/sqlite/connection.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { toFindingText } from './finding-text.ts'
import { attemptOn, findStore, lockStore, toStorePath } from './open-store.ts'
import { createStages, type Stages } from './stages.ts'

/** Of a store that is wrong all over, so much is shown. */
const maxShown = 1000

/** `doctor`: finds what is wrong with a store, served or not; with `--rebuild` mends what can be made from its bytes. */
export function examine(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  if (words.length > 0) {
    throw new CommandFailure(exitCodes.usage, '"doctor" takes options only. See: rostrum doctor --help')
  }
  const { path, shown } = findStore(toStorePath(flags))
  const stages = createStages(Date.now)
  const mayRebuild = flags.get('rebuild') === 'true'
  if (mayRebuild) rebuild(path, shown, stages)
  const count = attemptOn(path, () => closeAfter(openBeside(path), (db) => printFindings(db, stages)))
  stages.end()
  if (count === 0) return void process.stderr.write(`${shown} is in order.\n`)
  throw new CommandFailure(exitCodes.badData, `${toCountText(count)} wrong in ${shown}. ${toAdvice(mayRebuild)}`)
}

function rebuild(path: string, shown: string, stages: Stages): void {
  const lock = lockStore(path, shown)
  try {
    stages.stage('Making anew what lists and searches know')
    attemptOn(path, () => {
      upgradeDatabase(path)
      closeAfter(openForWriting(path, 10_000), (db) => rebuildDerived(db, () => clearDerived(db), stages.step))
    })
  } finally {
    lock.release()
  }
}

/** Prints each on standard output, and gives their number. */
function printFindings(db: Database, stages: Stages): number {
  let count = 0
  for (const finding of checkWhole(db, { onStage: stages.stage, onStep: stages.step })) {
    count++
    if (count <= maxShown) process.stdout.write(`${toFindingText(finding)}\n`)
    else if (count === maxShown + 1) process.stdout.write('There is more than that.\n')
  }
  return count
}

const toCountText = (count: number) => (count === 1 ? 'One thing is' : `${count} things are`)

const toAdvice = (isRebuilt: boolean) =>
  isRebuilt
    ? 'It cannot be made anew from what is there: put a backup in its place with rostrum restore --replace'
    : 'Make a copy of it, then try: rostrum doctor --rebuild. What that cannot mend needs a backup: rostrum restore'
