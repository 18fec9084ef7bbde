import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CategoryFields } from '../../../src/record/category.ts'
import { author } from '../random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore
  let draft: number

  beforeAll(async () => {
    store = await open()
    const first = { title: 'One', category: 'Alpha 2020', recorded: '2020-02-29', duration: 299, language: 'English' }
    await store.create({
      ...first,
      speakers: ['Ann', 'Ben'],
      tags: ['one'],
      video_mp4_url: 'https://example.org/1.mp4',
    })
    const second = { title: 'Two', category: 'Alpha 2020', recorded: '2020-03-01', duration: 300, language: 'Welsh' }
    await store.create({ ...second, speakers: ['Ann'], thumbnail_url: 'https://example.org/1.jpg' })
    await store.create({ title: 'Three', category: 'Beta', duration: 7200, source_url: 'https://example.org/3' })
    await store.create({ title: 'Four', category: 'Beta', language: 'English', recorded: '1969-12-31' })
    await store.create({ title: 'Milliseconds', category: 'Beta', duration: 3_060_780, recorded: '1969-12-31' })
    await store.create({ title: 'Minutes', category: 'Beta', duration: 59, recorded: '1969-12-31' })
    const hidden = { category: 'Secret', speakers: ['Secret'], tags: ['secret'], language: 'Zulu', duration: 61 }
    draft = await store.create({ title: 'Secret', ...hidden, recorded: '1951-01-01', state: 2 })
    await store.execute({ kind: 'create category', author, changes: { title: 'Listed', start_date: '2030-01-01' } })
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  test('a summary counts live records and what they have', async () => {
    const expected = {
      talks: 6,
      seconds: 7_799,
      oddLengths: 2,
      speakers: 2,
      categories: 2,
      fileKinds: ['mp4' as const],
    }
    const languages = [
      { name: 'English', count: 2 },
      { name: 'Welsh', count: 1 },
    ]
    expect(await store.site.summarise({ visibility: 'live' })).toEqual({ ...expected, languages })
    expect(await store.openSite().summarise()).toEqual({ ...expected, languages })
  })

  test('speakers that differ in case and accents only count as one, and drafts do not count', async () => {
    const id = await store.create({ title: 'Five', category: 'Beta', speakers: ['ANN', 'Änn', 'Zoë'] })
    expect((await store.site.summarise()).speakers).toBe(3)
    await store.change(id, { state: 2 })
    expect((await store.site.summarise()).speakers).toBe(2)
    await store.change(id, { speakers: [] })
  })

  test('events are those that the public sees, the latest first, with the days of their live records', async () => {
    const unsaid = { endDate: null, place: '', series: '', pictureId: null }
    expect(await store.site.listEvents()).toEqual([
      { ...unsaid, title: 'Listed', slug: 'listed', startDate: '2030-01-01', count: 0, firstDay: null, lastDay: null },
      {
        ...unsaid,
        ...{ title: 'Alpha 2020', slug: 'alpha-2020', startDate: null, count: 2 },
        ...{ firstDay: '2020-02-29', lastDay: '2020-03-01', pictureId: 2 },
      },
      {
        ...unsaid,
        title: 'Beta',
        slug: 'beta',
        startDate: null,
        count: 4,
        firstDay: '1969-12-31',
        lastDay: '1969-12-31',
      },
    ])
  })

  test('editions are those of the same series, or of titles that differ in the year, that the public sees', async () => {
    const name = async (slug: string) => {
      const { previous, next } = await store.site.findEditions(slug)
      return [previous?.slug ?? null, next?.slug ?? null]
    }
    const nobody = [null, null]
    expect(await name('alpha-2020')).toEqual(nobody)
    expect((await store.site.findEditions('alpha-2020')).own).toMatchObject({ firstDay: '2020-02-29', count: 2 })
    const add = (title: string, fields: Partial<CategoryFields> = {}) =>
      store.execute({ kind: 'create category', author, changes: { title, ...fields } })
    await add('Alpha 2019')
    await add('ALPHA 2022', { start_date: '2022-12-24', end_date: '2022-12-26', place: 'Harbour', series: '' })
    await add('Summer of lamps', { start_date: '2021-06-01', series: 'alpha' })
    await add('Alpha 2018', { series: 'Not Alpha' })
    await store.create({ title: 'Hidden', category: 'Alpha 2023', state: 2 })
    expect(await name('alpha-2019')).toEqual([null, 'alpha-2020'])
    expect(await name('alpha-2020')).toEqual(['alpha-2019', 'summer-of-lamps'])
    expect(await name('summer-of-lamps')).toEqual(['alpha-2020', 'alpha-2022'])
    expect(await name('alpha-2022')).toEqual(['summer-of-lamps', null])
    for (const slug of ['alpha-2018', 'alpha-2023', 'beta', 'nothing']) expect(await name(slug)).toEqual(nobody)
    expect((await store.site.findEditions('summer-of-lamps')).next).toMatchObject({
      ...{ startDate: '2022-12-24', endDate: '2022-12-26', place: 'Harbour' },
    })
  })

  test('statistics count per year, per language, per event and per length', async () => {
    const { years, lengths, languages, largestEvents } = await store.site.readStatistics()
    const none = { withLanguage: 0, withDuration: 0, withSpeakers: 0, withTags: 0, withThumbnail: 0, withMedia: 0 }
    expect(years).toEqual([
      { ...none, year: null, talks: 1, seconds: 7_200, withDuration: 1, withMedia: 1 },
      { ...none, year: 1969, talks: 3, seconds: 0, withLanguage: 1, withDuration: 2 },
      {
        ...{ year: 2020, talks: 2, seconds: 599, withLanguage: 2, withDuration: 2, withSpeakers: 2 },
        ...{ withTags: 1, withThumbnail: 1, withMedia: 1 },
      },
    ])
    expect(lengths.filter(({ count }) => count > 0)).toEqual([
      { fromSeconds: 0, toSeconds: 300, count: 1 },
      { fromSeconds: 300, toSeconds: 600, count: 1 },
      { fromSeconds: 7_200, toSeconds: null, count: 1 },
    ])
    expect(lengths).toHaveLength(25)
    expect(languages.map(({ name }) => name)).toEqual(['English', 'Welsh'])
    expect(largestEvents.slice(0, 4).map(({ title }) => title)).toEqual(['Beta', 'Alpha 2020', 'Listed', 'ALPHA 2022'])
  })

  test('they follow changes: a draft counts as soon as it is live, and no longer than that', async () => {
    await store.change(draft, { state: 1 })
    expect(await store.site.summarise()).toMatchObject({ talks: 7, seconds: 7_860, speakers: 3, categories: 3 })
    expect((await store.site.listEvents()).map(({ slug }) => slug)).toContain('secret')
    await store.change(draft, { state: 2 })
    expect(await store.site.summarise()).toMatchObject({ talks: 6, speakers: 2, categories: 2 })
    expect(JSON.stringify([await store.site.listEvents(), await store.site.readStatistics()])).not.toMatch(
      /secret|zulu|1951/i,
    )
  })

  test('media filters do not confuse a source with a file', async () => {
    const page = await store.createList(store.indexes)({
      ...{ filters: { visibility: 'live', speakers: [], tags: [], has: ['mp4'] }, match: 'all', order: null, page: 1 },
      ...{ pageSize: 20, fields: ['id'], facets: ['language'], hasHighlight: false },
    })
    expect(page).toMatchObject({ count: 1, records: ['{"id":1}'], facets: { language: [{ count: 1 }] } })
  })

  test('numbers after each change are those of a server that has just started', async () => {
    const site = await open()
    const read = async ({ summarise, listEvents, listPopularNames, listRecent, listDays }: SiteStore['site']) => ({
      summary: await summarise(),
      events: await listEvents(),
      days: await listDays('moved-2021'),
      tags: await listPopularNames({ kind: 'tag', limit: 5 }),
      recent: await listRecent({ limit: 3, perCategory: 2 }),
    })
    const expectSame = async () => expect(await read(site.site)).toEqual(await read(site.openSite()))
    try {
      const talk = { title: 'One', category: 'Kept 2020', speakers: ['Ann'], tags: ['one'], recorded: '2020-01-01' }
      const id = await site.create(talk)
      await site.create({ ...talk, title: 'Two', recorded: '2021-01-01' })
      await expectSame()
      const changes = [
        { recorded: '2020-01-03', duration: 60 },
        { category: 'Moved 2021', language: 'Welsh' },
        { speakers: ['ANN', 'Ben'], tags: ['two'] },
        { thumbnail_url: 'https://example.org/1.jpg' },
        { state: 2 },
        { state: 1, title: 'Third' },
      ]
      for (const change of changes) {
        await site.change(id, change)
        await expectSame()
      }
      await site.create({ ...talk, title: 'Draft', category: 'Draft', state: 2 })
      await site.create({ ...talk, title: 'New', category: 'New 2022', speakers: ['Zoë'], tags: ['new'] })
      await expectSame()
    } finally {
      await site.remove()
    }
  })
})
