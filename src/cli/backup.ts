import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OnStep } from '../store/sql/check/finding.ts'
import { compareCounts, copyStore, findFault } from '../store/sqlite/copy.ts'
import { makeWhole } from '../store/sqlite/draft.ts'
import { attempt } from './attempt.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { refusePostgres } from './files-only.ts'
import { toFindingText } from './finding-text.ts'
import { findStore, toStorePath } from './open-store.ts'
import { createStages } from './stages.ts'

/** `backup FILE`: a copy of the store as it is at one moment, served or not, which has been read back and checked. */
export function backUp([name, ...rest]: readonly string[], flags: ReadonlyMap<string, string>): void {
  if (name === undefined || rest.length > 0) {
    throw new CommandFailure(exitCodes.usage, 'Name one file to write. See: rostrum backup --help')
  }
  const file = resolve(name)
  const given = toStorePath(flags)
  refusePostgres('backup', given)
  const { path, shown } = findStore(given)
  if (existsSync(file)) throw toTaken(file)
  const stages = createStages(Date.now)
  let held = ''
  const isNamed = attempt(`write the backup ${file}`, () =>
    makeWhole(file, (draft) => {
      stages.stage(`Copying ${shown}`)
      copyStore(path, draft)
      stages.stage('Reading the copy back')
      const { records, versions } = judgeCopy(path, draft, stages.step)
      held = `${records} records with ${versions} versions`
    }),
  )
  stages.end()
  if (!isNamed) throw toTaken(file)
  process.stderr.write(`${file} is a whole backup of ${held}. Put it back with: rostrum restore\n`)
}

function judgeCopy(path: string, draft: string, onStep: OnStep) {
  const fault = findFault(draft, onStep)
  const counts = fault === null ? compareCounts(path, draft) : null
  if (counts !== null) return counts
  const what = fault === null ? 'records or versions are missing' : toFindingText(fault)
  throw new CommandFailure(
    exitCodes.badData,
    `The copy is not a good one (${what}), so it was removed. Look at the store with: rostrum doctor`,
  )
}

const toTaken = (file: string) =>
  new CommandFailure(exitCodes.cannotCreate, `${file} exists already and stays. Name another file, or remove it first.`)
