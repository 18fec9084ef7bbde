import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { parseRecordId } from '../record/record.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { readDb } from '../settings/config.ts'
import type { Database } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { eraseRecord, parseStoredBody } from '../store/maintain/erase.ts'
import { openEngine, withStore } from '../store/open.ts'
import { createErasedCheck } from '../store/read/record.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { printError } from './terminal/output.ts'
import { createStages } from './terminal/progress.ts'
import { wipeSnapshots } from './wipe-snapshots.ts'

/** `purge ID`: erases a record permanently. For a record that is already erased, it wipes the remaining bytes. */
export async function purge([given = '', ...rest]: readonly string[], flags: Flags): Promise<void> {
  const id = parseRecordId(given)
  if (id === null || rest.length > 0) throw createUsageFailure('purge', 'Name one record by its id.')
  const engine = await openEngine(readDb(flags))
  await withStore(engine, {}, async (db) => {
    if (!(await createErasedCheck(db)(id))) await erase(db, id, engine.path, flags.get('yes') === 'true')
    await wipeSnapshots(engine, flags)
    await wipe(engine, id)
    printError(`Erased record ${id}. Copies made before, such as backups and exports, still contain it.\n`)
    if (engine.wipeErased === null) printError(leftText)
  })
}

async function wipe({ wipeErased, path }: Engine, id: number): Promise<void> {
  if (wipeErased === null) return
  const stages = createStages()
  stages.stage('Wiping remains of it in the file')
  const isWiped = await wipeErased()
  stages.end()
  if (isWiped) return
  throw new CommandFailure(
    exitCodes.unavailable,
    `Erased record ${id}, but its bytes may still be in the write-ahead log, because another process (such as a backup) ` +
      `is reading the store. When it has finished, run again: ${toCommandLine(path, 'purge', String(id))}`,
  )
}

const leftText =
  "Its bytes stay in PostgreSQL's files until VACUUM has run and the space is reused, and in its log as long as the log is kept.\n"

async function erase(db: Database, id: number, path: string, isConfirmed: boolean): Promise<void> {
  const found = db.query<{ version: number; body: Uint8Array }, [number]>(
    'SELECT version, body FROM record WHERE id = ?',
  )
  const row = await found.get(id)
  if (row === null) throw new CommandFailure(exitCodes.noInput, `There is no record ${id}.`)
  const title = JSON.stringify(parseStoredBody(row.body)?.title ?? 'unreadable')
  if (!isConfirmed) confirmErasure(id, `record ${id}, ${title}, with all its versions (${row.version})`)
  if (!(await eraseRecord(db, id, toTimestamp(Date.now())))) {
    throw new CommandFailure(exitCodes.badData, `Record ${id} has no versions. See: ${toCommandLine(path, 'doctor')}`)
  }
}

function confirmErasure(id: number, what: string): void {
  const isTerminal = process.stdin.isTTY === true
  const answer = isTerminal ? prompt(`This erases ${what}, permanently. To continue, type its id:`) : null
  if (answer?.trim() === String(id)) return
  const advice = isTerminal ? '' : ` To erase ${what}, add --yes.`
  throw new CommandFailure(exitCodes.usage, `Not confirmed. Nothing was erased.${advice}`)
}
