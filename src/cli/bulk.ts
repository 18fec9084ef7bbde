import { readFileSync } from 'node:fs'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import type { BulkCommand } from '../record/command.ts'
import { type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { parseBulk } from '../record/parse-bulk.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { readDb } from '../settings/config.ts'
import type { Database } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { openEngine, withStore } from '../store/open.ts'
import type { Outcome } from '../store/store.ts'
import { runAlone } from '../store/write/batch/batches.ts'
import { createSelectionRows } from '../store/write/batch/selection-rows.ts'
import { createRecordRows } from '../store/write/record-rows.ts'
import { toBulkText } from './bulk-text.ts'
import type { Flags } from './terminal/arguments.ts'
import { print } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** Like imports, these changes have an author of their own. */
const author = { name: 'bulk', role: 'admin' } as const

/** `rostrum bulk`: POST batches on the command line; works while the server is running. */
export async function changeInBulk(args: readonly string[], flags: Flags): Promise<void> {
  if (args.length > 0) throw createUsageFailure('bulk', `"bulk" takes options only, not ${args[0]}.`)
  const command = readCommand(flags)
  const engine = await openEngine(readDb(flags))
  const outcome = await withStore(engine, {}, (db) => runCommand(engine, db, command))
  const { text, isRefused } = toBulkText(outcome)
  print(text)
  if (isRefused) process.exitCode = exitCodes.badData
}

async function runCommand(engine: Engine, db: Database, command: BulkCommand): Promise<Outcome> {
  const rows = createRecordRows(db)
  const selections = createSelectionRows(db, engine.createFindMatches(db))
  const progress = createProgress('Records', null)
  const outcome = await runAlone(db, { rows, selections }, command, toTimestamp(Date.now()), progress.update)
  if (command.isDryRun !== true) progress.end()
  return outcome
}

function readCommand(flags: Flags): BulkCommand {
  const isDryRun = flags.get('dry-run') === 'true'
  const parsed = parseBulk(toBody(flags), isDryRun)
  if (!parsed.ok) {
    const problems = [...parsed.errors].map(([name, messages]) => `${toOption(name)}: ${messages.join(' ')}`)
    throw createUsageFailure('bulk', problems.join('\n'))
  }
  const { request, reason } = parsed
  return { kind: 'bulk', author, request, isDryRun, ...(reason === null ? {} : { reason }) }
}

/** The body that POST batches would get. */
function toBody(flags: Flags): JsonObject {
  const reason = flags.get('reason')
  return {
    select: toSelection(flags),
    ...toPatch(flags),
    ...(flags.get('restore') === 'true' ? { restore: true } : {}),
    ...(flags.get('partial') === 'true' ? { partial: true } : {}),
    ...toNumber(flags, 'expect', 'expect'),
    ...toNumber(flags, 'as-of', 'as_of'),
    ...(reason === undefined ? {} : { reason }),
  }
}

function toSelection(flags: Flags): JsonObject {
  const ids = flags.get('ids')
  const named = ['query', 'by', 'since', 'until'].flatMap((name) => {
    const value = flags.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...(ids === undefined ? {} : { ids: ids.split(',').map(parseNumber) }), ...Object.fromEntries(named) }
}

const parseNumber = (text: string): JsonValue => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : text)

function toNumber(flags: Flags, flag: string, name: string): JsonObject {
  const text = flags.get(flag)
  return text === undefined ? {} : { [name]: parseNumber(text) }
}

function toPatch(flags: Flags): JsonObject {
  const [given, file] = [flags.get('patch'), flags.get('patch-file')]
  if (given !== undefined && file !== undefined)
    throw createUsageFailure('bulk', 'Give --patch or --patch-file, not both.')
  if (file !== undefined) return { patch: parsePatch(readPatchFile(file), '--patch-file') }
  return given === undefined ? {} : { patch: parsePatch(Buffer.from(given), '--patch') }
}

function readPatchFile(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = toErrorCode(error)
    if (code === '') throw error
    throw new CommandFailure(exitCodes.noInput, `Cannot read ${path} (${code}). Name a file with a JSON object.`)
  }
}

function parsePatch(bytes: Uint8Array, option: string): JsonValue {
  const parsed = parseJson(bytes)
  if (parsed.ok) return parsed.value
  throw new CommandFailure(exitCodes.usage, `${option}: ${parsed.problem}`)
}

/** The option that a member of the body came from. */
function toOption(name: string): string {
  const [first = '', member] = name.split('.')
  if (first === 'select') return member === undefined ? '--ids, --query or --by' : `--${member}`
  return member === undefined ? `--${first.replace('_', '-')}` : `--${first}, ${member}`
}
