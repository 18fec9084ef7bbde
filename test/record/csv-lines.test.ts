import { expect, test } from 'bun:test'
import { toCsvLine } from '../../src/record/table/csv.ts'

test.each([
  [['a', 1, null], '"a","1",""\r\n'],
  [
    ['with, comma', 'with "quotes"', 'two\nlines', 'cr\rhere'],
    '"with, comma","with ""quotes""","two\nlines","cr\rhere"\r\n',
  ],
  [['', ' padded '], '""," padded "\r\n'],
  [['Žlutý kůň', '東京 🎤'], '"Žlutý kůň","東京 🎤"\r\n'],
])('A line follows RFC 4180: %j', (cells, line) => {
  expect(toCsvLine(cells)).toBe(line)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://x","y")'])(
  'What a spreadsheet takes for a formula begins with an apostrophe: %j',
  (cell) => {
    expect(splitAt(',', toCsvLine([cell]))).toEqual([`'${cell}`])
  },
)

test('Numbers and texts with a sign inside are as they are', () => {
  expect(toCsvLine([-1, 'a=b', '1-2', 'me@example.org'])).toBe('"-1","a=b","1-2","me@example.org"\r\n')
})

/** The cells of a line, as a spreadsheet with this separator reads it. */
function splitAt(separator: string, line: string): string[] {
  const cells = line
    .slice(0, -2)
    .matchAll(new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:\\${separator}|$)`, 'g'))
  return Array.from(cells, ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain).slice(0, -1)
}

test.each([',', ';', '\t', '|'])(
  'A spreadsheet that separates cells by %j finds no formula inside of one',
  (separator) => {
    const cells = ["x;=cmd|' /C calc'!A0", "x\t=cmd|' /C calc'!A0", 'x,=1+1', 'x|=1+1', '";=1+1', 'x";"=1+1', '""|=1']
    for (const cell of cells) expect(splitAt(separator, toCsvLine([cell]))).toEqual([cell])
  },
)
