import { describe, expect, test } from 'bun:test'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, fail, isFields, parseFields, requiredFields, tagOf, toPath, useService } from './service.ts'
import { restore } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor'] })

const patchType = { 'Content-Type': 'application/json-patch+json' }
const past = 'Mon, 01 Jan 2001 00:00:00 GMT'
const base = { title: 'Base', summary: 'base', tags: ['base'], duration: 1 }
const theirs = { title: 'Theirs', summary: 'theirs' }

type Known = {
  readonly id: unknown
  /** Tags of the first version, the second and the current, third one. */
  readonly tags: readonly [string, string, string]
  readonly record: Fields
}

/** A record that others have changed twice: a tag of it that goes with the second version, then title and summary. */
async function createChanged(): Promise<Known> {
  const { id } = await service.create(base)
  const first = tagOf(await service.read(id))
  await service.patch(id, { whiteboard: 'second' })
  const second = tagOf(await service.read(id))
  await service.patch(id, theirs)
  const now = await service.read(id)
  return { id, tags: [first, second, tagOf(now)], record: parseFields(now) }
}

type Wish = { readonly method?: string; readonly json?: unknown; readonly body?: string; readonly headers?: HeaderList }

/** The answer to a write that comes too late, and has changed nothing. */
async function writeLate({ id, tags }: Known, wish: Wish): Promise<RawAnswer> {
  const headers = { 'If-Match': tags[1], Accept: 'application/json', ...wish.headers }
  const call = { method: 'PATCH', path: toPath(id), as: 'admin' as const, ...wish, headers }
  const answer = await service.call(call)
  if (answer.status !== 412) fail(`${answer.status}: ${answer.body}`)
  checkEveryAnswer(call, answer)
  expect(tagOf(await service.read(id))).toBe(tags[2])
  return answer
}

const fieldsOf = (answer: RawAnswer): Fields => {
  const { fields } = parseFields(answer)
  return isFields(fields) ? fields : fail(`No fields in ${answer.body}`)
}

const title = { base: 'Base', theirs: 'Theirs', yours: 'Yours' }
const summary = { base: 'base', theirs: 'theirs', yours: 'base' }

const cases: readonly { name: string; wish: Wish; fields: Fields; conflicts: readonly string[] }[] = [
  {
    name: 'PATCH of a field that others changed',
    wish: { json: { title: 'Yours' } },
    fields: { title, summary },
    conflicts: ['title'],
  },
  {
    name: 'PATCH of another field',
    wish: { json: { duration: 2 } },
    fields: { title: { ...title, yours: 'Base' }, summary, duration: { base: 1, theirs: 1, yours: 2 } },
    conflicts: [],
  },
  {
    name: 'PATCH with what others made of it',
    wish: { json: { title: 'Theirs' } },
    fields: { title: { ...title, yours: 'Theirs' }, summary },
    conflicts: [],
  },
  {
    name: 'PATCH that changes nothing',
    wish: { json: {} },
    fields: { title: { ...title, yours: 'Base' }, summary },
    conflicts: [],
  },
  {
    name: 'PUT, which is about all fields',
    wish: { method: 'PUT', json: { ...requiredFields, title: 'Yours', summary: 'theirs' } },
    fields: {
      title,
      summary: { ...summary, yours: 'theirs' },
      tags: { base: ['base'], theirs: ['base'], yours: [] },
      duration: { base: 1, theirs: 1, yours: null },
      whiteboard: { base: 'second', theirs: 'second', yours: '' },
    },
    conflicts: ['title'],
  },
  {
    name: 'JSON Patch, applied to what it was made for',
    wish: {
      headers: patchType,
      json: [
        { op: 'test', path: '/title', value: 'Base' },
        { op: 'replace', path: '/title', value: 'Yours' },
        { op: 'add', path: '/tags/-', value: 'yours' },
      ],
    },
    fields: { title, summary, tags: { base: ['base'], theirs: ['base'], yours: ['base', 'yours'] } },
    conflicts: ['title'],
  },
  {
    name: 'JSON Patch that cannot be applied',
    wish: { headers: patchType, json: [{ op: 'remove', path: '/tags/7' }] },
    fields: { title: { base: 'Base', theirs: 'Theirs' }, summary: { base: 'base', theirs: 'theirs' } },
    conflicts: [],
  },
  ...[
    { name: 'broken JSON', body: '{' },
    { name: 'wrong fields', body: '{"title":""}' },
    { name: 'a list', body: '[]' },
  ].map(({ name, body }) => ({
    name: `PATCH with ${name}`,
    wish: { body },
    fields: { title: { base: 'Base', theirs: 'Theirs' }, summary: { base: 'base', theirs: 'theirs' } },
    conflicts: [],
  })),
]

describe('A stale change is explained field by field', () => {
  for (const { name, wish, fields, conflicts } of cases) {
    test(name, async () => {
      const known = await createChanged()
      const answer = await writeLate(known, wish)
      const problem = parseFields(answer)
      const { updated } = known.record
      expect(problem).toMatchObject({ current: { version: 3, etag: known.tags[2], updated }, conflicts })
      expect(fieldsOf(answer)).toEqual(fields)
      expect(problem.errors).toBeUndefined()
    })
  }

  test('with the tag of the representation that was asked for', async () => {
    const known = await createChanged()
    const answer = await writeLate(known, { json: {}, headers: { Accept: 'text/html' } })
    const html = tagOf(await service.read(known.id, 'text/html'))
    expect(parseFields(answer).current).toMatchObject({ etag: html })
    expect(headerOf(answer, 'ETag')).toBeNull()
  })
})

describe('The base of a change that came too late', () => {
  const yours = { title: 'Yours' }
  const unknown = { title: { theirs: 'Theirs', yours: 'Yours' } }
  const cases: readonly { name: string; headers: (known: Known) => HeaderList }[] = [
    { name: 'a tag that we never gave', headers: () => ({ 'If-Match': '"other"' }) },
    { name: 'a tag with another checksum', headers: () => ({ 'If-Match': '"2-00000000.json"' }) },
    { name: 'a tag with a version to come', headers: () => ({ 'If-Match': '"99-00000000.json"' }) },
    { name: 'a weak tag', headers: ({ tags }) => ({ 'If-Match': `W/${tags[1]}` }) },
    { name: 'a tag without quotes', headers: ({ tags }) => ({ 'If-Match': tags[1].slice(1, -1) }) },
  ]
  for (const { name, headers } of cases) {
    test(`is not known by ${name}`, async () => {
      const known = await createChanged()
      const answer = await writeLate(known, { json: yours, headers: headers(known) })
      expect([fieldsOf(answer), parseFields(answer).conflicts]).toEqual([unknown, ['title']])
    })
  }

  for (const [name, value] of [
    ['If-Unmodified-Since', past],
    ['If-None-Match', '*'],
  ] as const) {
    test(`is not known by ${name}`, async () => {
      const { id, tags } = await createChanged()
      const call = { method: 'PATCH', path: toPath(id), as: 'admin' as const, json: yours, headers: { [name]: value } }
      const answer = await service.call(call)
      checkEveryAnswer(call, answer)
      expect([answer.status, fieldsOf(answer)]).toEqual([412, unknown])
      expect(tagOf(await service.read(id))).toBe(tags[2])
    })
  }

  test('is the newest known version in a list of ETags', async () => {
    const known = await createChanged()
    const [first, second] = known.tags
    const list = `"other", ${first}, ${second}, W/${known.tags[2]}`
    const answer = await writeLate(known, { json: yours, headers: { 'If-Match': list } })
    expect(fieldsOf(answer)).toEqual({ title, summary })
  })

  test('is the first version if its ETag is sent', async () => {
    const known = await createChanged()
    const answer = await writeLate(known, { json: yours, headers: { 'If-Match': known.tags[0] } })
    const whiteboard = { base: '', theirs: 'second', yours: '' }
    expect(fieldsOf(answer)).toEqual({ title, summary, whiteboard })
  })

  test('is known by the ETag of either representation', async () => {
    const known = await createChanged()
    const html = known.tags[1].replace('.json', '.html')
    expect(fieldsOf(await writeLate(known, { json: yours, headers: { 'If-Match': html } }))).toEqual({ title, summary })
  })

  test('is not a version of another record', async () => {
    const [known, other] = [await createChanged(), await createChanged()]
    const answer = await writeLate(known, { json: yours, headers: { 'If-Match': other.tags[1] } })
    expect(fieldsOf(answer)).toEqual(unknown)
  })

  test('that is the current record leaves only the requested change', async () => {
    const known = await createChanged()
    const headers = { 'If-Match': known.tags[2], 'If-None-Match': '*' }
    const answer = await writeLate(known, { json: yours, headers })
    expect(fieldsOf(answer)).toEqual({ title: { base: 'Theirs', theirs: 'Theirs', yours: 'Yours' } })
    expect(parseFields(answer).conflicts).toEqual([])
  })
})

describe('A restoring that came too late', () => {
  test('is also described field by field', async () => {
    const { id, tags, record } = await createChanged()
    const answer = await restore(service, id, 1, { headers: { 'If-Match': tags[1] } })
    expect(answer.status).toBe(412)
    const whiteboard = { base: 'second', theirs: 'second', yours: '' }
    const { current, conflicts } = parseFields(answer)
    expect([current, conflicts]).toEqual([{ version: 3, etag: tags[2], updated: record.updated }, []])
    expect(fieldsOf(answer)).toEqual({ title: { ...title, yours: 'Base' }, summary, whiteboard })
    expect(tagOf(await service.read(id))).toBe(tags[2])
  })
})

describe('What others wrote', () => {
  test('is hidden from an editor once the record is live', async () => {
    const { id, tags } = await createChanged()
    const call = { method: 'PATCH', path: toPath(id), json: {}, headers: { 'If-Match': tags[0] } }
    const answer = await service.call({ ...call, as: 'editor' })
    expect([answer.status, parseFields(answer).fields]).toEqual([403, undefined])
    expect((await service.call(call)).status).toBe(401)
  })

  test('is sent as bytes that are inert in a browser', async () => {
    const { id } = await service.create()
    await service.patch(id, { summary: '<script>é & more' })
    const answer = await service.patch(id, { summary: 'x' }, { 'If-Match': '"other"' })
    expect([answer.status, parseFields(answer).fields]).toMatchObject([
      412,
      { summary: { theirs: '<script>é & more' } },
    ])
    expect(answer.body).not.toMatch(/[^\x20-\x7f]|[<>&]/)
  })
})
