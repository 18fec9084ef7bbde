import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  const listIds = async (kind: 'video' | 'speaker' | 'tag', fromId = 1, toId = 1_000) =>
    (await store.site.listPages({ kind, fromId, toId })).map(({ id }) => id)

  test('an empty store has no pages and no first category', async () => {
    expect(await store.site.listPageRanges({ size: 10 })).toEqual([])
    expect(await store.site.findFirstCategory()).toBeNull()
    expect(await listIds('video')).toEqual([])
  })

  test('live records have pages, and the names that they have', async () => {
    await store.create({ title: 'One', speakers: ['Ann'], tags: ['a', 'b'] })
    await store.create({ title: 'Two', speakers: ['Bob'], tags: ['c'], state: 2 })
    await store.create({ title: 'Three', speakers: ['Ann', 'Cid'], category: 'Beta' })
    expect(await listIds('video')).toEqual([1, 3])
    expect(await listIds('video', 2, 3)).toEqual([3])
    expect(await listIds('video', 2, 2)).toEqual([])
    expect(await store.site.listPages({ kind: 'speaker', fromId: 1, toId: 9 })).toEqual([
      { id: 1, slug: 'ann', updated: null },
      { id: 3, slug: 'cid', updated: null },
    ])
    expect(await listIds('tag')).toEqual([1, 2])
    expect(await store.site.findFirstCategory()).toMatchObject({ slug: 'alpha' })
  })

  test('ranges count the pages that they have, and only those with pages are listed', async () => {
    expect(await store.site.listPageRanges({ size: 2 })).toEqual([
      { kind: 'video', number: 0, count: 1 },
      { kind: 'video', number: 1, count: 1 },
      { kind: 'speaker', number: 0, count: 1 },
      { kind: 'speaker', number: 1, count: 1 },
      { kind: 'tag', number: 0, count: 2 },
    ])
    expect(await store.openSite().listPageRanges({ size: 2 })).toEqual(await store.site.listPageRanges({ size: 2 }))
  })

  test('a page has the time of its record', async () => {
    const [before] = await store.site.listPages({ kind: 'video', fromId: 1, toId: 1 })
    await store.change(1, { title: 'One, edited' })
    const [after] = await store.site.listPages({ kind: 'video', fromId: 1, toId: 1 })
    expect(before?.slug).toBe('one')
    expect(after?.slug).toBe('one')
    expect(String(after?.updated) > String(before?.updated)).toBe(true)
  })

  test('withdrawn and erased records leave at once, with names that no other live record has', async () => {
    await store.change(3, { state: 2 })
    expect(await listIds('video')).toEqual([1])
    expect(await listIds('speaker')).toEqual([1])
    await eraseRecord(store.writing, 1, '2026-01-01T00:00:00.000')
    expect(await listIds('video')).toEqual([])
    expect(await listIds('speaker')).toEqual([])
    expect(await listIds('tag')).toEqual([])
    expect(await store.site.listPageRanges({ size: 2 })).toEqual([])
  })
})
