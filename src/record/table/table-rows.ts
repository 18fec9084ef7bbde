import { type WritableName, writableNames } from '../fields.ts'
import { isSameJson, type JsonValue } from '../json.ts'
import { findThumbnail } from '../player/hosted-video.ts'
import {
  type Changes,
  type FieldErrors,
  type ParsedFields,
  parseFields,
  parseRecordId,
  type VideoRecord,
} from '../record.ts'
import { draft } from '../state.ts'
import { toNumber } from '../text/counted.ts'
import { isTimestamp, type Timestamp } from '../timestamp.ts'
import { isUntouchedCell, parseCell } from './cells.ts'
import type { Column, ColumnName } from './columns.ts'
import { type CellRow, maxTableRows } from './csv.ts'

/** A row of a table that changes a record, or creates one. */
export interface TableRow {
  /** As a spreadsheet numbers it. */
  readonly row: number
  /** Null for a new record. */
  readonly id: number | null
  /** The time of the version that the row was made from; null to overwrite whatever the record has now. */
  readonly updated: Timestamp | null
  /** By field; a field without a column is missing. */
  readonly cells: readonly (readonly [name: WritableName, cell: string])[]
  /** Problems of `id` and `updated`, and of the row as a whole (`""`). */
  readonly problems: FieldErrors
}

/** Changes and new records from a table, as plain data. */
export interface TableRequest {
  readonly rows: readonly TableRow[]
  /** As in `BulkRequest`. */
  readonly asOf: number | null
  /** Whether the other rows count if some are refused. */
  readonly isPartial: boolean
  /** Whether a new record may have the video of another one. */
  readonly mayRepeatVideos: boolean
  /** The rows whose differences a dry run returns, in the order of `toShownOrder`; null for none. */
  readonly shown: { readonly from: number; readonly count: number } | null
  /** The record whose chapters the rows are: each row is the next chapter that names no record yet. */
  readonly chaptersOf?: ChapteredRecord
}

export interface ChapteredRecord {
  readonly id: number
  /** The tag of the chapters that the rows were made from. */
  readonly base: string
}

type ParsedTable =
  | { readonly ok: true; readonly rows: readonly TableRow[] }
  | { readonly ok: false; readonly problem: string }

/** `category` is that of new records without one. */
export function toTableRows(
  found: readonly CellRow[],
  columns: readonly Column[],
  category: string | null,
): ParsedTable {
  if (found.length > maxTableRows)
    return { ok: false, problem: `The table has more than ${toNumber(maxTableRows)} rows.` }
  if (found.length === 0) return { ok: false, problem: 'The table has no rows.' }
  const rowOfId = new Map<number, number>()
  return { ok: true, rows: found.map((row) => toTableRow(row, columns, category, rowOfId)) }
}

/** `rowOfId` has the rows so far: a record can be in a table only once. */
function toTableRow(
  { row, cells }: CellRow,
  columns: readonly Column[],
  category: string | null,
  rowOfId: Map<number, number>,
): TableRow {
  const problems = new Map<string, readonly string[]>()
  const findCell = (name: ColumnName) => cells[columns.indexOf(name)]?.trim() ?? ''
  const idText = findCell('id')
  const id = parseRecordId(idText)
  const updatedText = findCell('updated').replace(/Z$/, '')
  const earlier = id === null ? undefined : rowOfId.get(id)
  if (id === null && idText !== '') problems.set('id', ['Must be the number of a talk. Leave it empty for a new talk.'])
  if (earlier !== undefined) problems.set('id', [`This talk is already in row ${toNumber(earlier)}.`])
  else if (id !== null) rowOfId.set(id, row)
  if (updatedText !== '' && !isTimestamp(updatedText))
    problems.set('updated', ['Must be a time as the download has it, such as 2026-05-31T12:00:00.000Z.'])
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    problems.set('', [`Has more cells than the first row, which has ${columns.length}.`])
  return {
    ...{ row, id, problems },
    updated: updatedText === '' ? null : updatedText,
    cells: toFieldCells(cells, columns, id === null && idText === '' ? category : null),
  }
}

/** A row that ends early leaves the fields of its last columns unchanged. */
function toFieldCells(cells: readonly string[], columns: readonly Column[], category: string | null) {
  const given = columns.flatMap((column, index): [WritableName, string][] => {
    const cell = cells[index]
    const isField = column !== null && column !== 'id' && column !== 'updated' && column !== 'ignored'
    return isField && cell !== undefined ? [[column, cell]] : []
  })
  const hasCategory = given.some(([name, cell]) => name === 'category' && cell.trim() !== '')
  if (category === null || hasCategory) return given
  return [...given.filter(([name]) => name !== 'category'), ['category', category] as const]
}

/** The fields of a new record. Empty cells get their defaults, and the thumbnail follows from a known address. */
export function parseNewRow({ cells, problems }: TableRow): ParsedFields {
  const values: Record<string, JsonValue> = {}
  const errors = new Map(problems)
  for (const [name, cell] of cells) {
    if (cell.trim() === '') continue
    const parsed = parseCell(name, cell, null)
    if (!parsed.ok) errors.set(name, parsed.problems)
    else if (name === 'state' && parsed.value !== draft) errors.set(name, [newIsDraft])
    else values[name] = parsed.value
  }
  const whole = parseFields(values, 'whole', null)
  for (const [name, found] of whole.ok ? [] : whole.errors) if (!errors.has(name)) errors.set(name, found)
  return errors.size === 0 && whole.ok ? { ok: true, changes: withThumbnail(whole.changes) } : { ok: false, errors }
}

/** As the form of a new talk fills it in. */
function withThumbnail(changes: Changes): Changes {
  const found = changes.thumbnail_url === undefined ? findThumbnail(changes.source_url ?? '') : null
  return found === null ? changes : { ...changes, thumbnail_url: found }
}

const newIsDraft = 'A new talk is a draft. Leave the cell empty, and publish the talk afterwards.'

/** The fields whose cells differ from the version that the row was made from. */
export function parseChangedRow({ cells, problems }: TableRow, base: VideoRecord): ParsedFields {
  const changes: Record<string, JsonValue> = {}
  const errors = new Map(problems)
  for (const [name, cell] of cells) {
    if (isUntouchedCell(name, cell, base[name])) continue
    const parsed = parseCell(name, cell, base[name])
    if (!parsed.ok) errors.set(name, parsed.problems)
    else if (!isSameJson(parsed.value, base[name])) changes[name] = parsed.value
  }
  // Each value was returned by the `parse` of its own field.
  return errors.size > 0 ? { ok: false, errors } : { ok: true, changes: changes as Changes }
}

/** The fields that a row changes and others have changed since its version, to other values. */
export function listContested(changes: Changes, base: VideoRecord, current: VideoRecord): WritableName[] {
  return writableNames.filter(
    (name) =>
      name in changes && !isSameJson(current[name], base[name]) && !isSameJson(current[name], changes[name] ?? null),
  )
}

type Verdict = 'created' | 'changed' | 'unchanged' | 'refused'
const order: readonly Verdict[] = ['refused', 'changed', 'created']

/** The rows that a preview shows: what is refused first, nothing of what stays unchanged. */
export function toShownOrder<Row extends { readonly is: Verdict }>(rows: readonly Row[]): Row[] {
  return order.flatMap((verdict) => rows.filter(({ is }) => is === verdict))
}
