import { describe, expect, test } from 'bun:test'
import { maxSelected } from '../../src/record/bulk.ts'
import type { JsonObject } from '../../src/record/json.ts'
import { parseBulk } from '../../src/record/parse-bulk.ts'

const ids = { ids: [2, 1, 2] }
const patch = { language: 'de' }
const by = { by: 'ann', since: '2024-01-02', until: '2024-01-03' }

const parse = (body: JsonObject, isDryRun = false) => parseBulk(body, isDryRun)

/** The errors of a body; fails if it has none. */
function errorsOf(body: JsonObject, isDryRun = false): { [name: string]: readonly string[] } {
  const parsed = parse(body, isDryRun)
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(body)}`)
  return Object.fromEntries(parsed.errors)
}

/** What a body asks for; fails if it has errors. */
function requestOf(body: JsonObject, isDryRun = false) {
  const parsed = parse(body, isDryRun)
  if (!parsed.ok) throw new Error(JSON.stringify([...parsed.errors]))
  return { ...parsed.request, reason: parsed.reason }
}

describe('A bulk change', () => {
  test('of ids takes each once, in order, with values as they are stored', () => {
    expect(requestOf({ select: ids, patch })).toEqual({
      select: { is: 'ids', ids: [1, 2] },
      work: { is: 'patch', patch: { changes: { language: 'German' }, edits: {} }, said: patch },
      expect: null,
      asOf: null,
      isPartial: false,
      reason: null,
    })
  })

  test('may add to lists and remove from them, trimmed and without repeats', () => {
    const { work } = requestOf({ select: ids, patch: { tags: { add: [' x ', 'x'], remove: ['y'] }, speakers: ['A'] } })
    const edits = { tags: { is: 'names', add: ['x'], remove: ['y'] } }
    expect(work).toMatchObject({ is: 'patch', patch: { changes: { speakers: ['A'] }, edits } })
  })

  /** A member of a patch, and the edit that it is. */
  const edits: readonly (readonly [string, JsonObject, unknown])[] = [
    ['title', { find: 'a', replace: '' }, { is: 'find', find: 'a', replace: '' }],
    ['title', { find: '  ', replace: ' ' }, { is: 'find', find: '  ', replace: ' ' }],
    ['summary', { prefix: 'a' }, { is: 'start', cut: '', add: 'a' }],
    ['embed', { suffix: 'a' }, { is: 'end', cut: '', add: 'a' }],
    ['video_mp4_url', { cut_start: 'a' }, { is: 'start', cut: 'a', add: '' }],
    ['whiteboard', { cut_end: 'a' }, { is: 'end', cut: 'a', add: '' }],
    ['source_url', { prefix: 'https://', cut_start: 'http://' }, { is: 'start', cut: 'http://', add: 'https://' }],
    ['category', { suffix: 'b', cut_end: 'a' }, { is: 'end', cut: 'a', add: 'b' }],
    ['duration', { multiply: 60 }, { is: 'multiply', by: 60 }],
    ['duration', { divide: 0.5 }, { is: 'divide', by: 0.5 }],
    ['duration', { multiply: 60, if_plausible: true }, { is: 'multiply', by: 60, ifPlausible: true }],
    ['thumbnail_url', { from_source: true }, { is: 'from source' }],
    ['speakers', { split: true }, { is: 'split' }],
  ]

  test.each(edits)('may edit %s by %p', (name, value, edit) => {
    const { work } = requestOf({ select: ids, patch: { [name]: value } })
    expect(work).toMatchObject({ is: 'patch', patch: { changes: {}, edits: { [name]: edit } } })
  })

  /** A member of a patch, and what its message must have. */
  const wrongEdits: readonly (readonly [string, JsonObject, string])[] = [
    ['title', {}, '"find" and "replace"'],
    ['title', { find: 'a' }, '"find" and "replace"'],
    ['title', { replace: 'a' }, '"find" and "replace"'],
    ['title', { find: 'a', replace: 'b', prefix: 'c' }, '"find" and "replace"'],
    ['title', { prefix: 'a', suffix: 'b' }, '"cut_start", "prefix" or both'],
    ['title', { cut_start: 'a', suffix: 'b' }, '"cut_start", "prefix" or both'],
    ['title', { colour: 'a' }, '"find" and "replace"'],
    ['title', { find: '', replace: 'a' }, 'find: May not be empty.'],
    ['title', { find: 1, replace: null }, 'find: Must be a string.'],
    ['title', { prefix: '' }, 'prefix: May not be empty.'],
    ['title', { suffix: 'a\u0000' }, 'U+0000'],
    ['title', { find: '\ud800', replace: '' }, 'surrogate'],
    ['title', { prefix: 'a'.repeat(256) }, 'at most 255 characters'],
    ['title', { from_source: true }, '"find" and "replace"'],
    ['thumbnail_url', { from_source: false }, 'must be true'],
    ['speakers', { split: true, add: ['a'] }, 'stand alone'],
    ['tags', { split: true }, 'use "add" and "remove"'],
    ['thumbnail_url', { from_source: true, prefix: 'a' }, 'stand alone'],
    ['duration', { multiply: 2, divide: 2 }, 'either "multiply" or "divide"'],
    ['duration', { find: '1', replace: '2' }, 'either "multiply" or "divide"'],
    ['duration', { multiply: 0 }, 'above 0'],
    ['duration', { divide: -1 }, 'above 0'],
    ['duration', { divide: 2, if_plausible: false }, 'Must be true'],
    ['duration', { if_plausible: true }, 'either "multiply" or "divide"'],
    ['duration', { divide: '60' }, 'above 0'],
    ['duration', { multiply: 1_000_001 }, 'at most 1,000,000'],
    ['tags', { find: 'a', replace: 'b' }, 'use "add" and "remove"'],
    ['recorded', { prefix: '2' }, 'not an object'],
    ['state', { prefix: '1' }, 'Must be 1'],
    ['video_mp4_length', { multiply: 2 }, 'not an object'],
  ]

  test.each(wrongEdits)('refuses to edit %s by %p', (name, value, message) => {
    const { [`patch.${name}`]: problems = [] } = errorsOf({ select: ids, patch: { [name]: value } })
    expect(problems.join(' ')).toContain(message)
  })

  test('takes reason, expect, as_of and partial', () => {
    const body = { select: ids, patch, reason: ' why ', expect: 2, as_of: 0, partial: true }
    expect(requestOf(body)).toMatchObject({ reason: 'why', expect: 2, asOf: 0, isPartial: true })
    expect(requestOf({ select: ids, patch, reason: '  ' }).reason).toBeNull()
  })

  test('by an author has both ends of days, or times with or without Z', () => {
    const toSelect = (select: JsonObject) => requestOf({ select, restore: true, expect: 1 }).select
    const whole = { is: 'by', author: 'ann', since: '2024-01-02T00:00:00.000' }
    expect(toSelect(by)).toMatchObject({ ...whole, until: '2024-01-03T23:59:59.999' })
    const times = { ...by, since: '2024-01-02T03:04:05.678Z', until: '2024-01-02T03:04:05.678' }
    const time = '2024-01-02T03:04:05.678'
    expect(toSelect(times)).toMatchObject({ since: time, until: time })
    const seconds = { ...by, since: '2024-01-02T03:04:05', until: '2024-01-02T03:04:05Z' }
    expect(toSelect(seconds)).toMatchObject({ since: '2024-01-02T03:04:05.000', until: '2024-01-02T03:04:05.999' })
    expect(toSelect({ by: 'ann', since: '2024-01-02' })).toMatchObject({ ...whole, until: null })
  })

  test('by a query has the filters of the list, drafts included', () => {
    const { select } = requestOf({ select: { query: 'category=x&tag=a&tag=b' }, patch, expect: 0 })
    expect(select).toMatchObject({ is: 'query', filters: { visibility: 'all', category: 'x', tags: ['a', 'b'] } })
  })

  test('needs expect with a query and with an author, except in a dry run', () => {
    const needed = [expect.stringContaining('dry_run=1')]
    expect(errorsOf({ select: { query: 'tag=x' }, patch })).toEqual({ expect: needed })
    expect(errorsOf({ select: by, restore: true })).toEqual({ expect: needed })
    expect(requestOf({ select: { query: 'tag=x' }, patch }, true).expect).toBeNull()
  })
})

const required = 'This field is required.'
const moment = [expect.stringContaining('YYYY-MM-DD')]

/** A body, and the members that it is wrong in. */
const wrong: readonly [string, JsonObject, { readonly [name: string]: unknown }][] = [
  ['nothing', {}, { select: [required], patch: [expect.any(String)] }],
  [
    'an unknown member',
    { select: ids, patch, colour: 1, __proto__x: 2 },
    { colour: ['Unknown field.'], __proto__x: ['Unknown field.'] },
  ],
  ['a selection that is no object', { select: [1], patch }, { select: [expect.any(String)] }],
  ['an empty selection', { select: {}, patch }, { select: [expect.any(String)] }],
  ['two selections', { select: { ...ids, query: 'tag=x' }, patch }, { select: [expect.any(String)] }],
  [
    'an unknown member of the selection',
    { select: { ...ids, since: '2024-01-01' }, patch },
    { 'select.since': ['Unknown field.'] },
  ],
  [
    'ids that are none',
    { select: { ids: ['1', 0, 1.5, 3] }, patch },
    { 'select.ids': Array(3).fill(expect.stringContaining('Entry')) },
  ],
  ['ids that are no list', { select: { ids: 1 }, patch }, { 'select.ids': [expect.any(String)] }],
  [
    'too many ids',
    { select: { ids: Array.from({ length: maxSelected + 1 }, (_, i) => i + 1) }, patch },
    { 'select.ids': ['Must have at most 10,000 ids.'] },
  ],
  ['a query that is no text', { select: { query: 1 }, patch }, { 'select.query': [expect.any(String)] }],
  [
    'times that are none',
    { select: { by: 'ann', since: 'monday', until: '2024-02-30' }, restore: true, expect: 1 },
    { 'select.since': moment, 'select.until': moment },
  ],
  ['no beginning', { select: { by: 'ann' }, restore: true, expect: 1 }, { 'select.since': moment }],
  [
    'an end before the beginning',
    { select: { ...by, until: '2024-01-01' }, restore: true, expect: 1 },
    { 'select.until': [expect.any(String)] },
  ],
  ['a blank author', { select: { ...by, by: ' ' }, restore: true, expect: 1 }, { 'select.by': [expect.any(String)] }],
  ['both works', { select: by, patch, restore: true, expect: 1 }, { restore: [expect.any(String)] }],
  ['a restore of ids', { select: ids, restore: true }, { restore: [expect.any(String)] }],
  ['a restore that is not true', { select: by, restore: false, expect: 1 }, { restore: [expect.any(String)] }],
  ['a patch that is no object', { select: ids, patch: [] }, { patch: [expect.any(String)] }],
  [
    'fields that are wrong',
    { select: ids, patch: { duration: -1, colour: 1, language: 'Xyz' } },
    {
      'patch.duration': [expect.any(String)],
      'patch.colour': ['Unknown field.'],
      'patch.language': [expect.any(String)],
    },
  ],
  ['null where it may not be', { select: ids, patch: { tags: null } }, { 'patch.tags': ['May not be null.'] }],
  ['an id in the patch', { select: ids, patch: { id: 1 } }, { 'patch.id': [expect.any(String)] }],
  [
    'an operation on a text',
    { select: ids, patch: { title: { add: ['x'] } } },
    { 'patch.title': [expect.stringContaining('"find" and "replace"')] },
  ],
  ['an empty operation', { select: ids, patch: { tags: {} } }, { 'patch.tags': [expect.any(String)] }],
  [
    'an unknown operation',
    { select: ids, patch: { tags: { set: ['x'] } } },
    { 'patch.tags': [expect.any(String), expect.any(String)] },
  ],
  [
    'a blank entry',
    { select: ids, patch: { tags: { add: ['x', ' '] } } },
    { 'patch.tags': ['add: Entry 2: May not be blank.'] },
  ],
  [
    'a long entry',
    { select: ids, patch: { tags: { remove: ['x'.repeat(101)] } } },
    { 'patch.tags': [expect.stringContaining('remove: Entry 1')] },
  ],
  [
    'too many entries',
    { select: ids, patch: { tags: { add: Array(201).fill('x') } } },
    { 'patch.tags': ['add: Must have at most 200 entries.'] },
  ],
  [
    'an entry to add and to remove',
    { select: ids, patch: { tags: { add: ['x'], remove: [' x'] } } },
    { 'patch.tags': ['Both adds and removes "x".'] },
  ],
  [
    'entries that are no list',
    { select: ids, patch: { tags: { add: 'x', remove: null } } },
    { 'patch.tags': [expect.stringContaining('add'), expect.stringContaining('remove')] },
  ],
  [
    'counts that are none',
    { select: ids, patch, expect: '2', as_of: -1 },
    { expect: [expect.any(String)], as_of: [expect.any(String)] },
  ],
  [
    'a flag that is none',
    { select: ids, patch, partial: 1, reason: 2 },
    { partial: [expect.any(String)], reason: [expect.any(String)] },
  ],
  ['a long reason', { select: ids, patch, reason: 'x'.repeat(501) }, { reason: [expect.any(String)] }],
  [
    'several at once',
    { select: { ids: [0] }, patch: { colour: 1 }, expect: 1.5 },
    { 'select.ids': [expect.any(String)], 'patch.colour': ['Unknown field.'], expect: [expect.any(String)] },
  ],
]

describe('A bulk change is refused for', () => {
  for (const [name, body, errors] of wrong) test(name, () => expect<unknown>(errorsOf(body)).toEqual(errors))
})

/** Queries, and what must be named in their error. */
const wrongQueries: readonly [string, string][] = [
  ['', 'at least one filter'],
  ...[
    'page=1',
    'page_size=5',
    'cursor=x',
    'ordering=id',
    'fields=id',
    'facets=tag',
    'highlight=1',
    'match=best',
    'format=json',
    'colour=red',
    'Tag=x',
    '=x',
    '__proto__=x',
  ].map((query): [string, string] => [`tag=x&${query}`, `${JSON.stringify(query.split('=')[0])} is not a filter`]),
  ...['category=', 'tag', 'q=%20', 'speaker=x&speaker=', 'id='].map((query): [string, string] => [query, 'is empty']),
  ['category=a&category=b', 'only once'],
  ['recorded_after=x', 'recorded_after must be'],
  ['state=3', 'state must be'],
]

describe('A query of a selection is refused:', () => {
  for (const [query, text] of wrongQueries) {
    test(query, () => {
      const errors = errorsOf({ select: { query }, patch, expect: 1 })
      expect(errors).toEqual({ 'select.query': [expect.stringContaining(text)] })
    })
  }

  test('with every problem at once', () => {
    const { 'select.query': problems } = errorsOf({ select: { query: 'page=1&state=3&tag=' }, patch, expect: 1 })
    expect(problems).toHaveLength(3)
  })
})
