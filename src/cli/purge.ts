import { Database as SqliteDatabase } from 'bun:sqlite'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { parseRecordId } from '../record/id.ts'
import { toTimestamp } from '../record/timestamp.ts'
import type { Database } from '../store/database.ts'
import { eraseRecord } from '../store/maintain/erase.ts'
import { parseStoredBody } from '../store/maintain/parse-body.ts'
import { withStore } from '../store/open.ts'
import { createErasedCheck } from '../store/read/erased.ts'
import { wipe } from '../store/sqlite/purge.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { printError } from './terminal/output.ts'
import { createStages } from './terminal/stages.ts'

/** `purge ID`: erases a record for good. Once more on an erased one: wipes again what may be left of it. */
export function purge([word = '', ...rest]: readonly string[], flags: ReadonlyMap<string, string>): void {
  const id = parseRecordId(word)
  if (id === null || rest.length > 0) {
    throw new CommandFailure(exitCodes.usage, 'Name one record by its id. See: rostrum purge --help')
  }
  const path = toStorePath(flags)
  withStore(path, false, (db) => {
    if (!createErasedCheck(db)(id)) erase(db, id, path, flags.get('yes') === 'true')
    if (db instanceof SqliteDatabase) wipeFile(db, id, path)
    printError(`Record ${id} is erased. Copies that were made before still have it.\n`)
    if (!(db instanceof SqliteDatabase)) printError(leftText)
  })
}

function wipeFile(db: SqliteDatabase, id: number, path: string): void {
  const stages = createStages()
  stages.stage('Wiping what is left of it in the file')
  const isWiped = wipe(db)
  stages.end()
  if (!isWiped) throw new CommandFailure(exitCodes.unavailable, toHeldText(id, path))
}

const leftText =
  "Its bytes stay in PostgreSQL's files until VACUUM has run and their space is used again, and in its log as long as that is kept.\n"

function erase(db: Database, id: number, path: string, isConfirmed: boolean): void {
  const found = db.query<{ version: number; body: Uint8Array }, [number]>(
    'SELECT version, body FROM record WHERE id = ?',
  )
  const row = found.get(id)
  if (row === null) throw new CommandFailure(exitCodes.noInput, `There is no record ${id}.`)
  const what = `record ${id}, ${JSON.stringify(parseStoredBody(row.body)?.title ?? 'unreadable')}, with all its versions (${row.version})`
  if (!isConfirmed) confirmErasure(id, what)
  if (!eraseRecord(db, id, toTimestamp(Date.now()))) {
    throw new CommandFailure(exitCodes.badData, `Record ${id} has no versions. See: ${toCommandLine(path, 'doctor')}`)
  }
}

function confirmErasure(id: number, what: string): void {
  const isAsked = process.stdin.isTTY === true
  const answer = isAsked ? prompt(`This erases ${what}, for good. To go on, type its id:`) : null
  if (answer?.trim() === String(id)) return
  const advice = isAsked ? '' : ` To erase ${what}, add --yes.`
  throw new CommandFailure(exitCodes.usage, `Not confirmed; nothing was erased.${advice}`)
}

const toHeldText = (id: number, path: string) =>
  `Record ${id} is erased, but another process reads the store, so that its log could not be emptied, and bytes of the ` +
  `record may still be in it. When that process (a backup? a doctor?) has ended, run again: ${toCommandLine(path, 'purge', String(id))}`
