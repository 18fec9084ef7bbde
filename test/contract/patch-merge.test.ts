import { describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { formats } from './every-record.ts'
import { parseFields, tagOf, toPath, useService } from './service.ts'
import { type Row, refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const mustNotBeNull = [
  'category',
  'title',
  'language',
  'speakers',
  'tags',
  'state',
  'summary',
  'description',
  'quality_notes',
  'copyright_text',
  'embed',
  'whiteboard',
  ...formats.map((format) => `video_${format}_download_only`),
]

const nullable: readonly (readonly [string, unknown])[] = [
  ['duration', 60],
  ['recorded', '2012-03-09'],
  ...formats.map((format) => [`video_${format}_length`, 5] as const),
  ...formats.map((format) => [`video_${format}_url`, 'https://example.org/'] as const),
]

const nulls: readonly Row[] = [
  ...mustNotBeNull.map((field) => refuses(field, null)),
  ...nullable.map(([field, value]) => ({ ...takes(field, null), fresh: { [field]: value } })),
  ...['thumbnail_url', 'source_url'].map((field) => ({
    ...takes(field, null, ''),
    fresh: { [field]: 'https://example.org/' },
  })),
]

const patch = { method: 'PATCH', path: toPath('{id}'), as: 'admin' as const }

const types: readonly Row[] = [
  'application/json',
  'application/merge-patch+json',
  'Application/Merge-Patch+JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/merge-patch+json; charset="utf-8"',
].map((type) => ({
  ...patch,
  name: `A merge patch may come as ${type}`,
  json: { summary: 'merged' },
  headers: { 'Content-Type': type },
  status: 200,
  check: (json) => expect(json.summary).toBe('merged'),
}))

const shapes: readonly Row[] = ['[]', '[{"summary":"x"}]', 'null', '"x"', '5', 'true'].map((body) => ({
  ...patch,
  name: `A merge patch that is ${body} is refused`,
  body,
  status: 400,
}))

describe('Null in a merge patch', () => runTable(nulls, service))

describe('The type of a merge patch', () => runTable(types, service))

describe('The shape of a merge patch', () => runTable(shapes, service))

describe('A merge patch', () => {
  test('changes the fields it names and no others', async () => {
    const record = await service.create({ summary: 's', speakers: ['Ada', 'Bob'], duration: 60, state: 1 })
    const changes = { title: 'New', speakers: ['Cleo'], duration: null }
    const call = { method: 'PATCH', path: toPath(record.id), as: 'admin' as const, json: changes }
    const answer = await service.call(call)
    checkEveryAnswer(call, answer)
    const { updated, ...rest } = parseFields(answer)
    const { updated: before, ...old } = record
    expect(rest).toEqual({ ...old, ...changes })
    expect(String(updated) > String(before)).toBe(true)
  })

  test('answers with the record’s new tag', async () => {
    const { id } = await service.create()
    const old = await service.read(id)
    const answer = await service.patch(id, { summary: 'x' }, { Accept: 'application/json' })
    const now = await service.read(id)
    expect([answer.status, answer.body, tagOf(answer)]).toEqual([200, now.body, tagOf(now)])
    expect(tagOf(answer)).not.toBe(tagOf(old))
  })

  test('replaces a list as a whole', async () => {
    const { id } = await service.create({ tags: ['a', 'b', 'c'] })
    expect(parseFields(await service.patch(id, { tags: ['d'] })).tags).toEqual(['d'])
  })
})

describe('A merge patch, right or wrong,', () => {
  test('writes nothing when one of its fields is wrong', async () => {
    const { id } = await service.create()
    const before = await service.read(id)
    const answer = await service.patch(id, { title: 'New', summary: 'New', duration: -1 })
    expect(answer.status).toBe(400)
    expect((await service.read(id)).body).toBe(before.body)
  })

  test('loses no other that is written at the same time', async () => {
    const { id } = await service.create()
    const names = ['title', 'category', 'summary', 'description', 'quality_notes', 'copyright_text', 'whiteboard']
    const changes = names.map((name) => ({ [name]: `set ${name}` }))
    await Promise.all(changes.map((change) => service.patch(id, change)))
    expect(parseFields(await service.read(id))).toMatchObject(Object.assign({}, ...changes))
  })

  test('dates each change later than the one before', async () => {
    const { id, updated } = await service.create()
    const times = [String(updated)]
    for (const summary of ['a', 'b', 'c', 'd', 'e'])
      times.push(String(parseFields(await service.patch(id, { summary })).updated))
    expect(times).toEqual([...new Set(times)].sort())
  })
})
