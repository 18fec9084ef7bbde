import { gunzipSync, gzipSync } from 'node:zlib'
import type { Form } from '../../http/route.ts'
import { type Column, guessColumns, hasHeading, isColumnName, toColumns } from '../../record/table/columns.ts'
import {
  type CellRow,
  checkText,
  decodeTable,
  isOldEncoding,
  type OldEncoding,
  parseCells,
  readAgain,
  toCsvLine,
} from '../../record/table/csv.ts'
import { type TableRow, toTableRows } from '../../record/table/table-rows.ts'
import { toControlName } from '../form/form-values.ts'
import { toPrefilled } from '../new/video-address.ts'

/** A table that a curator sent, and what its columns mean. It travels from step to step in the form (decision 85). */
export interface TableInput {
  readonly text: string
  /** What `text` is read in, if the file is not in Unicode: then `text` has a character for each byte. */
  readonly guessed: OldEncoding | null
  /** The first row, if it has names. */
  readonly heading: readonly string[] | null
  readonly rows: readonly CellRow[]
  readonly columns: readonly Column[]
  /** The event of new talks without one. */
  readonly event: string
  readonly mayRepeatVideos: boolean
  /** Cells were changed in the preview, and the table with them has not been shown yet. */
  readonly isCorrected: boolean
  readonly reason: string
}

type ParsedInput = { readonly ok: true; readonly input: TableInput } | { readonly ok: false; readonly problem: string }

export const eventControl = toControlName('category')
export const toColumnControl = (index: number) => `column.${index}`

export function readTableInput(form: Form, files: ReadonlyMap<string, Uint8Array>): ParsedInput {
  const source = readSource(form, files)
  if (!source.ok) return source
  const cells = parseSource(source)
  if (!cells.ok) return cells
  const corrections = listCorrections(form, source, cells.rows)
  const isCorrected = corrections.size > 0
  return isCorrected
    ? readTable(form, toCorrectedSource(cells.rows, corrections), isCorrected)
    : readTable(form, { ...source, rows: cells.rows }, isCorrected)
}

type ReadSource = Pick<TableInput, 'text' | 'guessed' | 'rows'>

function readTable(form: Form, { text, guessed, rows: all }: ReadSource, isCorrected: boolean): ParsedInput {
  const isNamed = form.has('heading') ? form.get('heading') === 'yes' : hasHeading(all)
  const [first, ...rest] = all
  const heading = isNamed ? (first?.cells ?? []) : null
  const rows = isNamed ? rest : all
  if (rows.length === 0) return fail('The table has no rows below the names of its columns.')
  const known = heading === null ? guessColumns(rows) : toColumns(heading)
  return {
    ok: true,
    input: {
      ...{ text, guessed, heading, rows },
      columns: known.map((column, index) => readColumn(form.get(toColumnControl(index)), column)),
      event: (form.get(eventControl) ?? '').trim(),
      mayRepeatVideos: form.get('repeat') === '1' || form.get('do') === 'repeat',
      isCorrected,
      reason: form.get('reason') ?? '',
    },
  }
}

type ParsedRows =
  | { readonly ok: true; readonly rows: readonly TableRow[] }
  | { readonly ok: false; readonly problems: readonly string[] }

/** The rows for the store, or what is wrong with the choice of columns. */
export function toRequestRows({ columns, heading, rows, event }: TableInput): ParsedRows {
  const used = columns.filter((column) => column !== null && column !== 'ignored')
  const problems = columns.flatMap((column, index) =>
    used.some((each) => each === column) && columns.indexOf(column) < index
      ? [`${toColumnTitle(heading, index)} has the same meaning as ${toColumnTitle(heading, columns.indexOf(column))}.`]
      : [],
  )
  if (used.every((column) => column === 'id' || column === 'updated'))
    return { ok: false, problems: ['Choose a field for at least one column.'] }
  if (problems.length > 0) return { ok: false, problems }
  const parsed = toTableRows(rows, columns, event === '' ? null : event)
  return parsed.ok ? parsed : { ok: false, problems: [parsed.problem] }
}

export function toColumnTitle(heading: readonly string[] | null, column: number): string {
  const name = heading?.[column]?.trim() ?? ''
  return name === '' ? `Column ${column + 1}` : `“${name.slice(0, 100)}”`
}

/**
 * Everything that the next step needs. Browsers would change the line ends of a plain text, and a packed one is a
 * fraction of its size.
 */
export function toHiddenInput(input: TableInput, isWithColumns: boolean): { readonly [name: string]: string } {
  const columns = input.columns.map((column, index) => [toColumnControl(index), column ?? 'ignored'] as const)
  return {
    table: gzipSync(input.text, { level: 1 }).toString('base64'),
    ...(input.guessed === null ? {} : { guessed: input.guessed }),
    ...(input.mayRepeatVideos ? { repeat: '1' } : {}),
    ...(isWithColumns
      ? { ...Object.fromEntries(columns), heading: input.heading === null ? 'no' : 'yes', [eventControl]: input.event }
      : {}),
  }
}

/** A form has room for more, but nobody corrects more by hand. */
const maxTextLength = 200_000

/**
 * Some rows of a table as text to paste again, with the names of their fields; null if it is too long. A row that ends
 * early stays so: an empty cell would empty a field.
 */
export function toPastedText({ columns, rows }: TableInput, wanted: ReadonlySet<number>): string | null {
  const used = columns.flatMap((column, index) =>
    column === null || column === 'ignored' ? [] : [{ column, at: index }],
  )
  const toCells = ({ cells }: CellRow) => [...used.flatMap(({ at }) => cells[at] ?? []), ...cells.slice(columns.length)]
  const found = rows.filter(({ row }) => wanted.has(row)).map(toCells)
  const text = [used.map(({ column }): string => column), ...found]
    .map((cells) => cells.map((cell) => toPastedCell(cell, used.length === 1)).join('\t'))
    .join('\n')
  return text.length > maxTextLength ? null : text
}

/** Without a tab, commas and semicolons would separate cells. */
function toPastedCell(cell: string, isAlone: boolean): string {
  const isBare = !/^"|[\t\r\n]/.test(cell) && !(isAlone && /[,;]/.test(cell))
  return isBare ? cell : `"${cell.replaceAll('"', '""')}"`
}

export const toCellControl = (row: number, column: number) => `cell.${row}.${column}`

/** The new texts of cells that a curator changed in the preview, by their controls. */
function listCorrections(form: Form, source: Pick<TableInput, 'text' | 'guessed'>, rows: readonly CellRow[]) {
  const sent = [...form].filter(([name]) => /^cell\.\d+\.\d+$/.test(name))
  if (sent.length === 0) return new Map<string, string>()
  // The preview had the cells in the encoding before this one.
  const guessed = form.get('guessed') ?? ''
  const shown = isOldEncoding(guessed) ? parseSource({ ...source, guessed }) : null
  const cells = new Map((shown?.ok ? shown.rows : rows).map((row) => [String(row.row), row.cells]))
  const isChanged = ([name, value]: readonly [string, string]) => {
    const [, row = '', at = ''] = name.split('.')
    const cell = cells.get(row)?.[Number(at)]
    return cell !== undefined && toLines(cell) !== toLines(value)
  }
  return new Map(sent.filter(isChanged))
}

/** Browsers send every line end as CRLF. */
const toLines = (text: string) => text.replace(/\r\n?/g, '\n')

/** The table with other texts in some cells. Its rows keep their numbers, and all other cells what they have. */
function toCorrectedSource(rows: readonly CellRow[], corrections: ReadonlyMap<string, string>): ReadSource {
  const corrected = rows.map(({ row, cells }) => ({
    row,
    cells: cells.map((cell, column) => corrections.get(toCellControl(row, column)) ?? cell),
  }))
  let last = 0
  const lines = corrected.map(({ row, cells }) => {
    const blank = '\r\n'.repeat(row - last - 1)
    last = row
    return `${blank}${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
  })
  return { text: lines.join(''), guessed: null, rows: corrected }
}

/** Room for a table in UTF-16 or Windows-1252 that is kept in UTF-8. */
const maxUnpackedBytes = 32 * 1024 * 1024

type Source = ({ readonly ok: true } & Pick<TableInput, 'text' | 'guessed'>) | ReturnType<typeof fail>

const parseSource = ({ text, guessed }: Pick<TableInput, 'text' | 'guessed'>) =>
  parseCells(guessed === null ? text : readAgain(text, guessed))

const fail = (problem: string) => ({ ok: false, problem }) as const

function readSource(form: Form, files: ReadonlyMap<string, Uint8Array>): Source {
  const packed = form.get('table')
  if (packed !== null) return unpack(packed, readEncoding(form))
  const bytes = files.get('file')
  const pasted = form.get('text') ?? ''
  if (bytes !== undefined && pasted.trim() !== '') return fail('Choose a file or paste a table, not both.')
  if (bytes === undefined && pasted.trim() === '') return fail('Choose a file, or paste a table.')
  const decoded = bytes === undefined ? checkText(pasted) : decodeTable(bytes)
  if (!decoded.ok) return decoded
  const { text, encoding } = decoded
  return { ok: true, text: toAddressTable(text) ?? text, guessed: encoding === 'Windows-1252' ? 'windows-1252' : null }
}

/** Only the button beside it reads the table in another encoding: nothing is applied that was not previewed. */
function readEncoding(form: Form): OldEncoding | null {
  const chosen = form.get(form.get('do') === 'encoding' ? 'encoding' : 'guessed') ?? ''
  return isOldEncoding(chosen) ? chosen : null
}

function unpack(packed: string, guessed: OldEncoding | null): Source {
  try {
    const bytes = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: maxUnpackedBytes })
    return { ok: true, text: bytes.toString(), guessed }
  } catch {
    return fail('The table did not arrive completely. Choose the file or paste the table again.')
  }
}

/** What was chosen for a column; by default the field that its title names. */
function readColumn(chosen: string | null, known: Column): Column {
  if (chosen === null) return known
  return isColumnName(chosen) ? chosen : 'ignored'
}

const fileFields = ['video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url']

/** A list of addresses, each with an optional title after it, as a table; null if the text is something else. */
export function toAddressTable(text: string): string | null {
  const entries = splitAddresses(text)
  const isList = entries.length > 0 && entries.every((entry) => /^https?:\/\/[^\s,;"]+(?:\s|$)/i.test(entry))
  if (!isList || text.includes('\t')) return null
  const rows = entries.map((entry) => {
    const [address = '', ...words] = entry.split(/\s+/)
    const filled = toPrefilled(address)
    const title = words.join(' ') || filled.get('title') || address.replace(/^https?:\/\//i, '')
    return [title.slice(0, 255), ...['source_url', ...fileFields].map((name) => filled.get(name) ?? '')]
  })
  return [['title', 'source_url', ...fileFields], ...rows].map((cells) => toCsvLine(cells)).join('')
}

/** Each with the words up to the next one. */
export function splitAddresses(text: string): string[] {
  const lines = text.split(/[\r\n]+/).flatMap((line) => line.split(/\s(?=https?:\/\/)/i))
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
