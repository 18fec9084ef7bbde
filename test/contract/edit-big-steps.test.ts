import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { createBulk } from './bulk-change.ts'
import { openBulkPages, requireBatch, toTicked } from './bulk-pages.ts'
import { useNames } from './curated-names.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { fail, parseFields, useService } from './service.ts'

// Runner: slow, long PostgreSQL

const service = useService({ roles: ['publisher'], args: ['--threads', '1'] })
const { change, countBatches, createMany } = createBulk(service)
const { findName, ask } = useNames(service)

/** One more than change without a question. */
const count = 201
const event = 'Harbour Days'
const [speaker, tag] = ['Ada Byron', 'harbours']
let ids: readonly number[] = []
let curator: Curator

beforeAll(async () => {
  const fields = { category: event, speakers: [speaker], tags: [tag], language: '' }
  ids = await createMany(count, fields)
  await service.create({ title: 'Another', speakers: ['Ada Lovelace'], tags: ['Harbours'], category: 'Port Days' })
  curator = createCurator(service)
  await curator.signIn(service.keyOf('publisher'))
}, 120_000)

const toText = (answer: RawAnswer) => parsePage(answer.body).one('main').text
const question = /This changes 201 talks\. Type 201 to confirm\./

/** The hidden fields of the form of a page that has this one. */
function hiddenOf({ body }: RawAnswer, field: string): FieldList {
  const form = listForms(body).find(({ fields }) => fields.some(([name]) => name === field)) ?? fail(`no ${field}`)
  return form.fields.filter(([name]) => name !== 'csrf')
}

/** Sends a form without the number, with a wrong one and with the right one: only the last changes anything. */
async function expectAsked(path: string, form: FieldList): Promise<RawAnswer> {
  const before = await countBatches()
  for (const typed of [[], [['talk_count', '200']]] as const) {
    const asked = await curator.post(path, [...form, ...typed])
    expect(asked.status).toBe(200)
    expect(toText(asked)).toMatch(question)
    expect(toText(asked).includes('This is not the number of talks.')).toBe(typed.length > 0)
  }
  expect(await countBatches()).toBe(before)
  const done = await curator.post(path, [...form, ['talk_count', ' 201 ']])
  expect([done.status, await countBatches()]).toEqual([303, Number(before) + 1])
  return done
}

/** Undoes the newest batch by the API, which asks nothing. */
async function undoLast(): Promise<void> {
  const { results } = parseFields(await ask('GET', 'batches?page_size=1'))
  const [{ id }] = results as [{ id: number }]
  expect((await ask('POST', `batches/${id}/undo`)).status).toBe(200)
}

const locationOf = (answer: RawAnswer) => headerOf(answer, 'Location') ?? fail('no Location')

describe('A step that changes more than 200 talks asks for their number', () => {
  test('before an undo, and the page of the question repeats the form', async () => {
    const { id } = await change({ select: { ids }, patch: { language: 'Danish' } })
    const page = await curator.get(`/edit/batches/${id}`)
    const form: FieldList = [...hiddenOf(page, 'key'), ['do', 'undo']]
    const asked = await curator.post(`/edit/batches/${id}`, form)
    expect(toText(asked)).toContain(`Undo bulk change ${id}?`)
    expect([...hiddenOf(asked, 'key'), ['do', 'undo']]).toEqual([...form])
    const done = await expectAsked(`/edit/batches/${id}`, form)
    expect(toText(await curator.get(locationOf(done)))).toContain('Undone: 201 talks restored.')
  })

  test('before a bulk change, and 200 talks change without it', async () => {
    const bulk = await openBulkPages(service, 'publisher')
    const filled: FieldList = [['field.language', 'Danish']]
    const preview = await bulk.preview(toTicked(ids), filled)
    expect(toText(preview)).toMatch(question)
    const asked = await bulk.press(preview, 'apply')
    expect([asked.status, toText(asked).match(question)?.length]).toEqual([200, 1])
    const wrong = await bulk.press(asked, 'apply', [['talk_count', '20']])
    expect(toText(wrong)).toContain('This is not the number of talks.')
    const batch = requireBatch(await bulk.press(wrong, 'apply', [['talk_count', '201']]))
    // One talk already has the value, so 200 change.
    await undoLast()
    await service.patch(ids[0], { language: 'Danish' })
    const small = await bulk.preview(toTicked(ids), filled)
    expect(toText(small)).not.toMatch(/to confirm/)
    expect(requireBatch(await bulk.press(small, 'apply'))).toBeGreaterThan(batch)
  })

  test('before a rename and a merge of a name', async () => {
    const { id } = await findName('speaker', speaker)
    const path = `/edit/names/speaker/${id}`
    const renaming = await curator.post(path, [
      ...hiddenOf(await curator.get(path), 'tag'),
      ['name', 'Ada King'],
      ['do', 'rename'],
    ])
    expect(toText(renaming)).toMatch(question)
    await expectAsked(path, [...hiddenOf(renaming, 'key'), ['do', 'rename now']])
    await undoLast()
    const merging = await curator.post(path, [
      ...hiddenOf(await curator.get(path), 'tag'),
      ['into', 'Ada Lovelace'],
      ['do', 'merge'],
    ])
    const form: FieldList = [...hiddenOf(merging, 'into_name'), ['do', 'merge now']]
    const done = await expectAsked(path, form)
    // A double click.
    const again = await curator.post(path, [...form, ['talk_count', '201']])
    expect(locationOf(again)).toBe(locationOf(done))
    await undoLast()
  })

  test('before a merge of possible duplicates, and its undo', async () => {
    const path = '/edit/variants/tag'
    const group = hiddenOf(await curator.get(path), 'key')
    const [from, into] = [await findName('tag', tag), await findName('tag', 'Harbours')]
    const merge: FieldList = [...group, ['keep.1', String(into.id)], ['merge.1', String(from.id)], ['do', 'merge 1']]
    const done = await curator.get(locationOf(await expectAsked(path, merge)))
    await expectAsked(path, [...hiddenOf(done, 'batch'), ['do', 'undo']])
  })

  test('before an event is renamed or merged', async () => {
    const path = '/edit/names/category/harbour-days'
    const save: FieldList = [
      ...hiddenOf(await curator.get(path), 'etag'),
      ['field.title', 'Harbour Days 2026'],
      ['do', 'save'],
    ]
    const first = await curator.post(path, save)
    expect(toText(first)).toMatch(question)
    const confirmed: FieldList = [...save, ['confirm', 'Harbour Days 2026']]
    const again = await curator.post(path, confirmed)
    expect([again.status, toText(again).match(question)?.length]).toEqual([200, 1])
    expect((await curator.post(path, [...confirmed, ['talk_count', '201']])).status).toBe(303)
    const merging = await curator.post(path, [
      ...hiddenOf(await curator.get(path), 'tag'),
      ['into', 'Port Days'],
      ['do', 'merge'],
    ])
    await expectAsked(path, [...hiddenOf(merging, 'into_name'), ['do', 'merge now']])
  })
})
