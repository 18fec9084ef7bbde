import { describe, expect, test } from 'bun:test'
import { createBulk } from './bulk-change.ts'
import { listAllow } from './every-answer.ts'
import { parseFields, type Role, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { batchPath, getBatches, undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { change, post, createMany, readAll, countBatches } = createBulk(service)

const select = { ids: [1] }
const patch = { summary: 'S' }
const toRow = (name: string, json: unknown, errors: readonly string[]): Row => {
  return { name, method: 'POST', path: batchPath, as: 'publisher', json, status: 400, errors }
}

/** Parameters of a query that are about something else than which records. */
const noFilters = [
  'page=1',
  'page_size=9',
  'cursor=x',
  'ordering=id',
  'fields=id',
  'facets=tag',
  'highlight=1',
  'match=best',
  'format=json',
  'colour=red',
]

describe('A bulk change is refused for', () => {
  runTable(
    [
      toRow('an empty body', {}, ['select', 'patch']),
      toRow('unknown members', { select, patch, colour: 1 }, ['colour']),
      toRow('no selection', { patch }, ['select']),
      toRow('two selections', { select: { ids: [1], query: 'tag=x' }, patch }, ['select']),
      toRow('ids that are none', { select: { ids: ['1', 0] }, patch }, ['select.ids']),
      toRow('too many ids', { select: { ids: Array.from({ length: 10_001 }, (_, i) => i + 1) }, patch }, [
        'select.ids',
      ]),
      toRow('an author without a time', { select: { by: 'ann' }, patch, expect: 1 }, ['select.since']),
      toRow('a time that is none', { select: { by: 'ann', since: '2024-02-30' }, patch, expect: 1 }, ['select.since']),
      toRow('a query without expect', { select: { query: 'tag=x' }, patch }, ['expect']),
      toRow('an author without expect', { select: { by: 'ann', since: '2024-01-01' }, patch }, ['expect']),
      toRow('a restore of ids', { select, restore: true }, ['restore']),
      toRow('a patch and a restore', { select: { by: 'ann', since: '2024-01-01' }, patch, restore: true, expect: 0 }, [
        'restore',
      ]),
      toRow('unknown and wrong fields', { select, patch: { colour: 1, duration: -1 } }, [
        'patch.colour',
        'patch.duration',
      ]),
      toRow('null where it may not be', { select, patch: { tags: null } }, ['patch.tags']),
      toRow('a blank entry', { select, patch: { tags: { add: [' '] } } }, ['patch.tags']),
      toRow('an unknown list operation', { select, patch: { tags: { set: ['x'] } } }, ['patch.tags']),
      toRow('a list operation on a text', { select, patch: { title: { add: ['x'] } } }, ['patch.title']),
      {
        ...toRow('companions as in a PUT', { select, patch: { related: [], transcripts: [] } }, [
          'patch.related',
          'patch.transcripts',
        ]),
        contains: [/\\"add\\"/, /\\"find\\"/],
      },
      toRow('wrong options', { select, patch, expect: -1, as_of: 'x', partial: 1, reason: 5 }, [
        'as_of',
        'expect',
        'partial',
        'reason',
      ]),
      toRow('an as_of that nobody gave', { select, patch, as_of: 1_000_000 }, ['as_of']),
      ...noFilters.map((parameter) => ({
        ...toRow(`${parameter} in a query`, { select: { query: `tag=x&${parameter}` }, patch, expect: 1 }, [
          'select.query',
        ]),
        contains: [`\\\\"${parameter.split('=')[0]}\\\\" is not a filter`].map((text) => new RegExp(text)),
      })),
      toRow('an empty filter', { select: { query: 'category=&tag=x' }, patch, expect: 1 }, ['select.query']),
      toRow('no filter', { select: { query: '' }, patch, expect: 1 }, ['select.query']),
      toRow('a bad filter', { select: { query: 'recorded_after=x' }, patch, expect: 1 }, ['select.query']),
      { ...toRow('a wrong dry_run', { select, patch }, ['dry_run']), path: `${batchPath}?dry_run=yes` },
      {
        name: 'another media type',
        method: 'POST',
        path: batchPath,
        as: 'publisher',
        body: '{}',
        headers: { 'Content-Type': 'text/plain' },
        status: 415,
      },
      { name: 'a body that is no JSON', method: 'POST', path: batchPath, as: 'publisher', body: '{', status: 400 },
      { name: 'a body that is no object', method: 'POST', path: batchPath, as: 'publisher', body: '[]', status: 400 },
      {
        name: 'another method',
        method: 'PUT',
        path: batchPath,
        as: 'publisher',
        json: {},
        status: 405,
        has: { Allow: listAllow },
      },
    ],
    service,
  )
})

describe('A bulk change that a record refuses', () => {
  test('changes nothing, and the response names every refusal', async () => {
    const full = { tags: Array.from({ length: 200 }, (_, i) => `t${i}`) }
    const [one = 0] = await createMany(1)
    const [two = 0] = await createMany(1, full)
    const before = [await readAll([one, two]), await countBatches()]
    const body = { select: { ids: [777_777, two, one] }, patch: { tags: { add: ['x'] }, category: 'Never made' } }
    const refused = [
      { id: two, problem: 'bad_fields' },
      { id: 777_777, problem: 'not_found' },
    ]
    const answer = await post(body)
    expect([answer.status, parseFields(answer).refused]).toEqual([409, refused])
    expect([await readAll([one, two]), await countBatches()]).toEqual(before)
    const category = { method: 'GET', path: '/api/v2/category/never-made', as: 'admin' as const }
    expect((await service.call(category)).status).toBe(404)
    const batch = await change({ ...body, partial: true })
    expect(batch).toMatchObject({ total: 3, done: 3, changed: 1, unchanged: 2, refused, refused_count: 2 })
    expect((await service.call(category)).status).toBe(200)
  })

  test('is refused if the number of records differs, and the response has that number', async () => {
    const ids = await createMany(2, { category: 'Two of them' })
    const body = { select: { query: 'category=two-of-them' }, patch, expect: 3 }
    const answer = await post(body)
    expect([answer.status, parseFields(answer).count]).toEqual([409, 2])
    expect(parseFields(answer).detail).toContain('2 records, not 3')
    expect((await post({ select: { ids }, patch, expect: 1 })).status).toBe(409)
    expect((await readAll(ids)).map(({ summary }) => summary)).toEqual(['', ''])
    expect(await change({ ...body, expect: 2 })).toMatchObject({ changed: 2 })
  })
})

describe('Who may make a bulk change', () => {
  /** Of a live record, of drafts, and one that publishes drafts. */
  const roles: readonly (readonly [Role, live: number, drafts: number, publishing: number])[] = [
    ['none', 401, 401, 401],
    ['wrong', 401, 401, 401],
    ['reader', 403, 403, 403],
    ['editor', 403, 201, 403],
    ['publisher', 201, 201, 201],
    ['admin', 201, 201, 201],
  ]
  for (const [as, live, drafts, publishing] of roles) {
    test(`${as}: ${live} with a live record, ${drafts} of drafts, ${publishing} to publish them`, async () => {
      const ids = await createMany(2, { state: 2 })
      const [public_ = 0] = await createMany(1)
      const ask = async (json: unknown) => (await post(json, { as })).status
      const statuses = [await ask({ select: { ids: [...ids, public_] }, patch })]
      statuses.push(await ask({ select: { ids }, patch: { summary: 'Another' } }))
      statuses.push(await ask({ select: { ids }, patch: { state: 1 } }))
      expect(statuses).toEqual([live, drafts, publishing])
    })
  }

  test('an editor sees which records need a publisher, and may change and undo the others', async () => {
    const [draft = 0] = await createMany(1, { state: 2 })
    const [live = 0] = await createMany(1)
    const body = { select: { ids: [draft, live] }, patch }
    const refused = [{ id: live, problem: 'publisher_required' }]
    const answer = await post(body, { as: 'editor' })
    expect([answer.status, parseFields(answer).refused]).toEqual([403, refused])
    const batch = await change({ ...body, partial: true }, { as: 'editor' })
    expect(batch).toMatchObject({ by: 'the editor', changed: 1, refused })
    const listed = await service.call({ method: 'GET', path: batchPath, as: 'editor' })
    expect(parseFields(listed)).toMatchObject({ results: [{ id: batch.id }, {}] })
    expect((await undo(service, batch.id, { as: 'publisher' })).status).toBe(403)
    expect((await undo(service, batch.id, { as: 'editor' })).status).toBe(200)
    expect((await getBatches(service)).results[0]).toMatchObject({ undoes: batch.id, by: 'the editor' })
  })
})
