import { describe, expect, test } from 'bun:test'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkRecord } from './every-record.ts'
import { getTitles } from './list-page.ts'
import { type Fields, fail, parseFields, type Role, tagOf, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { actionAllow, getHistory, getNewest, restore, toChangedNames, toHistoryPath } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const past = 'Mon, 01 Jan 2001 00:00:00 GMT'

type Known = { readonly id: unknown; readonly first: Fields; readonly firstTag: string; readonly now: RawAnswer }

/** A record with two versions. */
async function createKnown(before: Fields = {}, after: Fields = { title: 'Second' }): Promise<Known> {
  const first = await service.create({ title: 'First', ...before })
  const firstTag = tagOf(await service.read(first.id))
  const answer = await service.patch(first.id, after)
  if (answer.status !== 200) fail(`PATCH answered ${answer.status}: ${answer.body}`)
  return { id: first.id, first, firstTag, now: await service.read(first.id) }
}

async function expectKept({ id, now }: Known): Promise<void> {
  const after = await service.read(id)
  expect([after.body, tagOf(after), (await getHistory(service, id)).count]).toEqual([now.body, tagOf(now), 2])
}

describe('Restoring a version', () => {
  test('makes the record what it was, as a new version', async () => {
    const own = '<a href="https://files.example.org/talk">Look</a>'
    const before = {
      embed: own,
      source_url: 'https://vimeo.com/1',
      video_mp4_url: null,
      video_ogv_url: '',
      tags: ['a'],
    }
    const after = { embed: '', source_url: '', video_mp4_url: '', video_ogv_url: null, tags: [], duration: 5 }
    const { id, first, now } = await createKnown(before, { ...after, title: 'Second' })
    const answer = await restore(service, id, 1, { as: 'publisher' })
    expect(answer.status).toBe(200)
    const record = parseFields(answer)
    checkRecord(record, answer.body)
    expect(record).toEqual({ ...first, updated: record.updated })
    expect(String(record.updated) > String(parseFields(now).updated)).toBe(true)
    const read = await service.read(id)
    expect([read.body, tagOf(read)]).toEqual([answer.body, tagOf(answer)])
    const line = await getNewest(service, id)
    expect(line).toMatchObject({
      version: 3,
      by: 'the publisher',
      kind: 'updated',
      batch: null,
      at: `${record.updated}Z`,
    })
    expect(toChangedNames(line)).toEqual([...Object.keys(after), 'title'].sort())
  })

  test('answers with JSON, the tag, and where the record is', async () => {
    const { id } = await createKnown()
    const answer = await restore(service, id, 1, { headers: { Accept: 'text/html' } })
    const wanted = {
      'Content-Type': 'application/json',
      'Content-Location': `${service.server().url}${toPath(id)}`,
      'Cache-Control': 'private, no-store',
      Allow: actionAllow,
      Vary: 'Accept, Authorization',
      ETag: tagOf(await service.read(id)),
    }
    const got = Object.keys(wanted).map((name) => [name, headerOf(answer, name)])
    expect(Object.fromEntries(got)).toEqual(wanted)
  })

  test('that is the current one changes nothing', async () => {
    const known = await createKnown()
    const answer = await restore(service, known.id, 2)
    expect([answer.status, answer.body, tagOf(answer)]).toEqual([200, known.now.body, tagOf(known.now)])
    await expectKept(known)
  })

  test('that the record is like already changes nothing', async () => {
    const { id } = await createKnown()
    const back = await service.patch(id, { title: 'First' }, { Accept: 'application/json' })
    const answer = await restore(service, id, 1)
    expect([answer.status, answer.body, tagOf(answer)]).toEqual([200, back.body, tagOf(back)])
    expect((await getHistory(service, id)).count).toBe(3)
  })

  test('can be taken back by restoring the one before', async () => {
    const { id, now } = await createKnown()
    await restore(service, id, 1)
    expect(parseFields(await restore(service, id, 2)).title).toBe(parseFields(now).title)
    expect((await getHistory(service, id)).count).toBe(4)
  })

  test('is seen by lists and search, and brings back a category that has gone', async () => {
    const { id } = await createKnown(
      { title: 'Quince', category: 'Left behind' },
      { title: 'Medlar', category: 'Other' },
    )
    expect(await getTitles(service, 'q=quince')).toEqual([])
    await restore(service, id, 1)
    expect(await getTitles(service, 'q=quince')).toEqual(['Quince'])
    expect(await getTitles(service, 'category=left-behind')).toEqual(['Quince'])
    expect(await getTitles(service, 'q=medlar')).toEqual([])
  })
})

describe('Restoring across publication', () => {
  const cases = [
    { name: 'a draft of a draft', from: 2, now: 2, kind: 'updated', editor: 200 },
    { name: 'a live version of a live record', from: 1, now: 1, kind: 'updated', editor: 403 },
    { name: 'a live version of a draft', from: 1, now: 2, kind: 'created', editor: 403 },
    { name: 'a draft of a live record', from: 2, now: 1, kind: 'withdrawn', editor: 403 },
  ]
  const statuses = (editor: number): readonly (readonly [Role, number])[] => [
    ['none', 401],
    ['wrong', 401],
    ['reader', 403],
    ['editor', editor],
    ['publisher', 200],
    ['admin', 200],
  ]
  for (const { name, from, now, kind, editor } of cases) {
    for (const [as, status] of statuses(editor)) {
      test(`${name} by ${as} gets ${status}`, async () => {
        const known = await createKnown({ state: from }, { state: now, title: 'Second' })
        const answer = await restore(service, known.id, 1, { as })
        expect(answer.status).toBe(status)
        if (status !== 200) return expectKept(known)
        const by = as === 'admin' ? expect.any(String) : `the ${as}`
        expect(await getNewest(service, known.id)).toMatchObject({ version: 3, kind, by })
        const seen = await service.call({ method: 'GET', path: toPath(known.id) })
        expect(seen.status).toBe(from === 1 ? 200 : 404)
      })
    }
  }
})

describe('A condition on restoring', () => {
  type Tags = { readonly json: string; readonly html: string; readonly old: string }
  const cases: readonly { name: string; headers: (tags: Tags) => HeaderList; status: number }[] = [
    { name: 'the current tag', headers: ({ json }) => ({ 'If-Match': json }), status: 200 },
    { name: 'the other representation’s tag', headers: ({ html }) => ({ 'If-Match': html }), status: 200 },
    { name: 'any tag', headers: () => ({ 'If-Match': '*' }), status: 200 },
    { name: 'an old tag', headers: ({ old }) => ({ 'If-Match': old }), status: 412 },
    { name: 'a weak tag', headers: ({ json }) => ({ 'If-Match': `W/${json}` }), status: 412 },
    { name: 'If-None-Match: *', headers: () => ({ 'If-None-Match': '*' }), status: 412 },
    { name: 'an early time', headers: () => ({ 'If-Unmodified-Since': past }), status: 412 },
  ]
  for (const { name, headers, status } of cases) {
    test(`with ${name} gets ${status}`, async () => {
      const known = await createKnown()
      const html = tagOf(await service.read(known.id, 'text/html'))
      const tags = { html, json: tagOf(known.now), old: known.firstTag }
      const answer = await restore(service, known.id, 1, { headers: headers(tags) })
      expect(answer.status).toBe(status)
      if (status === 412) await expectKept(known)
    })
  }

  test('lets only one of two through who know the same version', async () => {
    const { id, now } = await createKnown()
    const headers = { 'If-Match': tagOf(now) }
    const answers = await Promise.all([1, 2, 3].map(() => restore(service, id, 1, { headers })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })
})

describe('A dry run of restoring', () => {
  test('answers with what would be, and stores nothing', async () => {
    const known = await createKnown()
    const answer = await restore(service, known.id, 1, { query: 'dry_run=1', as: 'publisher' })
    expect([answer.status, parseFields(answer).title]).toEqual([200, 'First'])
    expect([headerOf(answer, 'ETag'), headerOf(answer, 'Content-Location')]).toEqual([null, null])
    expect(headerOf(answer, 'Content-Type')).toBe('application/json')
    await expectKept(known)
  })

  test('is refused as without it', async () => {
    const known = await createKnown({ state: 1 })
    const query = 'dry_run=1'
    expect((await restore(service, known.id, 1, { query, as: 'editor' })).status).toBe(403)
    expect((await restore(service, known.id, 9, { query })).status).toBe(404)
    expect((await restore(service, known.id, 1, { query, headers: { 'If-Match': '"x"' } })).status).toBe(412)
    expect((await restore(service, known.id, 1, { query: 'dry_run=2' })).status).toBe(400)
    await expectKept(known)
  })
})

const path = `${toHistoryPath('{id}')}/1/restore`
const noId = ['0', '01', 'x', '7%2F3', '1234567', '9007199254740991', '99999999999999999999']

const refusals: readonly Row[] = [
  ...noId.flatMap((id) => [`${toHistoryPath(id)}/1/restore`, `${toHistoryPath('{id}')}/${id}/restore`]),
  `${toHistoryPath('{id}')}/2/restore`,
  `${path}/1`,
].map((each) => ({ name: `POST ${each} is not found`, method: 'POST', path: each, as: 'admin', status: 404 }))

const others: readonly Row[] = [
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => {
    return {
      name: `${method} is not allowed`,
      method,
      path,
      as: 'admin' as const,
      status: 405,
      has: { Allow: actionAllow },
    }
  }),
  { name: 'OPTIONS needs no token', method: 'OPTIONS', path, status: 200, has: { Allow: actionAllow } },
  { name: 'A slash at the end makes no difference', method: 'POST', path: `${path}/`, as: 'admin', status: 200 },
  { name: 'Images are refused', method: 'POST', path, as: 'admin', headers: { Accept: 'image/png' }, status: 406 },
]

describe('What cannot be restored', () => runTable(refusals, service))

describe('The address for restoring', () => runTable(others, service))
