import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
    await store.create({
      title: 'One',
      category: 'Über Conf',
      speakers: ['Ann Äppel', 'Ann Appel'],
      tags: ['C++', 'C'],
    })
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  test('categories have slugs by their titles', async () => {
    const found = await store.site.findCategorySlugs(['Über Conf', 'uber-conf', 'Über Conf'])
    expect([...found]).toEqual([['Über Conf', 'uber-conf']])
    expect((await store.site.findCategorySlugs([])).size).toBe(0)
  })

  test('each name has an id and a slug of its own', async () => {
    const speakers = await store.site.findNameIds({ kind: 'speaker', names: ['Ann Appel', 'Nobody', 'Ann Äppel'] })
    expect([...speakers]).toEqual([
      ['Ann Appel', { id: 2, slug: 'ann-appel-2' }],
      ['Ann Äppel', { id: 1, slug: 'ann-appel' }],
    ])
    expect([...(await store.site.findNameIds({ kind: 'tag', names: ['C'] }))]).toEqual([['C', { id: 2, slug: 'c-2' }]])
  })

  test('a name that was unknown is found as soon as a record has it', async () => {
    expect((await store.site.findNameIds({ kind: 'tag', names: ['new'] })).size).toBe(0)
    await store.create({ title: 'Two', category: 'New', tags: ['new'] })
    expect([...(await store.site.findNameIds({ kind: 'tag', names: ['new'] }))]).toEqual([
      ['new', { id: 3, slug: 'new' }],
    ])
  })

  test('more names than one statement takes are found', async () => {
    const tags = Array.from({ length: 150 }, (_, i) => `tag ${i}`)
    await store.create({ title: 'Three', tags })
    expect((await store.site.findNameIds({ kind: 'tag', names: [...tags, 'C'] })).size).toBe(151)
  })
})
