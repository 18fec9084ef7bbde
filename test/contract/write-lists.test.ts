import { describe } from 'bun:test'
import { useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const toEntries = (count: number) => Array.from({ length: count }, (_, index) => `Entry ${index}`)

const both: readonly Row[] = ['speakers', 'tags'].flatMap((field) => [
  takes(field, []),
  takes(field, ['Zoë', 'Åsa', 'Bob']),
  takes(field, ['  Ada Lovelace ', '\tBob\n'], ['Ada Lovelace', 'Bob']),
  takes(field, ['B', 'A', 'B', 'C', 'A'], ['B', 'A', 'C']),
  takes(field, ['A', ' A '], ['A']),
  takes(field, toEntries(200)),
  refuses(field, toEntries(201)),
  refuses(field, ['']),
  refuses(field, ['A', '   ']),
  refuses(field, [5]),
  refuses(field, ['A', null]),
  refuses(field, [['A']]),
  refuses(field, [{ name: 'A' }]),
  refuses(field, [true]),
  refuses(field, ['a\u0000']),
  refuses(field, ['\ud83d']),
  refuses(field, null),
  refuses(field, 'A'),
  refuses(field, 5),
  refuses(field, {}),
  refuses(field, { 0: 'A', length: 1 }),
])

const lengths: readonly Row[] = [
  takes('speakers', ['x'.repeat(255)]),
  takes('speakers', ['😀'.repeat(255)]),
  takes('speakers', [` ${'x'.repeat(255)} `], ['x'.repeat(255)]),
  refuses('speakers', ['x'.repeat(256)]),
  refuses('speakers', ['😀'.repeat(256)]),
  takes('tags', ['x'.repeat(100)]),
  takes('tags', ['😀'.repeat(100)]),
  takes('tags', [` ${'x'.repeat(100)} `], ['x'.repeat(100)]),
  refuses('tags', ['x'.repeat(101)]),
  refuses('tags', ['😀'.repeat(101)]),
]

describe('Speakers and tags', () => runTable([...both, ...lengths], service))
