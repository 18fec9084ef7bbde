import { splitLines } from '../archive/records.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { maxDumpLineBytes } from '../record/record.ts'
import type { Database } from '../store/database.ts'
import { createDumpImport, DumpError, isEmptyStore } from '../store/maintain/dump/dump-import.ts'
import { createProgress } from './terminal/progress.ts'

/** Reads a dump into an empty store, all of it or nothing. Returns the number of records. */
export async function importDump(db: Database, path: string, isDryRun: boolean): Promise<number> {
  if (!(await isEmptyStore(db))) {
    throw new CommandFailure(
      exitCodes.badData,
      `${path} is a dump, which has its own ids and history. It can only be imported into a new store. Name one with --db.`,
    )
  }
  const lines = createProgress('Lines', null)
  const notStored = new Error('a dry run stores nothing')
  let records = 0
  try {
    await db.transaction('write', async () => {
      const dump = createDumpImport(db)
      let done = 0
      for await (const line of splitLines(Bun.file(path).stream(), maxDumpLineBytes)) {
        if (line === 'too long') throw new DumpError(`line ${done + 1} is too long`)
        await dump.take(line)
        lines.update(++done)
      }
      records = await dump.finish(() => undefined)
      lines.end()
      // Undoes it all.
      if (isDryRun) throw notStored
    })
    return records
  } catch (error) {
    if (error === notStored) return records
    if (!(error instanceof DumpError)) throw error
    throw new CommandFailure(exitCodes.badData, `The dump ${path} is damaged (${error.message}). Nothing was stored.`)
  }
}
