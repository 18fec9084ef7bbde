import { describe, expect, test } from 'bun:test'
import { createHostileMarkup } from '../browser/hostile-markup.ts'
import { until } from '../harness/until.ts'
import { createBulk } from './bulk-change.ts'
import { bulkPath, listHidden, openBulkPages, readCounts, requireBatch, toTicked } from './bulk-pages.ts'
import { createCurator, type FieldList } from './curator.ts'
import { parseFields, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '2'] })
const { createMany, readAll, countBatches } = createBulk(service)

describe('A selection cannot be used', () => {
  const cases: readonly (readonly [string, FieldList, number, string])[] = [
    ['that is empty', [], 200, 'No talks selected'],
    [
      'of empty ids',
      [
        ['id', ''],
        ['id', ' , '],
      ],
      200,
      'No talks selected',
    ],
    [
      'of ids that are none',
      [
        ['id', '1'],
        ['id', 'x<b>'],
      ],
      400,
      '&quot;x&lt;b>&quot; is not an id.',
    ],
    ['with an id of 0', [['id', '0']], 400, 'is not an id'],
    ['with an id that no number holds', [['id', '9'.repeat(16)]], 400, 'is not an id'],
    ['of a list with an unknown filter', [['list', 'tag=x&colour=red']], 400, 'is not a filter'],
    ['of a list with a bad value', [['list', 'recorded_after=x']], 400, 'recorded_after'],
    ['of a list of everything', [['list', 'ordering=title&page=3']], 400, 'at least one filter'],
  ]
  test.each(cases)('%s', async (_, fields, status, text) => {
    const { get, post, preview } = await openBulkPages(service, 'publisher')
    const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    for (const answer of [
      await get(query),
      await post(fields),
      await preview(fields, [['field.summary', 'x']]),
      await post([...fields, ['do', 'publish']]),
    ]) {
      expect([answer.status, answer.body.includes(text)]).toEqual([status, true])
    }
  })

  test('of more than 10,000 talks', async () => {
    const { post, preview } = await openBulkPages(service, 'publisher')
    const ids = Array.from({ length: 10_001 }, (_, i) => i + 1)
    const form = await post(toTicked(ids))
    expect([form.status, form.body.includes('At most 10,000 talks can be changed')]).toEqual([200, true])
    const answer = await preview(toTicked(ids), [['field.summary', 'x']])
    expect([answer.status, answer.body.includes('at most 10,000 ids')]).toEqual([400, true])
    expect(listHidden(answer).find(([name]) => name === 'id')?.[1]).toBe(ids.join(','))
  })
})

describe('A form is shown again', () => {
  const cases: readonly (readonly [string, FieldList, readonly string[]])[] = [
    ['if nothing is filled in', [], ['Nothing to do']],
    ['if only spaces are', [['field.title', ' \r\n ']], ['Nothing to do']],
    [
      'if a field is both set and cleared',
      [
        ['field.language', 'en'],
        ['field.language.clear', 'yes'],
      ],
      ['not both'],
    ],
    [
      'if a list is both replaced and added to',
      [
        ['field.tags', 'x'],
        ['field.tags.add', 'y'],
      ],
      ['Either add and remove'],
    ],
    [
      'if a list is both cleared and removed from',
      [
        ['field.tags.clear', 'yes'],
        ['field.tags.remove', 'y'],
      ],
      ['Either'],
    ],
    [
      'if a name is both added and removed',
      [
        ['field.tags.add', 'x'],
        ['field.tags.remove', 'x'],
      ],
      ['Both adds and removes'],
    ],
    [
      'with every error at once',
      [
        ['field.language', 'Klingonish'],
        ['field.recorded', '2024-02-30'],
        ['field.duration', 'long'],
        ['field.source_url', 'x'],
      ],
      ['#field-language', '#field-recorded', '#field-duration', '#field-source_url', 'such as 39:07'],
    ],
    ['with a state that there is not', [['field.state', '3']], ['#field-state']],
    ['with markup that is not allowed', [['field.embed', '<script>alert(1)</script>']], ['#field-embed']],
    [
      'with a reason that is too long',
      [
        ['field.title', 'x'],
        ['reason', 'x'.repeat(501)],
      ],
      ['reason'],
    ],
    ['with a tag that is too long', [['field.tags.add', 'x'.repeat(101)]], ['#field-tags']],
  ]
  test.each(cases)('%s', async (_, filled, found) => {
    const { preview } = await openBulkPages(service, 'publisher')
    const ids = await createMany(1)
    const answer = await preview(toTicked(ids), filled)
    expect(answer.status).toBe(400)
    for (const text of found) expect(answer.body).toContain(text)
    for (const [, value] of filled) expect(answer.body).toContain(value.trim().replaceAll('<', '&lt;'))
    expect(answer.body).toContain('value="preview"')
  })
})

describe('A preview names every talk that refuses', () => {
  test('with its reason, and the others can be changed without them', async () => {
    const full = { title: 'Full of tags', tags: Array.from({ length: 200 }, (_, i) => `t${i}`) }
    const [one = 0] = await createMany(1)
    const [two = 0] = await createMany(1, full)
    const { preview, press } = await openBulkPages(service, 'publisher')
    const page = await preview(toTicked([one, two, 777_777]), [['field.tags.add', 'x']])
    expect([page.status, readCounts(page)]).toEqual([200, { willChange: 1, alreadySo: 0, refused: 2 }])
    expect(page.body).toContain('The result would not be valid')
    expect(page.body).toContain(`href="/edit/video/${two}" dir="auto">Full of tags</a>`)
    expect(page.body).toMatch(/This talk does not exist\.<\/h3>.*<span>777777<\/span>/s)
    expect(page.body).not.toContain('value="apply"')
    const batch = requireBatch(await press(page, 'apply-others'))
    const read = await service.call({ method: 'GET', path: `${batchPath}/${batch}`, as: 'admin' })
    expect(parseFields(read)).toMatchObject({ total: 3, changed: 1, refused_count: 2 })
    expect((await readAll([one])).map(({ tags }) => tags)).toEqual([['x']])
  })

  test('by the role of the curator: editors can change only drafts', async () => {
    const drafts = await createMany(2, { state: 2 })
    const [live = 0] = await createMany(1, { title: 'On air' })
    const { preview, press, post } = await openBulkPages(service, 'editor')
    const page = await preview(toTicked([...drafts, live]), [['field.summary', 'by an editor']])
    expect(readCounts(page)).toEqual({ willChange: 2, alreadySo: 0, refused: 1 })
    expect(page.body).toContain('Only publishers may change a live talk')
    const whole = await post([...listHidden(page).filter(([name]) => name !== 'csrf'), ['do', 'apply']])
    expect([whole.status, readCounts(whole).refused]).toEqual([403, 1])
    expect((await readAll([...drafts, live])).map(({ summary }) => summary)).toEqual(['', '', ''])
    requireBatch(await press(page, 'apply-others'))
    expect((await readAll([...drafts, live])).map(({ summary }) => summary)).toEqual([
      'by an editor',
      'by an editor',
      '',
    ])
    const publish = await post([...toTicked(drafts), ['do', 'publish']])
    expect(readCounts(publish)).toEqual({ willChange: 0, alreadySo: 0, refused: 2 })
    expect(publish.body).toContain('Only publishers may change a live talk or publish one.')
    expect(publish.body).toContain('None of these talks can be changed this way.')
  })

  test('readers get no form', async () => {
    const { get, post } = await openBulkPages(service, 'reader')
    const [id = 0] = await createMany(1)
    const before = await countBatches()
    const answers = [await get(`id=${id}`), await post([...toTicked([id]), ['do', 'withdraw']])]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect([await countBatches(), await readAll([id])]).toMatchObject([before, [{ state: 1 }]])
  })
})

test('A form whose session has ended is sent again with all its talks', async () => {
  const ids = await createMany(3)
  const typed: FieldList = [
    ['id', ids.join(',')],
    ['field.summary', 'kept'],
    ['do', 'preview'],
  ]
  const curator = createCurator(service)
  const late = await curator.post(bulkPath, typed, { token: 'of-the-past' })
  expect([late.status, late.body.includes(ids.join(','))]).toEqual([401, true])
})

test('Ten thousand ticked talks are previewed and changed', async () => {
  const [one = 0] = await createMany(1, { state: 2 })
  const ids = [one, ...Array.from({ length: 9_999 }, (_, i) => 5_000_001 + i)]
  const { post, press } = await openBulkPages(service, 'publisher')
  const page = await post([...toTicked(ids), ['do', 'publish']])
  expect(readCounts(page)).toEqual({ willChange: 1, alreadySo: 0, refused: 9_999 })
  expect(page.body).toContain('href="/edit/video/5009999"')
  expect(page.body.length).toBeLessThan(1_500_000)
  const answers = await Promise.all([1, 2].map(() => press(page, 'apply-others')))
  const [batch = 0, other] = answers.map(requireBatch)
  expect(other).toBe(batch)
  // A batch that takes long goes on after the answer.
  await until('the batch is done', async () => {
    const read = await service.call({ method: 'GET', path: `${batchPath}/${batch}`, as: 'admin' })
    return parseFields(read).state === 'done'
  })
  expect((await readAll([one])).map(({ state }) => state)).toEqual([1])
}, 180_000)

test('Hostile texts are shown as text: in fields, titles, reasons, lists and parameters', async () => {
  const markup = createHostileMarkup('https://collector.example.org')
  const [id = 0] = await createMany(1, { title: '</title><script>pwned()</script>', state: 2 })
  const { preview, press, get } = await openBulkPages(service, 'publisher')
  const hostile = markup.join('\n')
  const filled: FieldList = [
    ['field.summary', hostile],
    ['field.category', '"><script>pwned()</script>'],
    ['field.tags.add', markup.filter((text) => text.length <= 90).join('\r\n')],
    ['reason', '"><script>pwned()</script>'],
  ]
  const page = await preview(
    [
      ['id', String(id)],
      ['list', 'q="><script>pwned()</script>'],
    ],
    filled,
  )
  const pages = [
    page,
    await press(page, 'form', [['reason', '"><script>pwned()</script>']]),
    await get(`list=${encodeURIComponent('q=x&"><script>pwned()</script>=y')}`),
    await get(`id=${encodeURIComponent('"><script>pwned()</script>')}`),
    await preview([['id', String(id)]], [['field.language', '"><script>pwned()</script>']]),
  ]
  for (const { body } of pages) {
    expect(body.includes('pwned()')).toBe(true)
    expect(body.match(/<script(?! type="module" src="\/assets\/)/g)).toBeNull()
    expect(body).not.toMatch(/<(?:iframe|object|embed|base|svg|img [^>]*onerror)/)
  }
  requireBatch(await press(page, 'apply'))
  const [record] = await readAll([id])
  expect(record?.summary).toBe(hostile.replace(/\r\n?/g, '\n'))
})
