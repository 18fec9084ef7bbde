import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Changes } from '../../../src/record/record.ts'
import { describeEngines, type SiteStore, timeoutMs, toIds } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  /** The title of the next talk, and the lists. */
  async function findRelated(id: number, limit = 5, site = store.site) {
    const { next, event, speakers, similar } = await site.findRelated({ id, limit })
    return { next: next === null ? null : toTitles([next])[0], event, speakers, similar }
  }

  const toTitles = (texts: readonly string[]) => texts.map((text): string => JSON.parse(text).title)

  async function createAll(talks: readonly Changes[]): Promise<number[]> {
    const ids: number[] = []
    for (const talk of talks) ids.push(await store.create(talk))
    return ids
  }

  /** As an import keeps it: the day of the record has no time. */
  async function setSourceTime(id = 0, recorded: string): Promise<void> {
    const insert = store.writing.query<unknown, [number, Uint8Array, Uint8Array]>(
      'INSERT INTO extras (record_id, body, basis) VALUES (?, ?, ?)',
    )
    await insert.run(id, Buffer.from(JSON.stringify({ recorded })), Buffer.from('{}'))
  }

  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  test('the next talk of an event follows by day, time and id; unknown days come last', async () => {
    const [, b, c, a, last, draft, noon, ten] = await createAll([
      { title: 'Elsewhere', category: 'Other', recorded: '2020-01-01' },
      { title: 'B', category: 'Order', recorded: '2020-01-01' },
      { title: 'C', category: 'Order', recorded: '2020-01-02' },
      { title: 'a', category: 'Order', recorded: '2020-01-01' },
      { title: 'A', category: 'Order', recorded: null },
      { title: 'Bb', category: 'Order', recorded: '2020-01-01', state: 2 },
      { title: 'Noon', category: 'Order', recorded: '2020-01-02' },
      { title: 'Ten', category: 'Order', recorded: '2020-01-02' },
    ])
    await setSourceTime(noon, '2020-01-02T12:00:00')
    await setSourceTime(ten, '2020-01-02T10:00:00')
    const next = async (id = 0) => (await findRelated(id)).next
    expect([await next(b), await next(a), await next(ten), await next(noon)]).toEqual(['a', 'Ten', 'Noon', 'C'])
    expect([await next(c), await next(last)]).toEqual(['A', null])
    expect(await store.site.findRelated({ id: draft ?? 0, limit: 5 })).toEqual({
      ...{ next: null, event: [], speakers: [], similar: [] },
    })
    expect(toTitles((await findRelated(b ?? 0, 2)).event)).toEqual(['a', 'Ten'])
  })

  test('talks around another one are found although its day has many talks at other times', async () => {
    const titles = Array.from({ length: 20 }, (_, i) => `Hour ${i}`)
    const ids = await createAll(titles.map((title) => ({ title, category: 'Long day', recorded: '2020-05-02' })))
    const [early] = await createAll([{ title: 'Day before', category: 'Long day', recorded: '2020-05-01' }])
    await createAll([{ title: 'Day after', category: 'Long day', recorded: '2020-05-03' }])
    // From the last to the first.
    for (const [i, id] of ids.entries()) await setSourceTime(id, `2020-05-02T${String(20 - i).padStart(2, '0')}:00:00`)
    const around = async (id = 0) => toTitles((await findRelated(id, 2)).event)
    expect(await around(ids[19])).toEqual(['Day before', 'Hour 18'])
    expect(await around(ids[0])).toEqual(['Hour 1', 'Day after'])
    expect(await around(early)).toEqual(['Hour 19', 'Hour 18'])
  })

  test('other talks of the speakers come newest first, and speakers take turns', async () => {
    const by = (title: string, recorded: string, ...speakers: string[]) => ({
      title,
      recorded,
      speakers,
      category: title,
    })
    const [joint] = await createAll([
      by('Joint', '2021-01-01', 'Frequent', 'Rare'),
      by('F1', '2021-02-01', 'Frequent'),
      by('F2', '2021-02-02', 'Frequent'),
      by('F3', '2021-02-03', 'Frequent'),
      by('R1', '2001-01-01', 'Rare'),
      { ...by('Hidden', '2022-01-01', 'Rare'), state: 2 },
    ])
    expect(toTitles((await findRelated(joint ?? 0, 3)).speakers)).toEqual(['F3', 'F2', 'R1'])
  })

  test('similar talks share rare words of title and tags, whatever their event', async () => {
    const filler = (i: number) => ({ title: `Deploying the filler ${i}`, category: 'Filler', tags: ['common'] })
    await createAll(Array.from({ length: 40 }, (_, i) => filler(i)))
    const [one] = await createAll([
      { title: 'Deploying quokkas', category: 'Zoo 1', tags: ['marsupials', 'common'] },
      { title: 'All about quokkas', category: 'Zoo 2' },
      { title: 'Keeping pets', category: 'Zoo 3', tags: ['marsupials'] },
      { title: 'Quokkas in secret', category: 'Zoo 4', state: 2 },
    ])
    const { similar } = await findRelated(one ?? 0, 2)
    expect(toTitles(similar).sort()).toEqual(['All about quokkas', 'Keeping pets'])
  })

  test('a figure of speech that two titles share is no topic; the talk that the speaker gave twice is similar', async () => {
    const speakers = ['Perpetua Lindqvist']
    const description = 'How potoroos dig burrows, and what potoroos eat.'
    const [one] = await createAll([
      { title: 'Potoroos: a cornucopia of burrows', category: 'Zoo 5', speakers, description },
      { title: 'Spreadsheets, our cornucopia', category: 'Zoo 6' },
      { title: 'Potoroos and their burrows', category: 'Zoo 7', speakers },
      { title: 'Feeding potoroos', category: 'Zoo 8' },
    ])
    expect(toTitles((await findRelated(one ?? 0, 2)).similar)).toEqual([
      'Potoroos and their burrows',
      'Feeding potoroos',
    ])
  })

  test('a word that many texts have counts in titles alone, and not at all if many titles have it', async () => {
    const spoken = (i: number, title: string) => ({ title, category: `Zoo 2${i}`, state: 1 + (i % 2) })
    await createAll(Array.from({ length: 120 }, (_, i) => ({ ...spoken(i, 'Filler'), description: 'On numbats.' })))
    const [one] = await createAll([
      { title: 'Numbats', category: 'Zoo 20' },
      { title: 'Feeding numbats', category: 'Zoo 21' },
    ])
    expect(toTitles((await findRelated(one ?? 0, 40)).similar)).toEqual(['Feeding numbats'])
    const [first] = await createAll(Array.from({ length: 60 }, (_, i) => spoken(i, 'Dunnarts')))
    expect((await findRelated(first ?? 0, 40)).similar.length).toBe(29)
    await createAll(Array.from({ length: 60 }, (_, i) => spoken(i, 'More dunnarts')))
    expect((await findRelated(first ?? 0, 40)).similar).toEqual([])
  })

  test('one word of the title that nothing repeats makes no talk similar, two do', async () => {
    const [one] = await createAll([
      { title: 'Bilbies, tunnels, panoply', category: 'Zoo 11', description: 'Digging.' },
      { title: 'Telescopes: panoply', category: 'Zoo 12' },
      { title: 'Bilbies and tunnels', category: 'Zoo 13' },
    ])
    expect(toTitles((await findRelated(one ?? 0, 5)).similar)).toEqual(['Bilbies and tunnels'])
  })

  test('tags that an event gives to all its talks make none of them similar', async () => {
    const tags = ['zoo9', 'talks of zoo9']
    const [one] = await createAll([
      { title: 'Bettongs at night', category: 'Zoo 9', tags: [...tags, 'bettongs'] },
      ...Array.from({ length: 8 }, (_, i) => ({ title: `Topic ${i} at night`, category: 'Zoo 9', tags })),
      { title: 'Bettongs by day', category: 'Zoo 10' },
    ])
    expect(toTitles((await findRelated(one ?? 0, 3)).similar)[0]).toBe('Bettongs by day')
  })

  test('until the words are loaded, tags say what is similar', async () => {
    const [one] = await createAll([
      { title: 'Untitled', category: 'Tagged 1', tags: ['numbats'] },
      { title: 'Nameless', category: 'Tagged 2', tags: ['numbats'] },
    ])
    const indexes = store.createIndexes()
    const wordsLoader = { ...indexes.wordsLoader, catchUp: async () => undefined, isComplete: () => false }
    const site = store.openSite({ ...indexes, wordsLoader })
    expect(toTitles((await findRelated(one ?? 0, 5, site)).similar)).toEqual(['Nameless'])
    expect(await site.findRelated({ id: one ?? 0, limit: 5 })).toMatchObject({ isProvisional: true })
    expect(await store.site.findRelated({ id: one ?? 0, limit: 5 })).not.toHaveProperty('isProvisional')
  })

  test('no talk is shown twice, nor beside itself', async () => {
    const shared = { speakers: ['Same'], tags: ['bandicoots'], recorded: '2019-01-01' }
    const toTalk = (i: number) => ({ ...shared, title: `Bandicoots ${i}`, category: `Same ${i % 2}` })
    const [id = 0] = await createAll(Array.from({ length: 24 }, (_, i) => toTalk(i)))
    const { event, speakers, similar } = await findRelated(id, 3)
    const shown = toIds([...event, ...speakers, ...similar])
    expect([event.length, speakers.length, similar.length]).toEqual([3, 3, 3])
    expect(new Set(shown).size).toBe(9)
    expect(shown).not.toContain(id)
  })

  test('a talk disappears when it is withdrawn', async () => {
    const [one = 0, two = 0] = await createAll([
      { title: 'Wombats here', category: 'Gone', speakers: ['Gone'] },
      { title: 'Wombats there', category: 'Gone', speakers: ['Gone'] },
    ])
    expect(await findRelated(one)).toMatchObject({ next: 'Wombats there', similar: [expect.any(String)] })
    await store.change(two, { state: 2 })
    expect(await findRelated(one)).toMatchObject({ next: null, event: [], speakers: [] })
    expect(toTitles((await findRelated(one)).similar)).not.toContain('Wombats there')
  })
})
