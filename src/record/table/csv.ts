import { toNumber } from '../text/counted.ts'

/** Limits of a table that people upload or paste. */
export const maxTableBytes = 10 * 1024 * 1024
export const maxTableRows = 10_000
const maxColumns = 100
/** No field holds more. A longer cell is usually one whose closing quotation mark is missing. */
const maxCellLength = 400_000

type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

type DecodedTable =
  | { readonly ok: true; readonly text: string; readonly encoding: Encoding }
  | { readonly ok: false; readonly problem: string }

/** A row that is not blank. `row` counts as a spreadsheet does: from 1, blank rows included. */
export interface CellRow {
  readonly row: number
  readonly cells: readonly string[]
}

type ParsedCells =
  | { readonly ok: true; readonly rows: readonly CellRow[] }
  | { readonly ok: false; readonly problem: string }

/**
 * The text of an uploaded file: UTF-8, or UTF-16 with a byte order mark. Other bytes are read as Windows-1252, as
 * spreadsheets still save them; callers say so or refuse them.
 */
export function decodeTable(bytes: Uint8Array): DecodedTable {
  if (bytes.length > maxTableBytes) return fail(`The table is larger than ${maxTableBytes / 1024 / 1024} MiB.`)
  if (isZip(bytes)) return fail('This is a spreadsheet file, not a CSV file. In the spreadsheet, save it as CSV.')
  const encoding = detectEncoding(bytes)
  const text = decode(bytes, encoding)
  if (text !== null) return checkText(text, encoding.startsWith('utf-16') ? 'UTF-16' : 'UTF-8')
  if (encoding !== 'utf-8') return fail('The file is not valid UTF-16. Save it as CSV in UTF-8.')
  return checkText(decode(bytes, 'windows-1252') ?? '', 'Windows-1252')
}

/** What a file that is not in Unicode may be in. The first is tried. */
export const oldEncodings = {
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  macintosh: 'Western European (old Macs)',
  shift_jis: 'Japanese (Shift_JIS)',
  gb18030: 'Chinese (GB18030)',
  'euc-kr': 'Korean (EUC-KR)',
} as const
export type OldEncoding = keyof typeof oldEncodings

export const isOldEncoding = (text: string): text is OldEncoding => Object.hasOwn(oldEncodings, text)

/** A text that was read as Windows-1252, read in another encoding: each of its characters stands for one byte. */
export function readAgain(text: string, encoding: OldEncoding): string {
  if (encoding === 'windows-1252') return text
  const all = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const byteOf = new Map([...all].map((character, byte) => [character.charCodeAt(0), byte]))
  const bytes = new Uint8Array(text.length)
  for (let offset = 0; offset < text.length; offset++) bytes[offset] = byteOf.get(text.charCodeAt(offset)) ?? 0
  return new TextDecoder(encoding).decode(bytes)
}

/** Text that was pasted. */
export function checkText(text: string, encoding: Encoding = 'UTF-8'): DecodedTable {
  if (text.includes('\0')) return fail('The table contains NUL characters. Save it as CSV in UTF-8.')
  return { ok: true, text: text.startsWith(byteOrderMark) ? text.slice(1) : text, encoding }
}

/** The cells of a table as RFC 4180 has them, with commas, semicolons or tabs, whichever the first row has most of. */
export function parseCells(text: string): ParsedCells {
  const hint = /^sep=([,;\t])\r?\n/i.exec(text)
  const delimiter = hint?.[1] ?? findDelimiter(text)
  const reader = { text, delimiter, at: hint?.[0].length ?? 0, searched: 0 }
  const rows: CellRow[] = []
  for (let row = hint === null ? 1 : 2; reader.at < text.length; row++) {
    // A file can have millions of blank rows.
    if (passLineEnd(reader)) continue
    const read = readRow(reader, row)
    if (!read.ok) return read
    if (read.cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells: read.cells })
    // One row more, for the names of the columns.
    if (rows.length > maxTableRows + 1) return fail(`The table has more than ${toNumber(maxTableRows)} rows.`)
  }
  return { ok: true, rows }
}

export const byteOrderMark = '\ufeff'

/** One row of RFC 4180. Texts get an apostrophe where a spreadsheet would run them as a formula. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** Spreadsheets take a cell that begins with one of these for a formula; apostrophes before it are doubled. */
const formulaStart = /^'*[=+\-@\t\r\n]/
const inertStart = /^'+[=+\-@\t\r\n]/

/** The text of a cell without the apostrophe that kept it from being a formula. */
export const toPlainCell = (cell: string) => (inertStart.test(cell) ? cell.slice(1) : cell)

/**
 * Quotes every cell: in many languages a spreadsheet splits lines at `;`, so the text after one would become a cell of
 * its own.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '')
  const inert = typeof value === 'string' && formulaStart.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

const fail = (problem: string) => ({ ok: false, problem }) as const

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

function detectEncoding([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Null if the bytes are not of this encoding. */
function decode(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Counts in the first row, outside quotation marks. A tab wins: nobody types one into a cell. */
function findDelimiter(text: string): string {
  const counts = { ',': 0, ';': 0 }
  let isQuoted = false
  for (let offset = 0; offset < text.length; offset++) {
    const sign = text[offset]
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\t') return '\t'
    else if (sign === '\n' || sign === '\r') break
    else if (sign === ',' || sign === ';') counts[sign]++
  }
  return counts[';'] > counts[','] ? ';' : ','
}

interface Reader {
  readonly text: string
  readonly delimiter: string
  /** Where the next cell begins. */
  at: number
  /** How many characters were searched in vain for closing quotation marks. */
  searched: number
}

/** Otherwise each row of a table could search the rest of it. */
const maxSearched = 4 * maxTableBytes

type ReadRow = { readonly ok: true; readonly cells: readonly string[] } | ReturnType<typeof fail>

/** Ends after the line break of the row. */
function readRow(reader: Reader, row: number): ReadRow {
  const cells: string[] = []
  for (;;) {
    if (cells.length === maxColumns) return fail(`Row ${toNumber(row)} has more than ${maxColumns} columns.`)
    const cell = readCell(reader)
    const problem = 'problem' in cell ? cell.problem : cell.text.length > maxCellLength ? tooLong : null
    if ('problem' in cell || problem !== null)
      return fail(`Row ${toNumber(row)}, column ${cells.length + 1}: ${problem}`)
    cells.push(cell.text)
    const isLast = reader.text[reader.at] !== reader.delimiter
    if (!passLineEnd(reader)) reader.at++
    if (isLast) return { ok: true, cells }
  }
}

function passLineEnd(reader: Reader): boolean {
  const sign = reader.text[reader.at]
  if (sign !== '\n' && sign !== '\r') return false
  reader.at += sign === '\r' && reader.text[reader.at + 1] === '\n' ? 2 : 1
  return true
}

const tooLong = 'The cell is longer than any field. Is a quotation mark missing?'

/** Ends at the delimiter or line break after the cell. */
function readCell(reader: Reader): { readonly text: string } | { readonly problem: string } {
  if (reader.text[reader.at] !== '"') return readBare(reader)
  const quoted = readQuoted(reader)
  // Text that is copied from a spreadsheet has quotation marks at the beginning of ordinary cells too.
  const mayBeBare = reader.delimiter === '\t' && reader.searched < maxSearched
  return 'problem' in quoted && mayBeBare ? readBare(reader) : quoted
}

function readBare(reader: Reader): { readonly text: string } {
  const from = reader.at
  while (reader.at < reader.text.length && !isEnd(reader, reader.at)) reader.at++
  return { text: reader.text.slice(from, reader.at) }
}

function isEnd({ text, delimiter }: Reader, offset: number): boolean {
  const sign = text[offset]
  return sign === delimiter || sign === '\n' || sign === '\r'
}

/** Leaves the position unchanged if the cell is not a quoted one. */
function readQuoted(reader: Reader): { readonly text: string } | { readonly problem: string } {
  const { text } = reader
  const parts: string[] = []
  let from = reader.at + 1
  const giveUp = (problem: string) => {
    reader.searched += from - reader.at
    return { problem }
  }
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return giveUp('The closing quotation mark is missing.')
    if (quote - reader.at > 2 * maxCellLength) return giveUp(tooLong)
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') {
      if (quote + 1 < text.length && !isEnd(reader, quote + 1))
        return giveUp('There is text after the closing quotation mark. Write a quotation mark inside a cell twice.')
      reader.at = quote + 1
      return { text: parts.join('"') }
    }
    from = quote + 2
  }
}
