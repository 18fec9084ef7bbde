import { describe } from 'bun:test'
import { toPath, useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const canonical = [
  ['English', 'English'],
  ['english', 'English'],
  ['ENGLISH', 'English'],
  ['en', 'English'],
  ['EN', 'English'],
  ['eng', 'English'],
  ['German', 'German'],
  ['de', 'German'],
  ['deu', 'German'],
  ['french', 'French'],
  ['fr', 'French'],
  ['fra', 'French'],
  ['es', 'Spanish'],
  ['spa', 'Spanish'],
  ['ja', 'Japanese'],
  ['jpn', 'Japanese'],
  ['zh', 'Chinese'],
  ['pt', 'Portuguese'],
  ['por', 'Portuguese'],
  ['ru', 'Russian'],
  ['rus', 'Russian'],
  ['ita', 'Italian'],
  ['pol', 'Polish'],
  ['ces', 'Czech'],
  ['ko', 'Korean'],
  ['kor', 'Korean'],
  ['', ''],
] as const

const unknown = [
  'Xyzzy',
  'lolcats',
  'xx',
  'qqq',
  '12',
  '-',
  'English, German',
  'zz-ZZ',
  'x'.repeat(500_000),
  null,
  5,
  true,
  [],
  ['English'],
  {},
]

const suggested: readonly Row[] = [
  ['Englisch', 'English'],
  ['Englsh', 'English'],
  ['Germn', 'German'],
  ['Frensh', 'French'],
  ['Japanse', 'Japanese'],
].map(([language, nearest = '']) => ({
  name: `${language} is refused with the suggestion ${nearest}`,
  method: 'PATCH',
  path: toPath('{id}'),
  as: 'admin',
  json: { language },
  status: 400,
  errors: ['language'],
  contains: [nearest],
}))

describe('The language', () => {
  runTable(
    canonical.map(([given, stored]) => takes('language', given, stored)),
    service,
  )
  runTable(
    unknown.map((given) => refuses('language', given)),
    service,
  )
})

describe('An unknown language', () => runTable(suggested, service))
