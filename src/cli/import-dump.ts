import { splitLines } from '../archive/lines.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { maxDumpLineBytes } from '../record/extras-size.ts'
import { createDumpImport, DumpError, isEmptyStore } from '../store/maintain/dump/dump-import.ts'
import type { OpenStore } from '../store/open.ts'
import { createProgress } from './terminal/progress.ts'

/** Reads a dump into an empty store: all of it, or nothing. How many records came in. */
export async function importDump(db: OpenStore, path: string, isDryRun: boolean): Promise<number> {
  if (!isEmptyStore(db)) {
    throw new CommandFailure(
      exitCodes.badData,
      `${path} is a dump, with ids and history of its own; it can only go into a new store. Name one with --db.`,
    )
  }
  const lines = createProgress('Lines', null)
  db.run('BEGIN IMMEDIATE')
  try {
    const dump = createDumpImport(db)
    let done = 0
    for await (const line of splitLines(Bun.file(path).stream(), maxDumpLineBytes)) {
      if (line === 'too long') throw new DumpError(`line ${done + 1} is too long`)
      dump.take(line)
      lines.update(++done)
    }
    const records = dump.finish(() => undefined)
    lines.end()
    db.run(isDryRun ? 'ROLLBACK' : 'COMMIT')
    return records
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    if (!(error instanceof DumpError)) throw error
    throw new CommandFailure(exitCodes.badData, `${path} is a damaged dump (${error.message}). Nothing was stored.`)
  }
}
