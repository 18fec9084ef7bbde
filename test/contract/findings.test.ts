import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { until } from '../harness/until.ts'
import { address, createChecked, type Finding, whole } from './checked-records.ts'
import { getPage } from './list-page.ts'
import { type Fields, type Role, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService({ roles: ['reader', 'editor'] })

const { create, get, patchCategory } = createChecked(service)

const readFindings = async (id: unknown) => (await get(`${toPath(id)}/findings`)).results as readonly Finding[] // `get` compares it with the description
const listCodes = async (id: unknown) => (await readFindings(id)).map(({ code }) => code)
const isListed = async (code: string, id: unknown, as: Role = 'reader') =>
  (await getPage(service, `finding=${code}&id=${id}`, as)).count === 1

const wrong: readonly [code: string, field: string, fields: Fields][] = [
  ['missing_language', 'language', { language: '' }],
  ['missing_recorded', 'recorded', { recorded: null }],
  ['missing_duration', 'duration', { duration: null }],
  ['missing_speakers', 'speakers', { speakers: [] }],
  ['missing_tags', 'tags', { tags: [] }],
  ['missing_summary', 'summary', { summary: '' }],
  ['missing_description', 'description', { description: '' }],
  ['missing_thumbnail', 'thumbnail_url', { thumbnail_url: '' }],
  ['missing_source', 'source_url', { source_url: '' }],
  ['missing_licence', 'copyright_text', { copyright_text: '' }],
  ['missing_media', 'video_mp4_url', { video_mp4_url: null }],
  ['missing_embed', 'embed', { embed: '', video_mp4_download_only: true }],
  ['insecure_address', 'thumbnail_url', { thumbnail_url: 'http://files.example.org/1.png' }],
  ['playlist_address', 'source_url', { source_url: 'https://www.youtube.com/playlist?list=PL1' }],
  ['placeholder_text', 'description', { description: 'TBD' }],
  ['speaker_in_tags', 'tags', { speakers: ['Zoë'], tags: ['x', 'zoe'] }],
  ['shouting_title', 'title', { title: 'LOOK AT THIS TALK' }],
  ['odd_duration', 'duration', { duration: 3_060_780 }],
  ['several_speakers', 'speakers', { speakers: ['Ana Lopez & Ben Kim'] }],
]

describe('The findings of a record', () => {
  test('are none if nothing is missing or looks wrong', async () => {
    const { id } = await create()
    expect(await get(`${toPath(id)}/findings`)).toEqual({ results: [], accepted: [], as_of: expect.any(Number) })
  })

  for (const [code, field, fields] of wrong) {
    test(`have ${code}, and the list finds it by that`, async () => {
      const { id } = await create(fields)
      const findings = await readFindings(id)
      expect(findings).toEqual([{ code, field, detail: expect.stringMatching(/^[A-Z].+\.$/) }])
      expect(await isListed(code, id)).toBe(true)
      await service.patch(id, { ...whole, source_url: `${address}fixed/${id}` })
      expect(await readFindings(id)).toEqual([])
      expect(await isListed(code, id)).toBe(false)
    })
  }

  test('are several, also of one code', async () => {
    const http = 'http://files.example.org/1'
    const { id } = await create({ tags: [], source_url: http, video_webm_url: http })
    expect((await readFindings(id)).map(({ code, field }) => [code, field])).toEqual([
      ['missing_tags', 'tags'],
      ['insecure_address', 'source_url'],
      ['insecure_address', 'video_webm_url'],
    ])
  })

  const path = `${toPath('{id}')}/findings`
  runTable(
    [
      { name: 'need a token', method: 'GET', path, status: 401, has: { 'WWW-Authenticate': 'Token' } },
      { name: 'are for readers', method: 'GET', path, as: 'reader', status: 200, has: { ETag: /./ } },
      { name: 'are for readers, of drafts too', method: 'GET', path, as: 'reader', fresh: { state: 2 }, status: 200 },
      { name: 'have headers alone', method: 'HEAD', path, as: 'editor', status: 200 },
      { name: 'cannot be written', method: 'POST', path, as: 'admin', json: {}, status: 405 },
      { name: 'are described', method: 'OPTIONS', path, status: 200, has: { Allow: 'GET, HEAD, OPTIONS' } },
      { name: 'of no record are 404', method: 'GET', path: `${toPath(987654)}/findings`, as: 'reader', status: 404 },
      { name: 'of no id are 404', method: 'GET', path: `${toPath('01')}/findings`, as: 'reader', status: 404 },
    ] satisfies Row[],
    service,
  )
})

describe('outside_event', () => {
  test('is a talk from before the start of its category, or from more than 14 days after', async () => {
    const { id, category } = await create()
    const slug = String(category).toLowerCase().replace(' ', '-')
    const starts: readonly [start: string | null, isOutside: boolean][] = [
      ['2020-01-11', true],
      ['2020-01-10', false],
      ['2019-12-27', false],
      ['2019-12-26', true],
      [null, false],
      ['0000-01-01', true],
      ['9999-12-31', true],
    ]
    for (const [start_date, isOutside] of starts) {
      expect((await patchCategory(slug, { start_date })).status).toBe(200)
      expect([start_date, await listCodes(id)]).toEqual([start_date, isOutside ? ['outside_event'] : []])
      expect([start_date, await isListed('outside_event', id)]).toEqual([start_date, isOutside])
      expect([start_date, await isListed('outside_event', id, 'none')]).toEqual([start_date, isOutside])
      // Without ids, the list is read in another way.
      const { count } = await getPage(service, `finding=outside_event&category=${slug}`)
      expect([start_date, count]).toEqual([start_date, isOutside ? 1 : 0])
    }
  })

  test('follows the last day of its category where that is known', async () => {
    const { id, category } = await create()
    const slug = String(category).toLowerCase().replace(' ', '-')
    const days: readonly [start: string | null, end: string | null, isOutside: boolean][] = [
      ['2020-01-01', '2020-01-09', true],
      ['2020-01-01', '2020-01-10', false],
      ['2019-01-01', '2020-01-10', false],
      [null, '2020-01-09', true],
      [null, '2020-01-10', false],
    ]
    for (const [start_date, end_date, isOutside] of days) {
      expect((await patchCategory(slug, { start_date, end_date })).status).toBe(200)
      expect(await listCodes(id)).toEqual(isOutside ? ['outside_event'] : [])
      expect(await isListed('outside_event', id)).toBe(isOutside)
      const { count } = await getPage(service, `finding=outside_event&category=${slug}`)
      expect([end_date, count]).toEqual([end_date, isOutside ? 1 : 0])
    }
  })

  test('follows the day, and the category that a record moves to', async () => {
    const [first, other] = [await create(), await create()]
    const slug = String(other.category).toLowerCase().replace(' ', '-')
    await patchCategory(slug, { start_date: '2010-01-01' })
    await service.patch(first.id, { category: other.category })
    const [finding] = await readFindings(first.id)
    expect(finding).toMatchObject({ code: 'outside_event', field: 'recorded' })
    expect(finding?.detail).toMatch(/2010-01-01.*2010-01-15.*2020-01-10/)
    await service.patch(first.id, { recorded: '2010-01-15' })
    expect(await listCodes(first.id)).toEqual([])
    await service.patch(first.id, { recorded: null })
    expect(await listCodes(first.id)).toEqual(['missing_recorded'])
  })
})

describe('same_video', () => {
  test('is a video that another record has, in any form of its address', async () => {
    const [one, two] = [
      await create({ source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }),
      await create({ source_url: 'https://youtu.be/dQw4w9WgXcQ' }),
    ]
    const [finding] = await readFindings(one.id)
    expect(finding).toMatchObject({
      code: 'same_video',
      field: 'source_url',
      detail: expect.stringContaining(`${two.id}`),
    })
    expect(await isListed('same_video', one.id)).toBe(true)
    // Another start is another talk.
    await service.patch(two.id, { source_url: 'https://youtu.be/dQw4w9WgXcQ?t=90' })
    expect([await listCodes(one.id), await listCodes(two.id)]).toEqual([[], []])
    expect((await getPage(service, 'finding=same_video', 'reader')).count).toBe(0)
  })

  test('counts what the caller sees, and follows withdrawal and erasure', async () => {
    const source_url = `${address}twice`
    const [one, two] = [await create({ source_url }), await create({ source_url })]
    const listedTo = async (as: Role) => (await getPage(service, 'finding=same_video', as)).results.map(({ id }) => id)
    const both = [one.id, two.id]
    expect((await listedTo('none')).sort()).toEqual(both)
    await service.patch(two.id, { state: 2 })
    expect(await listedTo('none')).toEqual([])
    expect((await listedTo('reader')).sort()).toEqual(both)
    expect(await listCodes(one.id)).toEqual(['same_video'])
    const others = [await create({ source_url: `${address}again` }), await create({ source_url: `${address}again` })]
    expect((await listedTo('none')).sort()).toEqual(others.map(({ id }) => id))
    for (const { id } of others) await service.patch(id, { source_url: '' })
    const purged = await runRostrum('purge', String(two.id), '--yes', '--db', service.server().db)
    expect(purged).toMatchObject({ exitCode: 0 })
    await until('the erasure is noticed', async () => (await listCodes(one.id)).length === 0)
    await until('the list has noticed', async () => (await listedTo('reader')).length === 0)
    expect((await service.call({ method: 'GET', path: `${toPath(two.id)}/findings`, as: 'reader' })).status).toBe(410)
  })
})
