import { describe, expect, test } from 'bun:test'
import {
  checkText,
  decodeTable,
  maxTableBytes,
  parseCells,
  toCsvLine,
  toPlainCell,
} from '../../src/record/table/csv.ts'

const cellsOf = (text: string) => {
  const parsed = parseCells(text)
  return parsed.ok ? parsed.rows.map(({ cells }) => cells) : parsed.problem
}

describe('A table is read as spreadsheets write it', () => {
  test.each([
    ['commas', 'a,b\r\n1,2\r\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2'],
    ['quotation marks', '"a","b"\r\n"1","2"'],
    ['carriage returns alone', 'a,b\r1,2\r'],
    ['a line that names the separator', 'sep=;\r\na;b\r\n1;2'],
    ['blank rows', '\r\na,b\r\n,\r\n   \r\n1,2\r\n\r\n'],
  ])('with %s', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test.each<[string, string, readonly (readonly string[])[]]>([
    ['separators and line breaks in quotation marks', '"a,;\tb","c\r\nd"\r\n', [['a,;\tb', 'c\r\nd']]],
    ['quotation marks in quotation marks', '"say ""hi""",""""\n', [['say "hi"', '"']]],
    ['a semicolon in the first row beside more commas', 'x;y,b,c', [['x;y', 'b', 'c']]],
    ['quotation marks inside a bare cell', '5" disks,b', [['5" disks', 'b']]],
    [
      'a copied cell that begins with a quotation mark',
      'a\tb\n"Hi" she said\t"x',
      [
        ['a', 'b'],
        ['"Hi" she said', '"x'],
      ],
    ],
    [
      'a copied cell with a line break',
      'a\tb\n"one\ntwo"\tx',
      [
        ['a', 'b'],
        ['one\ntwo', 'x'],
      ],
    ],
    ['spaces, which stay', ' a , b', [[' a ', ' b']]],
  ])('with %s', (_, text, cells) => {
    expect<unknown>(cellsOf(text)).toEqual(cells)
  })

  test('and numbers its rows as they do', () => {
    const parsed = parseCells('title\n\nOne\n"Two\nlines"\nThree')
    expect(parsed.ok && parsed.rows.map(({ row }) => row)).toEqual([1, 3, 4, 5])
  })
})

describe('A table that is broken is refused, with its place', () => {
  test.each([
    ['a quotation mark that never ends', 'a,b\n1,"2\n3,4', 'Row 2, column 2: The closing quotation mark is missing.'],
    [
      'text after a quotation mark',
      'a,b\n"1"x,2',
      /^Row 2, column 1: There is text after the closing quotation mark\./,
    ],
    ['a hundred and one columns', `a${',b'.repeat(100)}`, 'Row 1 has more than 100 columns.'],
    ['ten thousand and two rows', 'a\n'.repeat(10_002), 'The table has more than 10,000 rows.'],
    ['a line of ten million commas', ','.repeat(maxTableBytes), 'Row 1 has more than 100 columns.'],
    [
      'a cell of ten million letters',
      'x'.repeat(maxTableBytes),
      /^Row 1, column 1: The cell is longer than any field\./,
    ],
    ['a quoted cell of ten million letters', `"${'x'.repeat(maxTableBytes)}"`, /^Row 1, column 1: The cell is longer/],
    ['quotation marks alone', '"'.repeat(9_999_999), /^Row 1, column 1: /],
  ])('%s', (_, text, problem) => {
    const cells = cellsOf(text)
    if (typeof problem === 'string') expect(cells).toBe(problem)
    else expect(cells).toMatch(problem)
  })
})

describe('A table of the maximum size is read in seconds, as it blocks other requests meanwhile:', () => {
  const open = `title\tevent\n${'"""\n'.repeat(9_990)}`
  test.each([
    ['of line ends alone', '\n'.repeat(maxTableBytes)],
    ['of a heading and line ends of old Macs', `title\r${'\r'.repeat(maxTableBytes - 6)}`],
    ['of cells whose quotation marks close nowhere', open + '""'.repeat((maxTableBytes - open.length) / 2)],
  ])('%s', (_, text) => {
    const start = performance.now()
    parseCells(text)
    // About a second on an idle machine.
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})

describe('The bytes of a file', () => {
  const text = 'titel\r\nGrüße – “東京”\r\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  test.each<[string, Uint8Array, string]>([
    ['UTF-8', Buffer.from(text), 'UTF-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'UTF-8'],
    ['UTF-16, little end first', utf16, 'UTF-16'],
    ['UTF-16, big end first', Buffer.from(utf16).swap16(), 'UTF-16'],
  ])('are read as %s', (_, bytes, encoding) => {
    expect(decodeTable(bytes)).toMatchObject({ ok: true, text, encoding })
  })

  test('that are not UTF-8 are read as Windows-1252, which is said', () => {
    const bytes = Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x93, 0x94, 0x20, 0x80])
    expect(decodeTable(bytes)).toEqual({ ok: true, text: 'Grüße “” €', encoding: 'Windows-1252' })
  })

  test.each<[string, Uint8Array, RegExp]>([
    ['more than 10 MiB', new Uint8Array(maxTableBytes + 1), /larger than 10 MiB/],
    ['a NUL', Buffer.from('a,b\n1,\0'), /NUL/],
    ['UTF-16 without a mark', Buffer.from('title', 'utf16le'), /NUL/],
    ['a workbook', Buffer.from('PK\x03\x04rest', 'latin1'), /save it as CSV/],
    ['half a character of UTF-16', Buffer.concat([utf16, Buffer.from([0x00])]), /not valid UTF-16/],
  ])('are refused if they are %s', (_, bytes, problem) => {
    const decoded = decodeTable(bytes)
    expect(decoded.ok ? 'read' : decoded.problem).toMatch(problem)
  })

  test('and pasted text with a NUL is refused too', () => {
    expect(checkText('a\0').ok).toBe(false)
  })
})

test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', "'=1", "''@x", "'quoted'", "'", 'plain', '', '\nx'])(
  'The apostrophe before a formula is taken off again: %j',
  (value) => {
    const parsed = parseCells(toCsvLine(['x', value]))
    const cell = parsed.ok ? (parsed.rows[0]?.cells[1] ?? '') : parsed.problem
    expect(toPlainCell(cell)).toBe(value)
  },
)
