import { beforeAll, describe, expect, test } from 'bun:test'
import { createToken } from '../harness/server.ts'
import { getPage, getTitles } from './list-page.ts'
import { type Fields, listPath, type Role, requiredFields, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const address = 'https://files.example.org/1'

/** Nothing is missing. */
const whole = {
  ...{ category: 'Work', language: 'English', recorded: '2020-01-01', duration: 600, speakers: ['Ada'], tags: ['x'] },
  ...{ summary: 'Short.', description: 'Long.', thumbnail_url: `${address}.png`, source_url: `${address}/whole` },
  ...{ copyright_text: 'CC BY', video_mp4_url: `${address}.mp4`, embed: `<a href="${address}">Look</a>` },
}

/** What a record lacks if a field has this value. */
const lacking: { readonly [what: string]: Fields } = {
  language: { language: '' },
  recorded: { recorded: null },
  duration: { duration: null },
  speakers: { speakers: [] },
  tags: { tags: [] },
  summary: { summary: '' },
  description: { description: ' ' },
  thumbnail: { thumbnail_url: '' },
  source: { source_url: '' },
  licence: { copyright_text: '' },
  media: { video_mp4_url: '' },
  embed: { embed: '', video_mp4_download_only: true },
}
const kinds = Object.keys(lacking)

const made = new Map<string, Fields>()
const idOf = (title: string) => made.get(title)?.id

beforeAll(async () => {
  const own = (title: string) => ({ ...whole, source_url: `${address}/${title}`, title })
  const wanted: Fields[] = [
    own('whole'),
    ...kinds.map((what) => ({ ...own(what), ...lacking[what] })),
    { ...own('two'), language: '', tags: [] },
    { ...own('draft'), language: '', state: 2, whiteboard: 'Ask her' },
    { ...own('noted'), whiteboard: 'Look again' },
    { ...own('shouted'), title: 'LOOK AT THIS TALK' },
    { ...own('http'), source_url: 'http://www.youtube.com/watch?v=dQw4w9WgXcQ' },
    { ...own('short'), source_url: 'https://youtu.be/9bZkp7q19f0' },
  ]
  for (const fields of wanted) {
    const record = await service.create(fields)
    made.set(String(fields.title), record)
    await Bun.sleep(2)
  }
}, 180_000)

const find = async (query: string, as: Role = 'none') => (await getTitles(service, `${query}&page_size=100`, as)).sort()

describe('missing', () => {
  for (const what of kinds) {
    test(`=${what} finds records without it`, async () => {
      const others = what === 'language' || what === 'tags' ? ['two'] : []
      expect(await find(`missing=${what}`)).toEqual([what, ...others].sort())
      expect(await find(`finding=missing_${what}`)).toEqual([what, ...others].sort())
    })
  }
  test('takes several, of which a record must lack each', async () => {
    expect(await find('missing=language,tags')).toEqual(['two'])
    expect(await find('missing=language,%20tags,tags&finding=missing_language')).toEqual(['two'])
    expect(await find('missing=language,duration')).toEqual([])
    expect(await find('missing=tags&finding=missing_language')).toEqual(['two'])
  })
  test('finds drafts for token holders', async () => {
    expect(await find('missing=language', 'reader')).toEqual(['draft', 'language', 'two'])
    expect(await find('missing=language&state=2', 'reader')).toEqual(['draft'])
  })
  test('without a value is no filter', async () => {
    const all = await find('')
    expect(await find('missing=&finding=&whiteboard=&host=&added_after=&updated_before=')).toEqual(all)
  })
})

describe('whiteboard', () => {
  test('=1 finds records with a note, =0 those without', async () => {
    expect(await find('whiteboard=1')).toEqual(['noted'])
    expect(await find('whiteboard=1', 'reader')).toEqual(['draft', 'noted'])
    const [all, without] = [await find(''), await find('whiteboard=0')]
    expect(without).toEqual(all.filter((title) => title !== 'noted'))
  })
})

describe('host', () => {
  const cases: readonly [query: string, titles: readonly string[]][] = [
    ['youtube.com', ['http']],
    ['www.youtube.com', ['http']],
    ['YouTube.com', ['http']],
    ['youtu.be', ['short']],
    ['example.org', []],
    ['nowhere.example', []],
  ]
  for (const [host, titles] of cases) {
    test(`=${host} finds ${titles.join() || 'nothing'}`, async () => {
      expect(await find(`host=${host}`)).toEqual([...titles])
    })
  }
  test('does not find records without a source', async () => {
    expect(await find('host=files.example.org&missing=source')).toEqual([])
    expect(await find('host=files.example.org&missing=language')).toEqual(['language', 'two'])
  })
})

describe('Times', () => {
  test('of creation and of the last change are inclusive, as a day or a time', async () => {
    const [first, noted] = [made.get('whole'), made.get('noted')]
    const [from, at] = [String(first?.added), String(noted?.added)]
    expect(await find(`added_before=${from}`)).toEqual(['whole'])
    expect(await find(`added_before=${from}Z`)).toEqual(['whole'])
    expect(await find(`added_after=${at}&added_before=${at}`)).toEqual(['noted'])
    expect(await find(`updated_after=${at}&updated_before=${at}`)).toEqual(['noted'])
    const all = await find('')
    const [firstDay, lastDay] = [from.slice(0, 10), String(made.get('short')?.added).slice(0, 10)]
    expect(await find(`added_after=${firstDay}`)).toEqual(all)
    expect(await find(`added_before=${lastDay}&updated_before=${lastDay}`)).toEqual(all)
    expect(await find('added_after=2099-01-01')).toEqual([])
    expect(await find('updated_before=2000-01-01')).toEqual([])
    expect(await find('added_before=2000-01-01T00:00:00')).toEqual([])
  })
  test('follow a change', async () => {
    const record = await service.create({ ...whole, title: 'touched', source_url: '' })
    await Bun.sleep(2)
    const changed = JSON.parse((await service.patch(record.id, { summary: 'Other.' })).body)
    expect(await find(`updated_after=${changed.updated}&added_before=${record.added}&missing=source`)).toEqual([
      'touched',
    ])
    expect(await find(`updated_before=${record.updated}&added_after=${record.added}&missing=source`)).toEqual([])
    await service.patch(record.id, { state: 2 })
  })
})

describe('by, the author of the newest version,', () => {
  test('finds what somebody changed last', async () => {
    const key = await createToken(service.server(), 'Ann Éditrice', 'editor')
    const send = (method: string, path: string, json: Fields) =>
      service.call({
        method,
        path,
        json,
        headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
      })
    const { id } = JSON.parse((await send('POST', listPath, { ...requiredFields, title: 'by Ann' })).body)
    const by = `by=${encodeURIComponent('Ann Éditrice')}`
    expect(await find(by, 'reader')).toEqual(['by Ann'])
    expect(await find('by=ann', 'reader')).toEqual([])
    await service.patch(id, { whiteboard: 'Thanks' })
    expect(await find(by, 'reader')).toEqual([])
    expect((await send('PATCH', `${listPath}/${id}`, { summary: 'By Ann again' })).status).toBe(200)
    expect(await find(`${by}&whiteboard=1`, 'reader')).toEqual(['by Ann'])
  })

  const png = { Accept: 'image/png' }
  const get = { method: 'GET', path: `${listPath}?by=ann` }
  runTable(
    [
      { name: 'needs a token', ...get, status: 401, has: { 'WWW-Authenticate': 'Token' } },
      { name: 'needs one before Accept counts', ...get, headers: png, status: 401 },
      { name: 'needs one before other parameters count', ...get, path: `${get.path}&page_size=0`, status: 401 },
      { name: 'comes after the token', ...get, as: 'wrong', status: 401 },
      { name: 'comes after the method', ...get, method: 'DELETE', status: 405 },
      { name: 'is for readers', ...get, as: 'reader', status: 200 },
      { name: 'is for admins', ...get, as: 'admin', status: 200 },
    ] satisfies Row[],
    service,
  )
})

describe('finding', () => {
  test('finds records that have each of the codes', async () => {
    expect(await find('finding=shouting_title')).toEqual(['LOOK AT THIS TALK'])
    expect(await find('finding=insecure_address')).toEqual(['http'])
    expect(await find('finding=insecure_address,shouting_title')).toEqual([])
  })
})

describe('Work lists', () => {
  test('combine with searches, facets, orders, cursors and other filters', async () => {
    expect(await find('missing=language&q=two')).toEqual(['two'])
    expect(await find('missing=language&q=tow+two&match=best')).toEqual(['two'])
    expect(await getTitles(service, 'missing=language&ordering=-title')).toEqual(['two', 'language'])
    const page = await getPage(service, 'missing=tags&facets=language,tag,year&page_size=1')
    expect(page.count).toBe(2)
    expect(page.facets).toEqual({
      language: [{ value: 'English', count: 1 }],
      tag: [],
      year: [{ value: '2020', count: 2 }],
    })
    const first = await getPage(service, 'missing=tags&cursor=&page_size=1')
    expect(first.next).toContain('missing=tags')
    expect(await find(`missing=language&id=${idOf('two')},${idOf('whole')}`)).toEqual(['two'])
    expect(await find(`missing=language&source_url=${address}/two`)).toEqual(['two'])
  })
  test('follow a change at once', async () => {
    const { id } = await service.create({ ...whole, title: 'changing', source_url: '', tags: [] })
    expect(await find('missing=tags,source')).toEqual(['changing'])
    await service.patch(id, { tags: ['y'] })
    expect(await find('missing=tags,source')).toEqual([])
    await service.patch(id, { copyright_text: '' })
    expect(await find('missing=licence,source')).toEqual(['changing'])
    await service.patch(id, { state: 2 })
    expect(await find('missing=licence,source')).toEqual([])
    expect(await find('missing=licence,source&category=work', 'reader')).toEqual(['changing'])
  })
})

test('A bulk change takes the filters of work lists', async () => {
  const json = (query: string) => ({ select: { query }, patch: { whiteboard: '' } })
  const path = '/api/v2/batches?dry_run=1'
  const count = async (query: string) => {
    const answer = await service.call({ method: 'POST', path, as: 'admin', json: json(query) })
    return [answer.status, JSON.parse(answer.body).total]
  }
  expect(await count('missing=language&category=work')).toEqual([200, 3])
  expect(await count('finding=insecure_address&host=youtube.com&category=work')).toEqual([200, 1])
  expect(await count('whiteboard=1&category=work&added_after=2020-01-01')).toEqual([200, 2])
  expect(await count('by=nobody&category=work')).toEqual([200, 0])
  expect(await count('finding=same_video,outside_event')).toEqual([200, 0])
})
