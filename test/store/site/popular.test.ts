import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { NameKind } from '../../../src/record/name.ts'
import { author } from '../random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
    const talk = { title: 'Talk', category: 'Harbour Days 2021', speakers: ['Ada Lamp', 'Various speakers'] }
    await store.create({ ...talk, tags: ['Sailing', 'video', 'harbour days', 'Ropes', 'Ada lamp', 'days2021'] })
    await store.create({ ...talk, tags: ['Sailing', 'video', 'harbour days', 'ropes', 'knot-work', 'HarbourCon'] })
    await store.create({ ...talk, speakers: ['ADA LAMP', 'Bo Quist'], tags: ['sailing', 'rope', 'ropes', 'Knot Work'] })
    await store.create({ ...talk, speakers: ['Bo Quist', 'Ada Lamp'], tags: ['Sailing', 'Knot Work'] })
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  /** By reads that follow changes, and by those that load everything. */
  async function list(kind: NameKind, limit = 10) {
    const found = await store.site.listPopularNames({ kind, limit })
    expect(await store.openSite().listPopularNames({ kind, limit })).toEqual(found)
    return found.map(({ name, count }) => [name, count])
  }

  test('topics come by use, one spelling of each, with the talks of that spelling', async () => {
    expect(await list('tag')).toEqual([
      ['Sailing', 3],
      ['Knot Work', 2],
      ['ropes', 2],
      ['HarbourCon', 1],
    ])
    expect(await list('tag', 1)).toEqual([['Sailing', 3]])
  })

  test('speakers that are no person are not among them', async () => {
    expect(await list('speaker')).toEqual([
      ['Ada Lamp', 3],
      ['Bo Quist', 2],
    ])
  })

  test('drafts count for nothing: neither their names, nor what they are called after', async () => {
    const before = await list('tag')
    const hidden = { title: 'Hidden', category: 'Sailing', speakers: ['Ropes'], tags: ['Knot Work', 'hidden'] }
    const draft = await store.create({ ...hidden, state: 2 })
    expect(await list('tag')).toEqual(before)
    await store.change(draft, { state: 1 })
    expect(await list('tag')).toEqual([
      ['Knot Work', 3],
      ['HarbourCon', 1],
      ['hidden', 1],
      ['rope', 1],
    ])
    await store.change(draft, { state: 2 })
    expect(await list('tag')).toEqual(before)
  })

  test('a tag of several events is a topic before one that many talks of one event have', async () => {
    for (let i = 0; i < 12; i++) await store.create({ title: `Talk ${i}`, category: 'North', tags: ['Room 215'] })
    for (const category of ['North', 'South']) await store.create({ title: 'Talk', category, tags: ['Anchors'] })
    expect(await store.site.listPopularNames({ kind: 'tag', limit: 2 })).toMatchObject([
      { name: 'Anchors', count: 2, events: 2 },
      { name: 'Room 215', count: 12, events: 1 },
    ])
  })

  test('the series of an event is no topic', async () => {
    await store.create({ title: 'Other', category: 'Knot Work 2022' })
    expect((await list('tag')).map(([name]) => name)).toEqual(['Anchors', 'Room 215', 'Sailing', 'ropes', 'HarbourCon'])
    await store.create({ title: 'Other', category: 'HarbourCon North 2022' })
    expect((await list('tag')).map(([name]) => name)).toEqual(['Anchors', 'Room 215', 'Sailing', 'ropes'])
    await store.execute({ kind: 'create category', author, changes: { title: 'Unseen', series: 'ropes' } })
    expect((await list('tag')).map(([name]) => name)).toEqual(['Anchors', 'Room 215', 'Sailing', 'ropes'])
  })
})
