import { readFileSync } from 'node:fs'
import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import type { BulkCommand, Refusal } from '../record/command.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { parseBulk } from '../record/parse-bulk.ts'
import { parseRecordId } from '../record/record.ts'
import { toCounted } from '../record/text/counted.ts'
import { toTimestamp } from '../record/timestamp.ts'
import { readDb } from '../settings/config.ts'
import type { BatchOther, BatchReport, BulkPreview, Difference } from '../store/batch-reads.ts'
import type { Database } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { openEngine, withStore } from '../store/open.ts'
import type { Outcome } from '../store/store.ts'
import { runAlone } from '../store/write/batch/batches.ts'
import { createSelectionRows } from '../store/write/batch/selection-rows.ts'
import { createRecordRows } from '../store/write/record-rows.ts'
import type { Flags } from './terminal/arguments.ts'
import { readInput } from './terminal/arguments.ts'
import { print, toShown } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** The author of these changes; imports also have one. */
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
  const after = readAfter(flags, isDryRun)
  return { kind: 'bulk', author, request, isDryRun, ...after, ...(reason === null ? {} : { reason }) }
}

function readAfter(flags: Flags, isDryRun: boolean): Pick<BulkCommand, 'after'> {
  const text = flags.get('after')
  if (text === undefined) return {}
  const after = parseRecordId(text)
  if (after === null) throw createUsageFailure('bulk', '--after: Must be the id of a record.')
  if (!isDryRun) throw createUsageFailure('bulk', '--after: Only for a dry run.')
  return { after }
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

const readPatchFile = (path: string) => readInput(path, () => readFileSync(path), ' Name a file with a JSON object.')

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

interface BulkText {
  readonly text: string
  /** Whether a record or the whole change was refused. */
  readonly isRefused: boolean
}

/** The outcome of a bulk change as text. */
function toBulkText(outcome: Outcome): BulkText {
  if (outcome.is === 'refused') return { text: toRefusalText(outcome.refusal), isRefused: true }
  if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`a bulk change had the outcome ${outcome.is}`)
  const { batch, preview } = outcome
  const lines = preview === undefined ? toDoneLines(batch) : toPreviewLines(batch, preview)
  return { text: toText([...lines, ...toNoteLines(batch)]), isRefused: batch.refused_count > 0 }
}

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const toRecords = (count: number) => toCounted(count, 'record')

function toDoneLines(batch: BatchReport): string[] {
  const { id, total, changed, unchanged } = batch
  if (id === null) return [`Nothing to change in ${toRecords(total)}.`]
  return [
    `Changed ${changed} of ${toRecords(total)}, ${unchanged} unchanged${toOthersText(batch)}: batch ${id}.`,
    `To undo it, send POST /api/v2/batches/${id}/undo with an admin's token.`,
  ]
}

/** What a restore does besides fields of records: `; 2 categories restored, 1 category hidden`. */
function toOthersText({ others }: BatchReport): string {
  const done = others.filter(({ left }) => left === null)
  const isHidden = ({ fields }: BatchOther) => fields.includes('listed')
  const count = (test: (other: BatchOther) => boolean) => new Set(done.filter(test).map(toName)).size
  const hidden = count(isHidden)
  const categories = count((other) => other.kind === 'category' && !isHidden(other))
  const names = count(({ kind }) => kind === 'speaker' || kind === 'tag')
  const parts = [
    ...(categories === 0 ? [] : [`${toCategories(categories)} restored`]),
    ...(hidden === 0 ? [] : [`${toCategories(hidden)} hidden`]),
    ...(names === 0 ? [] : [`${toCounted(names, 'name')} restored`]),
  ]
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`
}

const toCategories = (count: number) => toCounted(count, 'category', 'categories')

const toName = ({ kind, id }: BatchOther) => `${kind} ${id}`

function toPreviewLines(batch: BatchReport, preview: BulkPreview): string[] {
  const { total, changed, unchanged } = batch
  const { differences, next, as_of } = preview
  return [
    `Dry run: would change ${changed} of ${toRecords(total)}, ${unchanged} unchanged${toOthersText(batch)}. Nothing was stored.`,
    ...differences.flatMap(toDifferenceLines),
    ...(next === null ? [] : [`For more differences, repeat with: --after ${next}`]),
    `To change them, repeat without --dry-run, with: --expect ${total} --as-of ${as_of}`,
  ]
}

function toDifferenceLines({ id, fields }: Difference): string[] {
  const values = Object.entries(fields).map(
    ([name, { before, after }]) => `  ${name}: ${toShown(before)} -> ${toShown(after)}`,
  )
  return [`record ${id}`, ...values]
}

function toNoteLines({ refused, refused_count, left, left_count, others }: BatchReport): string[] {
  return [
    ...refused.map(({ id, problem }) => `refused ${id}: ${problem}`),
    ...toMore(refused_count - refused.length),
    ...left.map(({ id, fields, why }) => `left ${id}: ${fields.join(', ')} (${toWords(why)})`),
    ...toMore(left_count - left.length),
    ...others.flatMap((other) => (other.left === null ? [] : [toLeftLine(other)])),
  ]
}

const toLeftLine = (other: BatchOther) =>
  `left ${toName(other)}: ${other.fields.join(', ')} (${toWords(other.left ?? '')}${other.by === null ? '' : ` by ${other.by}`})`

const toMore = (count: number) => (count > 0 ? [`… and ${toRecords(count)} more`] : [])

function toRefusalText(refusal: Refusal): string {
  const { code } = refusal
  const detail = 'detail' in refusal && refusal.detail !== undefined ? refusal.detail : (texts[code] ?? code)
  const more: JsonValue = 'more' in refusal ? (refusal.more?.refused ?? null) : null
  const refused: readonly JsonValue[] = Array.isArray(more) ? more : []
  const errors =
    refusal.code === 'bad_fields' ? [...refusal.errors].map(([name, all]) => `${name}: ${all.join(' ')}`) : []
  const lines = refused.flatMap((each) => (isJsonObject(each) ? [`refused ${each.id}: ${each.problem}`] : []))
  return toText([detail, ...errors, ...lines])
}

const texts: { readonly [code: string]: string } = {
  records_refused: 'Some records refuse the change. Nothing was changed. Leave them out, or add --partial.',
  bad_fields: 'Nothing was changed.',
}

/** A reason of the API in words. */
const toWords = (reason: string) => reason.replaceAll('_', ' ')
