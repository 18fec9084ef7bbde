import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { parseFields, tagOf, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const patchType = 'application/json-patch+json'
const fresh = { summary: 'old', speakers: ['Ada', 'Bob', 'Cleo'], tags: [], duration: 60, video_mp4_length: 7 }
const base = {
  method: 'PATCH',
  path: toPath('{id}'),
  as: 'admin' as const,
  headers: { 'Content-Type': patchType },
  fresh,
}

type Operation = Readonly<Record<string, unknown>>

const applied: readonly (readonly [string, readonly Operation[], Operation])[] = [
  ['add replaces a field', [{ op: 'add', path: '/summary', value: 'new' }], { summary: 'new' }],
  [
    'add appends to a list',
    [{ op: 'add', path: '/speakers/-', value: 'Dan' }],
    { speakers: ['Ada', 'Bob', 'Cleo', 'Dan'] },
  ],
  [
    'add inserts in a list',
    [{ op: 'add', path: '/speakers/1', value: 'Dan' }],
    { speakers: ['Ada', 'Dan', 'Bob', 'Cleo'] },
  ],
  [
    'add may insert at the end',
    [{ op: 'add', path: '/speakers/3', value: 'Dan' }],
    { speakers: ['Ada', 'Bob', 'Cleo', 'Dan'] },
  ],
  ['add fills an empty list', [{ op: 'add', path: '/tags/0', value: 'web' }], { tags: ['web'] }],
  ['replace replaces a field', [{ op: 'replace', path: '/title', value: 'New' }], { title: 'New' }],
  [
    'replace replaces an entry',
    [{ op: 'replace', path: '/speakers/2', value: 'Dan' }],
    { speakers: ['Ada', 'Bob', 'Dan'] },
  ],
  ['replace replaces a list', [{ op: 'replace', path: '/speakers', value: ['Dan'] }], { speakers: ['Dan'] }],
  ['replace may make a field null', [{ op: 'replace', path: '/duration', value: null }], { duration: null }],
  ['remove makes a field null that may be', [{ op: 'remove', path: '/duration' }], { duration: null }],
  ['remove takes an entry out', [{ op: 'remove', path: '/speakers/0' }], { speakers: ['Bob', 'Cleo'] }],
  [
    'move moves an entry',
    [{ op: 'move', from: '/speakers/2', path: '/speakers/0' }],
    { speakers: ['Cleo', 'Ada', 'Bob'] },
  ],
  [
    'move leaves null behind',
    [{ op: 'move', from: '/video_mp4_length', path: '/video_ogv_length' }],
    { video_mp4_length: null, video_ogv_length: 7 },
  ],
  ['move to its own place changes nothing', [{ op: 'move', from: '/summary', path: '/summary' }], { summary: 'old' }],
  ['copy copies a field', [{ op: 'copy', from: '/summary', path: '/description' }], { description: 'old' }],
  ['copy copies a list', [{ op: 'copy', from: '/speakers', path: '/tags' }], { tags: ['Ada', 'Bob', 'Cleo'] }],
  ['copy copies an entry', [{ op: 'copy', from: '/speakers/1', path: '/summary' }], { summary: 'Bob' }],
  ['test passes on an equal string', [{ op: 'test', path: '/summary', value: 'old' }], {}],
  ['test passes on an equal number', [{ op: 'test', path: '/duration', value: 60 }], {}],
  ['test passes on an equal list', [{ op: 'test', path: '/speakers', value: ['Ada', 'Bob', 'Cleo'] }], {}],
  ['test passes on an entry', [{ op: 'test', path: '/speakers/1', value: 'Bob' }], {}],
  ['test passes on null', [{ op: 'test', path: '/recorded', value: null }], {}],
  ['an empty patch is taken', [], { summary: 'old' }],
  [
    'unknown members of an operation are ignored',
    [{ op: 'add', path: '/summary', value: 'new', comment: 'x' }],
    { summary: 'new' },
  ],
  [
    'a read-only field is ignored',
    [
      { op: 'replace', path: '/added', value: 'x' },
      { op: 'replace', path: '/summary', value: 'new' },
    ],
    { summary: 'new' },
  ],
  [
    'later operations see earlier ones',
    [
      { op: 'add', path: '/summary', value: 'a' },
      { op: 'test', path: '/summary', value: 'a' },
      { op: 'copy', from: '/summary', path: '/description' },
    ],
    { summary: 'a', description: 'a' },
  ],
]

const taken: readonly Row[] = applied.map(([name, json, changes]) => ({
  ...base,
  name,
  json,
  status: 200,
  check: (record) => expect(record).toMatchObject(changes),
}))

const failedTests: readonly Row[] = [
  ['a string that differs', '/summary', 'new'],
  ['a string of another case', '/summary', 'Old'],
  ['another type', '/duration', '60'],
  ['a list in another order', '/speakers', ['Bob', 'Ada', 'Cleo']],
  ['null against a value', '/duration', null],
  ['a shorter list', '/speakers', ['Ada']],
  ['a field that is not there', '/nope', 1],
  ['an entry that is not there', '/speakers/3', 'Dan'],
].map(([what, path, value]) => ({
  ...base,
  name: `test fails on ${what}, and nothing is written`,
  json: [
    { op: 'replace', path: '/title', value: 'New' },
    { op: 'test', path, value },
  ],
  status: 409,
}))

const wrongFields: readonly (readonly [string, readonly Operation[], string])[] = [
  ['remove of a field that may not be null', [{ op: 'remove', path: '/summary' }], 'summary'],
  ['remove of the title', [{ op: 'remove', path: '/title' }], 'title'],
  ['remove of a list', [{ op: 'remove', path: '/speakers' }], 'speakers'],
  ['move away from a field that may not be null', [{ op: 'move', from: '/summary', path: '/description' }], 'summary'],
  ['null in a field that may not be null', [{ op: 'replace', path: '/summary', value: null }], 'summary'],
  ['a value of the wrong type', [{ op: 'replace', path: '/duration', value: '5' }], 'duration'],
  ['a blank entry', [{ op: 'add', path: '/speakers/-', value: ' ' }], 'speakers'],
  ['an unknown field', [{ op: 'add', path: '/nope', value: 1 }], 'nope'],
  ['an unknown field named __proto__', [{ op: 'add', path: '/__proto__', value: {} }], '__proto__'],
  ['an unknown field named constructor', [{ op: 'add', path: '/constructor', value: {} }], 'constructor'],
  ['another id', [{ op: 'replace', path: '/id', value: 987654 }], 'id'],
]

const refused: readonly Row[] = wrongFields.map(([what, json, field]) => ({
  ...base,
  name: `${what} is refused`,
  json: [{ op: 'replace', path: '/whiteboard', value: 'not written' }, ...json],
  status: 400,
  errors: [field],
}))

const syntax: readonly Row[] = [
  ['an object', {}],
  ['a merge patch', { summary: 'x' }],
  ['null', null],
  ['a string', 'x'],
  ['an array of strings', ['x']],
  ['an unknown operation', [{ op: 'spam', path: '/summary', value: 'x' }]],
  ['an operation without op', [{ path: '/summary', value: 'x' }]],
  ['an operation without path', [{ op: 'add', value: 'x' }]],
  ['an add without value', [{ op: 'add', path: '/summary' }]],
  ['a copy without from', [{ op: 'copy', path: '/summary' }]],
  ['a path without a slash', [{ op: 'add', path: 'summary', value: 'x' }]],
  ['a path that is no string', [{ op: 'add', path: 5, value: 'x' }]],
].map(([what, json]) => ({ ...base, name: `A JSON Patch that is ${what} is refused`, json, status: 400 }))

const nowhere: readonly (readonly [string, Operation])[] = [
  ['replace of a field that is not there', { op: 'replace', path: '/nope', value: 1 }],
  ['remove of an entry past the end', { op: 'remove', path: '/speakers/3' }],
  ['add past the end', { op: 'add', path: '/speakers/4', value: 'x' }],
  ['add at an index with a leading zero', { op: 'add', path: '/speakers/01', value: 'x' }],
  ['add at a negative index', { op: 'add', path: '/speakers/-1', value: 'x' }],
  ['replace behind the last entry', { op: 'replace', path: '/speakers/-', value: 'x' }],
  ['copy from nowhere', { op: 'copy', from: '/nope', path: '/summary' }],
  ['add below a string', { op: 'add', path: '/title/0', value: 'x' }],
  ['add below a missing field', { op: 'add', path: '/nope/0', value: 'x' }],
  ['add to the prototype', { op: 'add', path: '/__proto__/polluted', value: 'x' }],
  ['replace of a list’s length', { op: 'replace', path: '/speakers/length', value: 0 }],
]

describe('A JSON Patch', () => runTable(taken, service))

describe('A failed test', () => runTable(failedTests, service))

describe('A JSON Patch with a wrong field', () => runTable(refused, service))

describe('A malformed JSON Patch', () => runTable(syntax, service))

describe('A JSON Patch that leads nowhere', () => {
  for (const [what, operation] of nowhere) {
    test(`writes nothing: ${what}`, async () => {
      const { id } = await service.create(fresh)
      const before = await service.read(id)
      const json = [{ op: 'replace', path: '/title', value: 'New' }, operation]
      const answer = await service.call({ ...base, path: toPath(id), json })
      expect([400, 409]).toContain(answer.status)
      expect(headerOf(answer, 'Content-Type')).toMatch(/^application\/problem\+json/)
      expect((await service.read(id)).body).toBe(before.body)
    })
  }
})

describe('JSON Patches at the same time', () => {
  test('lose nothing of each other', async () => {
    const { id } = await service.create()
    const tags = Array.from({ length: 30 }, (_, index) => `tag ${index}`)
    const append = (value: string) =>
      service.call({ ...base, path: toPath(id), json: [{ op: 'add', path: '/tags/-', value }] })
    await Promise.all(tags.map(append))
    const { tags: stored } = parseFields(await service.read(id))
    expect(Array.isArray(stored) ? stored.sort() : stored).toEqual(tags.sort())
  })
})

describe('A JSON Patch that tests the whole record', () => {
  test('passes when it is equal, whatever the order of its names', async () => {
    const record = await service.create(fresh)
    const value = Object.fromEntries(Object.entries(record).reverse())
    const answer = await service.call({ ...base, path: toPath(record.id), json: [{ op: 'test', path: '', value }] })
    expect([answer.status, parseFields(answer)]).toEqual([200, record])
  })

  test('makes no new version', async () => {
    const record = await service.create(fresh)
    const before = await service.read(record.id)
    await service.call({ ...base, path: toPath(record.id), json: [{ op: 'test', path: '', value: record }] })
    expect(tagOf(await service.read(record.id))).toBe(tagOf(before))
  })
})
