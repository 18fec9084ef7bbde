import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { toCounted } from '../record/text/counted.ts'
import { readDb } from '../settings/config.ts'
import { rebuildDerived, UnreadableRecord } from '../store/derive/rebuild.ts'
import type { Engine, Inspected } from '../store/engine.ts'
import { explainFailure } from '../store/explain-failure.ts'
import { toProblemText } from '../store/maintain/check/problem.ts'
import { findStore, openEngine, refuseOldSchema, withDatabase } from '../store/open.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'
import { createStages, type Stages } from './terminal/progress.ts'
import { wipeSnapshots } from './wipe-snapshots.ts'

const maxShown = 1000

/** `doctor`: checks a store; works while the server is running. `--rebuild` first rebuilds derived data. */
export async function runDoctor(args: readonly string[], flags: Flags): Promise<void> {
  if (args.length > 0) throw createUsageFailure('doctor', '"doctor" takes options only.')
  const engine = await openEngine(readDb(flags))
  const inspected = await findStore(engine)
  const stages = createStages()
  const mayRebuild = flags.get('rebuild') === 'true'
  if (mayRebuild) {
    refuseOldSchema(engine, inspected)
    await rebuild(engine, flags, stages)
  }
  const count = await explainFailure(engine.explain, () => printProblems(engine, stages))
  stages.end()
  if (count === 0) return reportOrder(engine, inspected)
  throw new CommandFailure(
    exitCodes.badData,
    `Found ${toCounted(count, 'problem')} in ${engine.shown}. ${toAdvice(engine, mayRebuild)}`,
  )
}

/** An old schema is not damage, but it gets fewer checks, so the message does not say "in order". */
function reportOrder(engine: Engine, { schema }: Inspected): void {
  if (schema === engine.schema) return printError(`${engine.shown} is in order.\n`)
  throw new CommandFailure(
    exitCodes.oldSchema,
    `No problems found in ${engine.shown}, but not everything was checked: it has schema ${schema}, and this program ` +
      `needs ${engine.schema}. Stop its servers, upgrade it with ${toCommandLine(engine.path, 'upgrade')}, then check again.`,
  )
}

/** The server of a file must be stopped. On PostgreSQL, readers see the old state until the end, and writers wait. */
async function rebuild(engine: Engine, flags: Flags, stages: Stages): Promise<void> {
  const lock = engine.lock()
  try {
    stages.stage('Rebuilding lists and search indexes')
    await withDatabase(engine, 'write', (db) => rebuildDerived(db, () => engine.clearDerived(db), stages.step))
    await wipeSnapshots(engine, flags)
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error
    stages.end()
    // The check below reports what is wrong.
    printError(`Nothing was rebuilt, because of ${error.message}\n`)
  } finally {
    lock.release()
  }
}

/** Prints each problem on standard output, and returns how many there are. */
async function printProblems(engine: Engine, stages: Stages): Promise<number> {
  let count = 0
  for await (const problem of engine.check({ onStage: stages.stage, onStep: stages.step })) {
    count++
    if (count <= maxShown) print(`${toProblemText(problem)}\n`)
    else if (count === maxShown + 1) print(`Only the first ${maxShown} problems are shown.\n`)
  }
  return count
}

function toAdvice({ path, backupTools }: Engine, isRebuilt: boolean): string {
  const restore =
    backupTools === null
      ? `with ${toCommandLine(path, 'restore', 'BACKUP', '--replace')}`
      : "with PostgreSQL's own tools (see docs/operations.md)"
  return isRebuilt
    ? `A rebuild cannot repair this. Restore a backup ${restore}`
    : `Copy the store, then try: ${toCommandLine(path, 'doctor', '--rebuild')}. If that does not help, restore a backup ${restore}`
}
