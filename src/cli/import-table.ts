import { readFileSync, statSync } from 'node:fs'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import type { TableCommand } from '../record/command.ts'
import { type Column, hasHeading, toColumns } from '../record/table/columns.ts'
import { decodeTable, maxTableBytes, parseCells } from '../record/table/csv.ts'
import { type TableRow, toShownOrder, toTableRows } from '../record/table/table-rows.ts'
import { toNumber } from '../record/text/counted.ts'
import { toPrintable } from '../record/text/printable.ts'
import { toTimestamp } from '../record/timestamp.ts'
import type { BatchReport, RowDifference, RowVerdict, TablePreview } from '../store/batch-reads.ts'
import type { Database } from '../store/database.ts'
import type { Outcome } from '../store/store.ts'
import { runAlone } from '../store/write/batch/batches.ts'
import { createSelectionRows } from '../store/write/batch/selection-rows.ts'
import { createRecordRows } from '../store/write/record-rows.ts'
import { readInput } from './terminal/arguments.ts'
import { print, toShown } from './terminal/output.ts'
import { createProgress } from './terminal/progress.ts'

/** Options of `rostrum import` that concern a table. */
interface TableOptions {
  readonly reason: string | null
  readonly isDryRun: boolean
  readonly isPartial: boolean
  /** Writes the report, if one was requested. */
  saveReport(text: string): void
}

/** Like other imports. */
const author = { name: 'import', role: 'admin' } as const

export const isTablePath = (path: string) => /\.(?:csv|tsv)$/i.test(path)

/** `rostrum import TABLE.csv`: what `/edit/table` does, in the same two steps. */
export async function importTable(rows: readonly TableRow[], db: Database, options: TableOptions): Promise<void> {
  const { isPartial } = options
  const request = { rows, asOf: null, isPartial, mayRepeatVideos: false, shown: { from: 0, count: maxDifferences } }
  const dryRun = await run(db, { kind: 'table', author, request, isDryRun: true })
  if (dryRun.is !== 'batch' || dryRun.table === undefined) throw new Error(`a dry run was ${dryRun.is}`)
  const { table } = dryRun
  const isRefused = table.rows.some(({ is }) => is === 'refused')
  const isRun = !options.isDryRun && (isPartial || !isRefused)
  const reason = options.reason === null ? {} : { reason: options.reason }
  const applied = { ...request, asOf: table.as_of, shown: null }
  const batch = isRun ? requireBatch(await run(db, { kind: 'table', author, request: applied, ...reason })) : null
  print(toText(table, batch, options))
  options.saveReport(toReport(table, batch))
  if (isRefused) process.exitCode = exitCodes.badData
}

const maxDifferences = 50

async function run(db: Database, command: TableCommand): Promise<Outcome> {
  const rows = createRecordRows(db)
  const selections = createSelectionRows(db, () => Promise.reject(new Error('a table names its records')))
  const progress = createProgress('Rows', command.request.rows.length)
  const outcome = await runAlone(db, { rows, selections }, command, toTimestamp(Date.now()), progress.update)
  if (command.isDryRun !== true) progress.end()
  return outcome
}

/** Another process may have changed records after the dry run. */
function requireBatch(outcome: Outcome): BatchReport {
  if (outcome.is === 'batch' && outcome.batch !== null) return outcome.batch
  if (outcome.is !== 'refused') throw new Error(`a table was ${outcome.is}`)
  throw new CommandFailure(exitCodes.unavailable, 'Records were changed meanwhile. Nothing was stored. Try again.')
}

/** `category` is that of new records without one. */
export function readTable(path: string, category: string | null): readonly TableRow[] {
  const decoded = decodeTable(readBytes(path))
  if (!decoded.ok) throw toBadTable(path, decoded.problem)
  if (decoded.encoding === 'Windows-1252') throw toBadTable(path, 'The file is not UTF-8. Save it as CSV in UTF-8.')
  const parsed = parseCells(decoded.text)
  if (!parsed.ok) throw toBadTable(path, parsed.problem)
  const [first, ...rest] = parsed.rows
  const names = first?.cells ?? []
  if (!hasHeading(parsed.rows)) throw toBadTable(path, 'The first row must have the names of the columns.')
  const columns = toColumns(names)
  checkColumns(path, names, columns)
  const table = toTableRows(rest, columns, category)
  if (!table.ok) throw toBadTable(path, table.problem)
  return table.rows
}

function readBytes(path: string): Uint8Array {
  return readInput(path, () =>
    statSync(path).size > maxTableBytes ? new Uint8Array(maxTableBytes + 1) : readFileSync(path),
  )
}

const toBadTable = (path: string, problem: string) => new CommandFailure(exitCodes.badData, `${path}: ${problem}`)

/** We do not guess what an unknown column means; on the page, a person can choose. */
function checkColumns(path: string, names: readonly string[], columns: readonly Column[]): void {
  const unknown = columns.flatMap((column, index) =>
    column === null ? [JSON.stringify(names[index]?.slice(0, 100))] : [],
  )
  if (unknown.length === 0) return
  const words = unknown.length === 1 ? `Unknown column ${unknown[0]}` : `Unknown columns ${unknown.join(', ')}`
  throw toBadTable(path, `${words}. Use the names of the fields, each once, or remove what is not a field.`)
}

function toText(table: TablePreview, batch: BatchReport | null, { isDryRun, isPartial }: TableOptions): string {
  const count = (wanted: RowVerdict['is']) => table.rows.filter(({ is }) => is === wanted).length
  const [created, changed, unchanged, refused] = (['created', 'changed', 'unchanged', 'refused'] as const).map(count)
  const isStopped = !isDryRun && !isPartial && (refused ?? 0) > 0
  const would = isDryRun ? ' (dry run: nothing was stored)' : isStopped ? ' (nothing was stored)' : ''
  const counts = `${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused${would}`
  const lines = [
    counts,
    ...toShownOrder(table.rows)
      .filter(({ is }) => is === 'refused')
      .flatMap(toRefusedLines),
    ...(isDryRun ? table.differences.flatMap((each) => toDifferenceLines(each, table.rows)) : []),
    ...(isStopped ? ['Correct these rows, or add --partial to leave them out.'] : []),
    ...(batch?.id == null
      ? []
      : [`This table is batch ${batch.id}. To undo it: POST /api/v2/batches/${batch.id}/undo`]),
  ]
  return `${lines.map(toPrintable).join('\n')}\n`
}

function toRefusedLines({ row, id, problem, errors, same }: RowVerdict): string[] {
  const of = id === null ? '' : ` (record ${id})`
  const place = `refused row ${toNumber(row)}${of}`
  const wrong = Object.entries(errors).map(
    ([name, all]) => `${place}${name === '' ? '' : `, ${name}`}: ${all.join(' ')}`,
  )
  if (wrong.length > 0) return wrong
  if (same === null) return [`${place}: ${problem}`]
  return [`${place}: same_video as ${'id' in same ? `record ${same.id}` : `row ${same.row}`}`]
}

function toDifferenceLines({ row, title, fields }: RowDifference, verdicts: readonly RowVerdict[]): string[] {
  const verdict = verdicts.find((each) => each.row === row)
  if (verdict === undefined || verdict.is === 'refused') return []
  const overwriting = verdict.isOverwriting ? ', overwriting' : ''
  const what = verdict.id === null ? `new record ${toShown(title)}` : `record ${verdict.id}${overwriting}`
  const values = Object.entries(fields).map(([name, { before, after }]) =>
    verdict.id === null ? `  ${name}: ${toShown(after)}` : `  ${name}: ${toShown(before)} -> ${toShown(after)}`,
  )
  return [`row ${toNumber(row)}: ${what}`, ...values]
}

function toReport({ rows }: TablePreview, batch: BatchReport | null): string {
  const counts = Object.fromEntries(
    (['created', 'changed', 'unchanged', 'refused'] as const).map((wanted) => [
      wanted,
      rows.filter(({ is }) => is === wanted).length,
    ]),
  )
  return `${JSON.stringify({ ...counts, rows, batch: batch?.id ?? null }, null, 2)}\n`
}
