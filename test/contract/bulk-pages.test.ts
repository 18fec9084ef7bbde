import { describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { createBulk } from './bulk-change.ts'
import { listHidden, openBulkPages, readCounts, requireBatch, toTicked } from './bulk-pages.ts'
import type { FieldList } from './curator.ts'
import { type Fields, parseFields, useService } from './service.ts'
import { batchPath, undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '2'] })
const { createMany, readAll, countBatches } = createBulk(service)

const readBatch = async (id: number): Promise<Fields> =>
  parseFields(await service.call({ method: 'GET', path: `${batchPath}/${id}`, as: 'admin' }))

const toPart = (field: string, operation: string, text: string, replacement = ''): FieldList => [
  ['part.field', field],
  ['part.do', operation],
  ['part.text', text],
  ['part.with', replacement],
]

/** The talks of the differences that a preview shows. */
const listRows = (body: string) =>
  [...body.matchAll(/<th scope="row"><a href="\/edit\/video\/(\d+)/g)].map(([, id]) => Number(id))

describe('A bulk change by a form', () => {
  test('of ticked drafts: publish, preview, apply, undo', async () => {
    const ids = await createMany(30, { state: 2, title: 'To publish' })
    const { post, press } = await openBulkPages(service, 'publisher')
    const preview = await post([...toTicked(ids), ['do', 'publish']])
    expect([preview.status, readCounts(preview)]).toEqual([200, { willChange: 30, alreadySo: 0, refused: 0 }])
    expect(preview.body).toContain('To publish')
    expect((await readAll(ids)).every(({ state }) => state === 2)).toBe(true)
    const batch = requireBatch(await press(preview, 'apply', [['reason', 'Ready']]))
    expect((await readAll(ids)).every(({ state }) => state === 1)).toBe(true)
    expect(await readBatch(batch)).toMatchObject({
      by: 'the publisher',
      reason: 'Ready',
      kind: 'bulk',
      state: 'done',
      total: 30,
      changed: 30,
    })
    await undo(service, batch)
    expect((await readAll(ids)).every(({ state }) => state === 2)).toBe(true)
  })

  test('of a whole list does several things at once', async () => {
    const ids = await createMany(3, { category: 'Whole list', tags: ['old', 'kept'], summary: 'S', duration: 5 })
    const { preview, press } = await openBulkPages(service, 'publisher')
    const filled: FieldList = [
      ['field.language', 'de'],
      ['field.tags.add', 'new\r\nkept'],
      ['field.tags.remove', 'old'],
      ['field.speakers', 'Ada Quill\r\n\r\n Zoë Marsh '],
      ['field.summary.clear', 'yes'],
      ['field.duration.clear', 'yes'],
      ['field.description', 'one\r\ntwo'],
      ['field.video_mp4_download_only', 'yes'],
      ['field.title', ''],
      ['field.whiteboard', '  '],
    ]
    const list = 'category=Whole+list&ordering=-title&page=2&q='
    const page = await preview([['list', list]], filled)
    expect(readCounts(page)).toEqual({ willChange: 3, alreadySo: 0, refused: 0 })
    const batch = requireBatch(await press(page, 'apply'))
    expect(await readBatch(batch)).toMatchObject({ total: 3, changed: 3, reason: null })
    for (const record of await readAll(ids)) {
      expect(record).toMatchObject({
        title: 'A talk',
        language: 'German',
        tags: ['kept', 'new'],
        speakers: ['Ada Quill', 'Zoë Marsh'],
        summary: '',
        duration: null,
        description: 'one\ntwo',
        video_mp4_download_only: true,
        whiteboard: '',
      })
    }
  })

  test('says what it will do before it splits entries', async () => {
    const ids = await createMany(1, { state: 2, speakers: ['Ann Lee, Bo Ray'] })
    const { preview } = await openBulkPages(service, 'publisher')
    const { body } = await preview(toTicked(ids), [['fix.speakers', 'yes']])
    expect(body).toContain('<strong>Speakers</strong>: split an entry that names several people into one for each')
  })

  test('shows long texts of the first talk, and names the fields of the others', async () => {
    const [first, ...others] = await createMany(10, { state: 2 })
    for (const id of [first, ...others]) {
      await service.patch(id, { description: `Of ${id}: ${`${id} `.repeat(30_000)}`.slice(0, 99_999) })
    }
    const { preview } = await openBulkPages(service, 'publisher')
    const page = await preview(toTicked([first, ...others]), [['field.description', `All: ${'x '.repeat(40_000)}.`]])
    expect([page.status, readCounts(page).willChange]).toEqual([200, 10])
    expect(page.body.split('Description: too long to show here.').length).toBe(10)
    expect(page.body.length).toBeLessThan(1_000_000)
  })

  test('edits texts, lengths and addresses, page by page', async () => {
    const ids = await createMany(110, { category: 'Edited', title: 'Tides | Conf', duration: 90_000 })
    const { preview, press, post } = await openBulkPages(service, 'publisher')
    const part: FieldList = [...toPart('title', 'end', ' | Conf', ' – Conf'), ['fix.length', 'divide']]
    const first = await preview([['list', 'category=edited']], part)
    expect(readCounts(first).willChange).toBe(110)
    expect(first.body).toContain('1–50 of 110')
    expect(first.body).toContain(
      'replace <bdi class="exact">“ | Conf”</bdi> at the end with <bdi class="exact">“ – Conf”</bdi>',
    )
    const turn = async (page: RawAnswer, label: string) => {
      const [, trail = ''] = new RegExp(`name="page" value="([^"]*)"[^>]*>${label}<`).exec(page.body) ?? []
      return post([...listHidden(page), ['page', trail]])
    }
    const second = await turn(first, 'Next')
    const third = await turn(second, 'Next')
    expect([second, third].map(({ body }) => /[0-9]+–[0-9]+ of 110/.exec(body)?.[0])).toEqual([
      '51–100 of 110',
      '101–110 of 110',
    ])
    expect(third.body).not.toContain('>Next<')
    const shown = [first, second, third].flatMap(({ body }) => listRows(body))
    expect(shown).toEqual(ids)
    expect((await turn(third, 'Previous')).body).toContain('51–100 of 110')
    const batch = requireBatch(await press(third, 'apply'))
    expect(await readBatch(batch)).toMatchObject({ total: 110, changed: 110 })
    expect((await readAll(ids)).every(({ title, duration }) => title === 'Tides – Conf' && duration === 90)).toBe(true)
  })

  test('refuses talks on a later page that others have changed since the first', async () => {
    const ids = await createMany(60, { category: 'Turned', title: 'Tides' })
    const { preview, press, post } = await openBulkPages(service, 'publisher')
    const first = await preview([['list', 'category=turned']], toPart('title', 'suffix', '!'))
    await service.patch(ids[0], { title: 'Mine' })
    const second = await post([...listHidden(first), ['page', `0,${ids[49]}`]])
    expect(readCounts(second)).toEqual({ willChange: 59, alreadySo: 0, refused: 1 })
    requireBatch(await press(second, 'apply-others'))
    expect((await readAll([ids[0] ?? 0, ids[1] ?? 0])).map(({ title }) => title)).toEqual(['Mine', 'Tides!'])
    await createMany(1, { category: 'Turned' })
    const other = await post([...listHidden(first), ['page', `0,${ids[49]}`]])
    expect([other.status, other.body.includes('The selection has changed since the preview')]).toEqual([409, true])
  })

  test('says what is missing in an edit', async () => {
    const ids = await createMany(1)
    const { preview } = await openBulkPages(service, 'publisher')
    const cases: readonly (readonly [FieldList, string])[] = [
      [toPart('', 'replace', 'x'), 'choose the field'],
      [toPart('title', 'replace', ''), 'enter the text'],
      [toPart('state', 'replace', 'x'), 'choose the field'],
      [toPart('title', 'prefix', 'x', 'y'), 'leave “Replace with” empty'],
      [[...toPart('title', 'prefix', 'x'), ['field.title', 'y']], 'Either change a part of it'],
      [[...toPart('source_url', 'prefix', 'x'), ['fix.https', 'all']], 'choose one change only'],
      [toPart('title', 'prefix', 'x'.repeat(300)), 'at most 255 characters'],
    ]
    for (const [filled, message] of cases) {
      const page = await preview(toTicked(ids), filled)
      expect([message, page.status, page.body.includes(message)]).toEqual([message, 400, true])
    }
    expect((await preview(toTicked(ids), [['part.do', 'end']])).body).toContain('Nothing to do')
  })

  test('leaves the form as it was when a person goes back', async () => {
    const ids = await createMany(2)
    const { preview, press } = await openBulkPages(service, 'publisher')
    const filled: FieldList = [
      ['field.category', 'Größe & "Maß" <b>'],
      ['field.tags.add', 'a\r\nb'],
      ['field.language.clear', 'yes'],
    ]
    const page = await preview(toTicked(ids), filled)
    const form = await press(page, 'form', [['reason', 'why & how']])
    expect(form.status).toBe(200)
    expect(listHidden(form).find(([name]) => name === 'id')?.[1]).toBe(ids.join(','))
    for (const part of ['value="Größe &amp; &quot;Maß&quot; &lt;b>"', '>a\nb</textarea>', 'value="why &amp; how"']) {
      expect(form.body).toContain(part)
    }
    expect(form.body).toMatch(/<input[^>]*name="field.language.clear"[^>]* checked/)
  })

  test('is applied once, however often its form is sent', async () => {
    const ids = await createMany(3)
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview(toTicked(ids), [['field.whiteboard', 'twice?']])
    const before = Number(await countBatches())
    const answers = await Promise.all([1, 2, 3].map(() => press(page, 'apply')))
    expect(new Set(answers.map(requireBatch)).size).toBe(1)
    expect(Number(await countBatches())).toBe(before + 1)
    const other = await press(page, 'apply', [['reason', 'another']])
    expect([other.status, other.body.includes('You already sent this form')]).toEqual([400, true])
    expect(readCounts(other)).toEqual({ willChange: 0, alreadySo: 3, refused: 0 })
    expect(Number(await countBatches())).toBe(before + 1)
  })

  test('has a form with the chosen talks, also by URL', async () => {
    const ids = await createMany(7, { title: 'Chosen <b>talk</b>', language: 'German' })
    const { get, post } = await openBulkPages(service, 'editor')
    for (const page of [
      await get(
        toTicked(ids)
          .map((pair) => pair.join('='))
          .join('&'),
      ),
      await get(`id=${ids.join(',')}`),
      await post(toTicked([...ids, ...ids])),
    ]) {
      expect([page.status, page.body.includes('7 talks selected.')]).toEqual([200, true])
      expect(page.body.match(/<a href="[^"]*" dir="auto" lang="de">Chosen &lt;b>talk&lt;\/b><\/a>/g)?.length).toBe(7)
      expect(page.body).toContain('2 more')
      expect(listHidden(page).find(([name]) => name === 'id')?.[1]).toBe(ids.join(','))
    }
    const published = await get(`id=${ids[0]}&do=publish`)
    expect(published.body).not.toContain('name="field.state"')
    const { get: getAsPublisher } = await openBulkPages(service, 'publisher')
    expect((await getAsPublisher(`id=${ids[0]}&do=publish`)).body).toMatch(/<option[^>]*value="1"[^>]* selected/)
  })
})

describe('What is applied is what was shown:', () => {
  test('a record that others have changed brings the preview again', async () => {
    const [one = 0, two = 0] = await createMany(2, { summary: 'old' })
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview(toTicked([one, two]), [['field.summary', 'mine']])
    await service.patch(two, { summary: 'theirs' })
    const again = await press(page, 'apply')
    expect([again.status, again.body.includes('have been changed since the preview')]).toEqual([409, true])
    expect((await readAll([one, two])).map(({ summary }) => summary)).toEqual(['old', 'theirs'])
    expect(again.body).toContain('theirs')
    requireBatch(await press(again, 'apply'))
    expect((await readAll([one, two])).map(({ summary }) => summary)).toEqual(['mine', 'mine'])
  })

  test('a list that has more or fewer talks brings the preview again', async () => {
    await createMany(2, { category: 'Growing list' })
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview([['list', 'category=growing-list']], [['field.language', 'French']])
    const [third = 0] = await createMany(1, { category: 'Growing list' })
    const again = await press(page, 'apply')
    expect([again.status, again.body.includes('it has 3 talks now, not 2')]).toEqual([409, true])
    expect((await readAll([third])).map(({ language }) => language)).toEqual([''])
    expect(readCounts(again).willChange).toBe(3)
    requireBatch(await press(again, 'apply'))
    expect((await readAll([third])).map(({ language }) => language)).toEqual(['French'])
  })

  test('a list with the same number of other talks brings the preview again', async () => {
    const [one = 0, two = 0] = await createMany(2, { category: 'Moving list', whiteboard: 'look' })
    const [third = 0] = await createMany(1, { category: 'Moving list' })
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview([['list', 'category=moving-list&whiteboard=1']], [['field.language', 'French']])
    await service.patch(two, { whiteboard: '' })
    await service.patch(third, { whiteboard: 'look' })
    const again = await press(page, 'apply')
    expect([again.status, again.body.includes('no longer matches the preview')]).toEqual([409, true])
    expect((await readAll([one, two, third])).map(({ language }) => language)).toEqual(['', '', ''])
    requireBatch(await press(again, 'apply'))
    expect((await readAll([one, two, third])).map(({ language }) => language)).toEqual(['French', '', 'French'])
  })

  test('without a preview nothing is applied', async () => {
    const ids = await createMany(2)
    const { post, preview } = await openBulkPages(service, 'publisher')
    const filled: FieldList = [...toTicked(ids), ['field.summary', 'unseen']]
    const { as_of = '', hash = '', key = '' } = Object.fromEntries(listHidden(await preview([], filled)))
    const right = { expect: '2', as_of, hash, key }
    for (const wrong of [
      ...Object.keys(right).map((name) => ({ [name]: '' })),
      ...[{ expect: '-2' }, { expect: '3' }, { as_of: 'x' }, { as_of: '999999999' }, { hash: 'x' }, { key: 'é' }],
    ]) {
      const answer = await post([...filled, ...Object.entries({ ...right, ...wrong }), ['do', 'apply']])
      expect([wrong, [400, 409].includes(answer.status), readCounts(answer).willChange]).toEqual([wrong, true, 2])
    }
    expect((await readAll(ids)).map(({ summary }) => summary)).toEqual(['', ''])
  })

  test('values that all talks already have change nothing', async () => {
    const ids = await createMany(2, { summary: 'same' })
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview(toTicked(ids), [['field.summary', 'same']])
    expect(readCounts(page)).toEqual({ willChange: 0, alreadySo: 2, refused: 0 })
    expect(page.body).toContain('Nothing would change.')
    expect(page.body).not.toContain('value="apply"')
    const before = await countBatches()
    const other = await preview(toTicked(ids), [['field.summary', 'other']])
    for (const id of ids) await service.patch(id, { quality_notes: 'x' })
    requireBatch(await press(other, 'apply'))
    expect(Number(await countBatches())).toBe(Number(before) + 1)
  })
})
