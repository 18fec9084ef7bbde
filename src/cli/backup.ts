import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { attempt } from '../store/explain-failure.ts'
import type { OnStep } from '../store/maintain/check/finding.ts'
import { findStore } from '../store/open.ts'
import { createFileAtomically, removeTemporaryFiles } from '../store/sqlite/atomic-file.ts'
import { compareCounts, copyStore, findFault } from '../store/sqlite/copy.ts'
import { refusePostgres } from './files-only.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { toFindingText } from './terminal/finding-text.ts'
import { print, printError } from './terminal/output.ts'
import { toOwnCommand } from './terminal/own-command.ts'
import { createStages } from './terminal/stages.ts'

interface BackupOrder {
  /** The store, how messages call it, and the file to write. */
  readonly path: string
  readonly shown: string
  readonly file: string
}

type BackupEnd =
  | { readonly is: 'whole'; readonly held: string }
  | { readonly is: 'refused'; readonly exitCode: number; readonly message: string }

/** `backup FILE`: a copy of the store as it is at one moment, served or not, which has been read back and checked. */
export async function backUp([name, ...rest]: readonly string[], flags: ReadonlyMap<string, string>): Promise<void> {
  if (name === undefined || rest.length > 0) {
    throw new CommandFailure(exitCodes.usage, 'Name one file to write. See: rostrum backup --help')
  }
  const file = resolve(name)
  const given = toStorePath(flags)
  refusePostgres('backup', given)
  const { path, shown } = findStore(given)
  if (flags.get('here') === 'true') return print(JSON.stringify(tryToWrite({ path, shown, file })))
  if (existsSync(file)) throw toTaken(file)
  const held = await runProgram({ path, shown, file })
  const back = toCommandLine(path, 'restore', file, '--replace')
  printError(`${file} is a whole backup of ${held}. Put it back with: ${back}\n`)
}

/** In a process of its own: a copy is made in one go, and meanwhile its process does not hear of Ctrl-C. */
async function runProgram(order: BackupOrder): Promise<string> {
  const command = [...toOwnCommand(), 'backup', order.file, '--db', order.path, '--here']
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    removeTemporaryFiles(order.file, child.pid)
    const isThere = existsSync(order.file)
    printError(isThere ? `\n${order.file} is whole already.\n` : '\nStopped; nothing was written.\n')
    process.exit(exitCodes.stopped)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const said = await child.stdout.text()
  const exitCode = await child.exited
  // Ctrl-C on a terminal ends both, and ours is told of it a moment later.
  if (child.signalCode !== null) await stop()
  if (exitCode !== 0) throw new Error('the backup was not written; what went wrong stands above')
  const end: BackupEnd = JSON.parse(said)
  if (end.is === 'refused') throw new CommandFailure(end.exitCode, end.message)
  return end.held
}

/** That process tells as JSON how it ended. */
function tryToWrite(order: BackupOrder): BackupEnd {
  try {
    return { is: 'whole', held: attempt(`write the backup ${order.file}`, () => writeBackup(order)) }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return { is: 'refused', exitCode: error.exitCode, message: error.message }
  }
}

/** What the backup holds. */
function writeBackup({ path, shown, file }: BackupOrder): string {
  const stages = createStages()
  let held = ''
  const isNamed = createFileAtomically(file, (draft) => {
    stages.stage(`Copying ${shown}`)
    copyStore(path, draft)
    stages.stage('Reading the copy back')
    const { records, versions } = judgeCopy(path, draft, stages.step)
    held = `${records} records with ${versions} versions`
  })
  stages.end()
  if (!isNamed) throw toTaken(file)
  return held
}

function judgeCopy(path: string, draft: string, onStep: OnStep) {
  const fault = findFault(draft, onStep)
  const counts = fault === null ? compareCounts(path, draft) : null
  if (counts !== null) return counts
  const what = fault === null ? 'records or versions are missing' : toFindingText(fault)
  throw new CommandFailure(
    exitCodes.badData,
    `The copy is not a good one (${what}), so it was removed. Look at the store with: ${toCommandLine(path, 'doctor')}`,
  )
}

const toTaken = (file: string) =>
  new CommandFailure(exitCodes.cannotCreate, `${file} exists already and stays. Name another file, or remove it first.`)
