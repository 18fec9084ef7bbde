import { existsSync } from 'node:fs'
import { openInWorker } from '../archive/read-in-worker.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { dumpStart } from '../store/maintain/dump/dump-start.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { readingThread } from '../thread-programs.ts'
import { toStorePath } from './store-path.ts'

/**
 * Begins the thread that reads, where there is to be one; what else it takes is loaded while that one loads. Nobody uses
 * a store that is not there yet, so its import may have two cores; beside others it keeps to one thread, which gives way.
 */
export async function beginImport(words: readonly string[], flags: ReadonlyMap<string, string>): Promise<void> {
  const [given, ...rest] = words
  if (given === undefined || rest.length > 0) {
    const problem = 'Name one source: a folder, a file or an address. See: rostrum import --help'
    throw new CommandFailure(exitCodes.usage, problem)
  }
  const path = toStorePath(flags)
  const isNew = !isPostgresAddress(path) && !existsSync(path)
  const aside = isNew ? openInWorker(new Worker(readingThread), given, dumpStart) : null
  const { importArchive } = await import('./import.ts')
  const opened = await (aside ??
    import('../archive/read-inline.ts').then(({ openInline: openHere }) => openHere(given, dumpStart)))
  await importArchive(given, opened, flags)
}
