import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type WritableName, writableNames } from '../../src/record/fields.ts'
import type { VideoRecord } from '../../src/record/record.ts'
import { parseCell, toCellText } from '../../src/record/table/cells.ts'
import { type Column, guessColumns, hasHeading, toColumns } from '../../src/record/table/columns.ts'
import { parseCells, toCsvLine } from '../../src/record/table/csv.ts'
import { parseChangedRow, parseNewRow, type TableRow, toTableRows } from '../../src/record/table/table-rows.ts'
import { anyRecord } from '../edit/any-record.ts'
import { runs } from '../harness/runs.ts'
import { createRecord } from '../site/talk-record.ts'

const toTable = (names: readonly string[], ...rows: readonly (readonly string[])[]) =>
  [names, ...rows].map((cells) => toCsvLine(cells)).join('')

function readRows(text: string, category: string | null = null): readonly TableRow[] {
  const cells = parseCells(text)
  if (!cells.ok) throw new Error(cells.problem)
  const [first, ...rest] = cells.rows
  const table = toTableRows(rest, toColumns(first?.cells ?? []), category)
  if (!table.ok) throw new Error(table.problem)
  return table.rows
}

const readRow = (names: readonly string[], cells: readonly string[], category: string | null = null): TableRow => {
  const [row] = readRows(toTable(names, cells), category)
  if (row === undefined) throw new Error('no row')
  return row
}

const toDownload = (record: VideoRecord) =>
  readRow(
    ['id', 'updated', ...writableNames],
    [String(record.id), '2023-06-20T12:00:00.000Z', ...writableNames.map((name) => toCellText(name, record[name]))],
  )

describe('A downloaded row', () => {
  test('changes nothing, whatever the record holds', () => {
    const property = fc.property(anyRecord, (record) => {
      expect(parseChangedRow(toDownload(record), record)).toEqual({ ok: true, changes: {} })
    })
    fc.assert(property, { numRuns: runs(2_000) })
  })

  test('gives back every list of names', () => {
    const names = fc.array(fc.string({ unit: fc.constantFrom('a', ';', '\\', ' ', '"', ',', "'", '=') }), {
      maxLength: 4,
    })
    const property = fc.property(names, (given) => {
      const tags = [...new Set(given.map((name) => name.trim()).filter((name) => name !== ''))]
      const row = readRow(['title', 'tags'], ['x', toCellText('tags', tags)])
      const cell = row.cells.find(([name]) => name === 'tags')?.[1] ?? ''
      expect(parseCell('tags', cell, [])).toEqual({ ok: true, value: tags })
    })
    fc.assert(property, { numRuns: runs(5_000) })
  })

  test('that a spreadsheet has cut at its longest cell changes nothing', () => {
    const record = createRecord({ description: 'x'.repeat(40_000) })
    const row = readRow(['id', 'description'], [String(record.id), 'x'.repeat(32_767)])
    expect(parseChangedRow(row, record)).toEqual({ ok: true, changes: {} })
  })
})

const base = createRecord({ title: 'Old', tags: ['a', 'b'], duration: 60, description: 'One\r\nTwo', state: 1 })

test.each<[WritableName, string, unknown]>([
  ['title', ' New ', 'New'],
  ['tags', 'a;b ;  c d;', ['a', 'b', 'c d']],
  ['tags', String.raw`C:\x; a\; b; \\`, [String.raw`C:\x`, 'a; b', '\\']],
  ['tags', '', []],
  ['duration', '61', 61],
  ['duration', '39:07', 2347],
  ['duration', '1h 20m', 4800],
  ['duration', '1 h 2 min', 3720],
  ['duration', '45 min', 2700],
  ['duration', '', null],
  ['state', 'Draft', 2],
  ['state', '2', 2],
  ['video_mp4_download_only', 'TRUE', true],
  ['recorded', '2024-02-29', '2024-02-29'],
  ['recorded', '29.02.2024', '2024-02-29'],
  ['recorded', '3.4.2024', '2024-04-03'],
  ['recorded', '5/28/2026', '2026-05-28'],
  ['recorded', '28/05/2026', '2026-05-28'],
  ['recorded', '5/5/2026', '2026-05-05'],
  ['source_url', ' https://example.org/a ', 'https://example.org/a'],
  ['language', 'de', 'German'],
  ['description', 'One\nTwo\nThree', 'One\r\nTwo\r\nThree'],
  ['whiteboard', '=1+1', '=1+1'],
])('The cell %s of a talk, changed to %j, becomes the value %j', (name, cell, value) => {
  const parsed = parseChangedRow(readRow(['id', name], [String(base.id), cell]), base)
  expect<unknown>(parsed).toEqual({ ok: true, changes: { [name]: value } })
})

test.each<[WritableName, string, string]>([
  ['title', '', 'May not be blank.'],
  ['duration', '1.5', 'Must be a length'],
  ['state', 'public', 'Must be live or draft.'],
  ['video_mp4_download_only', 'maybe', 'Must be true or false.'],
  ['video_mp4_length', '1.2E+12', 'Must be a whole number'],
  ['recorded', '29.02.2023', 'Must be an existing calendar day'],
  ['recorded', '05.28.2026', 'Must be an existing calendar day'],
  ['recorded', '31/31/2026', 'Must be an existing calendar day'],
  ['recorded', '28.05.26', 'Must be an existing calendar day'],
  ['recorded', '01/02/2024', 'Could be 2024-02-01 or 2024-01-02. Write the one that you mean.'],
  ['source_url', 'javascript:alert(1)', 'Must be'],
  ['embed', '<script>', ''],
])('The cell %s of a talk, changed to %j, is refused: %s', (name, cell, problem) => {
  const parsed = parseChangedRow(readRow(['id', name], [String(base.id), cell]), base)
  expect(parsed.ok ? 'read' : parsed.errors.get(name)?.join(' ')).toStartWith(problem)
})

test('A talk without a column or a cell keeps its value', () => {
  expect(parseChangedRow(readRow(['id'], [String(base.id)]), base)).toEqual({ ok: true, changes: {} })
  const [row] = readRows(`id,title,tags\n${base.id},New`)
  expect(row && parseChangedRow(row, base)).toEqual({ ok: true, changes: { title: 'New' } })
})

describe('A new row', () => {
  test('takes its event from the table, or else the chosen one', () => {
    expect(parseNewRow(readRow(['title', 'event'], ['T', 'Own'], 'Chosen'))).toMatchObject({
      changes: { category: 'Own' },
    })
    for (const names of [['title', 'event'], ['title']])
      expect(parseNewRow(readRow(names, ['T', ''], 'Chosen'))).toMatchObject({ changes: { category: 'Chosen' } })
  })

  test('gets the thumbnail of a known host, unless it has one', () => {
    const read = (thumbnail: string) =>
      parseNewRow(readRow(['title', 'link', 'thumbnail'], ['T', 'https://youtu.be/dQw4w9WgXcQ', thumbnail], 'Chosen'))
    const built = 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg'
    expect(read('')).toMatchObject({ changes: { thumbnail_url: built } })
    expect(read('https://example.org/t.jpg')).toMatchObject({ changes: { thumbnail_url: 'https://example.org/t.jpg' } })
  })

  test('reports every wrong cell together', () => {
    const parsed = parseNewRow(readRow(['recorded', 'state', 'duration'], ['x', 'live', 'y']))
    const fields = parsed.ok ? [] : [...parsed.errors.keys()]
    expect(fields).toEqual(['recorded', 'state', 'duration', 'category', 'title'])
  })
})

test('What is wrong with a row as a whole is said', () => {
  const rows = readRows('id,updated,title\n7,,A\n7,,B\nx,,C\n8,yesterday,D\n9,,E,extra\n')
  expect(rows.map(({ problems }) => [...problems].map(([name, [text = '']]) => [name, text.slice(0, 30)]))).toEqual([
    [],
    [['id', 'This talk is already in row 2.']],
    [['id', 'Must be the number of a talk. ']],
    [['updated', 'Must be a time as the download']],
    [['', 'Has more cells than the first ']],
  ])
})

test.each<[string, readonly string[], readonly Column[]]>([
  ['fields', ['id', 'Title', ' SOURCE_URL ', 'source url'], ['id', 'title', 'source_url', null]],
  [
    'other words',
    ['Event', 'Speaker(s)', 'Date', 'Link', 'License', 'Lang', 'Length', 'Tag(s)'],
    ['category', 'speakers', 'recorded', 'source_url', 'copyright_text', 'language', 'duration', 'tags'],
  ],
  [
    'what cannot be changed',
    ['slug', 'findings', 'by', 'edit', 'added'],
    ['ignored', 'ignored', 'ignored', 'ignored', 'ignored'],
  ],
  ['nonsense', ['', 'Room', 'constructor', '__proto__'], [null, null, null, null]],
])('Columns are known by the names of %s', (_, names, columns) => {
  expect(toColumns(names)).toEqual([...columns])
})

test('A first row with an address is a talk', () => {
  const rows = [{ row: 1, cells: ['Intro', 'https://example.org/1'] }]
  expect([hasHeading(rows), guessColumns(rows)]).toEqual([false, [null, 'source_url']])
  expect(hasHeading([{ row: 1, cells: ['title', 'url'] }])).toBe(true)
})

test('Ten thousand and one rows are refused', () => {
  const rows = Array.from({ length: 10_001 }, (_, i) => ({ row: i + 1, cells: ['x'] }))
  expect(toTableRows(rows, ['title'], null)).toEqual({ ok: false, problem: 'The table has more than 10,000 rows.' })
})
