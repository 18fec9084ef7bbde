import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { readDb } from '../settings/config.ts'
import { isWrong, whole } from '../settings/parsers.ts'
import type { Engine } from '../store/engine.ts'
import { explainFailure, explainFile } from '../store/explain-failure.ts'
import { type OnStep, toProblemText } from '../store/maintain/check/problem.ts'
import { findStore, openEngine } from '../store/open.ts'
import { createFileAtomically, giveToFolderOwner, removeTemporaryFiles } from '../store/sqlite/atomic-file.ts'
import { thinOutBackups, toBackupPath } from '../store/sqlite/backup-files.ts'
import { compareCounts, copyStore, findFault } from '../store/sqlite/copy.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine, toOwnCommand } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'
import { createStages } from './terminal/progress.ts'

interface BackupOrder {
  /** The store, its name in messages, and the file to write. */
  readonly path: string
  readonly shown: string
  readonly file: string
}

type BackupResult =
  | { readonly is: 'complete'; readonly contents: string }
  | { readonly is: 'refused'; readonly exitCode: number; readonly message: string }

/**
 * `backup FILE`, or `backup FOLDER` for a file named after the time: a verified snapshot of the store; works while the
 * server is running.
 */
export async function backUp([name, ...rest]: readonly string[], flags: Flags): Promise<void> {
  if (name === undefined || rest.length > 0) throw createUsageFailure('backup', 'Name one file to write, or a folder.')
  const folder = isFolder(name) ? resolve(name) : null
  const keep = readKeep(flags, folder)
  const file = folder === null ? resolve(name) : toBackupPath(folder, Date.now())
  const engine = await openEngine(readDb(flags))
  refuseOtherTools(engine, 'backup')
  await findStore(engine)
  const { path, shown } = engine
  if (flags.get('here') === 'true') return print(JSON.stringify(await tryToWrite({ path, shown, file })))
  if (existsSync(file)) throw toTaken(file)
  const contents = await runChild({ path, shown, file })
  const restore = toCommandLine(path, 'restore', file, '--replace')
  printError(`${file} is a complete backup of ${contents}. Restore it with: ${restore}\n`)
  if (folder === null || keep === null) return
  for (const path of thinOutBackups(folder, keep)) printError(`Removed ${path}\n`)
}

const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true

function readKeep(flags: Flags, folder: string | null): number | null {
  const text = flags.get('keep')
  if (text === undefined) return null
  const keep = whole(1, 10_000)(text)
  if (isWrong(keep)) throw createUsageFailure('backup', `--keep must be ${keep.expected}.`)
  if (folder === null) throw createUsageFailure('backup', '--keep needs a folder of backups, not a file.')
  return keep
}

/** For commands that work on files only. */
export function refuseOtherTools({ backupTools, shown }: Engine, command: 'backup' | 'restore'): void {
  if (backupTools === null) return
  throw new CommandFailure(
    exitCodes.usage,
    `"${command}" works on files only, and ${shown} is a PostgreSQL database. Use ${backupTools[command]}. To copy the ` +
      'store into a file, use rostrum migrate-store FROM TO or rostrum export --format dump. See docs/operations.md',
  )
}

/** Runs in a child process: copying blocks, and a blocked process does not react to Ctrl-C. */
async function runChild(order: BackupOrder): Promise<string> {
  const command = [...toOwnCommand(), 'backup', order.file, '--db', order.path, '--here']
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    removeTemporaryFiles(order.file, (pid) => pid === child.pid)
    const isThere = existsSync(order.file)
    printError(isThere ? `\n${order.file} is already complete.\n` : '\nStopped. Nothing was written.\n')
    process.exit(exitCodes.stopped)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const output = await child.stdout.text()
  const exitCode = await child.exited
  // Ctrl-C on a terminal ends both processes, and the child's exit may be seen first.
  if (child.signalCode !== null) await stop()
  if (exitCode !== 0) throw new Error('the backup was not written; see the error above')
  const result: BackupResult = JSON.parse(output)
  if (result.is === 'refused') throw new CommandFailure(result.exitCode, result.message)
  return result.contents
}

/** The child process reports its result as JSON. */
async function tryToWrite(order: BackupOrder): Promise<BackupResult> {
  try {
    const contents = await explainFailure(explainFile(`write the backup ${order.file}`, order.file), () =>
      writeBackup(order),
    )
    return { is: 'complete', contents }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return { is: 'refused', exitCode: error.exitCode, message: error.message }
  }
}

/** What the backup contains. */
async function writeBackup({ path, shown, file }: BackupOrder): Promise<string> {
  const stages = createStages()
  let contents = ''
  const isCreated = await createFileAtomically(file, async (temporary) => {
    stages.stage(`Copying ${shown}`)
    copyStore(path, temporary)
    stages.stage('Verifying the copy')
    const { records, versions } = await checkCopy(path, temporary, stages.step)
    contents = `${records} records with ${versions} versions`
    if (statSync(dirname(file)).uid === statSync(path).uid) giveToFolderOwner(temporary)
  })
  stages.end()
  if (!isCreated) throw toTaken(file)
  return contents
}

async function checkCopy(path: string, copy: string, onStep: OnStep) {
  const fault = await findFault(copy, onStep)
  const counts = fault === null ? compareCounts(path, copy) : null
  if (counts !== null) return counts
  const what = fault === null ? 'records or versions are missing' : toProblemText(fault)
  throw new CommandFailure(
    exitCodes.badData,
    `The copy is damaged (${what}), so it was removed. Check the store with: ${toCommandLine(path, 'doctor')}`,
  )
}

const toTaken = (file: string) =>
  new CommandFailure(exitCodes.cannotCreate, `${file} already exists. Name another file, or remove this one first.`)
