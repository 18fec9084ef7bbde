import { describe } from 'bun:test'
import { useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const wrongTypes = [null, 5, true, [], ['a'], {}]
const forbidden = [
  'a\u0000b',
  '\u0001',
  '\u0008',
  '\u000b',
  '\u000c',
  '\u001b',
  '\u001f',
  '\ud800',
  'a\udc00',
  '\udc00\ud800',
]

const named: readonly Row[] = ['category', 'title'].flatMap((field) => [
  takes(field, 'A'),
  takes(field, '  spaces around  ', 'spaces around'),
  takes(field, '\t\r\n tabs and lines \r\n\t', 'tabs and lines'),
  takes(field, 'inner   spaces stay'),
  takes(field, 'Ünïcödé 日本語'),
  takes(field, 'x'.repeat(255)),
  takes(field, ` ${'x'.repeat(255)} `, 'x'.repeat(255)),
  takes(field, 'é'.repeat(255)),
  takes(field, '😀'.repeat(255)),
  refuses(field, 'x'.repeat(256)),
  refuses(field, 'é'.repeat(256)),
  refuses(field, '😀'.repeat(256)),
  refuses(field, ''),
  refuses(field, '   '),
  refuses(field, '\t\n'),
  ...[...wrongTypes, ...forbidden].map((value) => refuses(field, value)),
])

const long: readonly Row[] = ['summary', 'description', 'quality_notes', 'copyright_text'].flatMap((field) => [
  takes(field, ''),
  takes(field, ' \n kept \n '),
  takes(field, 'x'.repeat(100_000)),
  takes(field, '😀'.repeat(100_000)),
  refuses(field, 'x'.repeat(100_001)),
  refuses(field, '😀'.repeat(100_001)),
  ...[...wrongTypes, ...forbidden].map((value) => refuses(field, value)),
])

const whiteboard: readonly Row[] = [
  takes('whiteboard', ''),
  takes('whiteboard', 'x'.repeat(255)),
  takes('whiteboard', '😀'.repeat(255)),
  refuses('whiteboard', 'x'.repeat(256)),
  refuses('whiteboard', '😀'.repeat(256)),
  ...[...wrongTypes, ...forbidden].map((value) => refuses('whiteboard', value)),
]

describe('Category and title', () => runTable(named, service))

describe('The long texts', () => runTable(long, service))

describe('The whiteboard', () => runTable(whiteboard, service))
