import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createImporter } from '../../../src/store/import/importer.ts'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { author } from '../random-talks.ts'
import { importTalks } from '../talks.ts'
import { describeEngines, type SiteStore, timeoutMs, toIds, toNewest } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  /** The ids, newest first: by reads that follow changes, and by those that load everything. */
  async function listIds(ask = ''): Promise<number[]> {
    const found = await store.site.listNewest(toNewest(ask))
    expect(await store.openSite().listNewest(toNewest(ask))).toEqual(found)
    return toIds(found.records)
  }

  async function expectMoment(id: number, version: number): Promise<void> {
    const { records, liveAt } = await store.site.listNewest(toNewest(''))
    const line = await store.db
      .query<{ at: string }, [number, number]>('SELECT at FROM version WHERE record_id = ? AND number = ?')
      .get(id, version)
    expect(liveAt[toIds(records).indexOf(id)]).toBe(line?.at ?? 'no such version')
  }

  test('a record counts from the moment at which it became live, for the last time', async () => {
    await importTalks(store.writing, 3, 'Imported')
    expect(await listIds()).toEqual([3, 2, 1])
    const draft = await store.create({ title: 'Draft', state: 2 })
    const live = await store.create({ title: 'Live at once' })
    expect(await listIds()).toEqual([live, 3, 2, 1])
    await store.change(draft, { state: 1 })
    expect(await listIds()).toEqual([draft, live, 3, 2, 1])
    await expectMoment(draft, 2)
    await store.change(live, { title: 'Edited' })
    expect(await listIds()).toEqual([draft, live, 3, 2, 1])
    await expectMoment(live, 1)
    await store.change(2, { state: 2 })
    expect(await listIds()).toEqual([draft, live, 3, 1])
    await store.change(2, { state: 1 })
    expect(await listIds()).toEqual([2, draft, live, 3, 1])
    await expectMoment(2, 3)
  })

  test('an undone import leaves the list, and comes back as new when the undo is undone', async () => {
    await store.execute({ kind: 'undo', batch: 1, author })
    expect(await listIds()).toEqual([4, 5])
    await store.execute({ kind: 'undo', batch: 2, author })
    expect(await listIds()).toEqual([3, 2, 1, 4, 5])
    await expectMoment(1, 3)
  })

  test('an erased record leaves the list', async () => {
    await eraseRecord(store.writing, 1, '2026-01-01T00:00:00.000')
    expect(await listIds()).toEqual([3, 2, 4, 5])
  })

  test('filters and searches choose the records, never their order', async () => {
    expect(await listIds('category=Imported')).toEqual([3, 2])
    expect(await listIds('q=talk')).toEqual([3, 2])
    expect(await listIds('q=talk+2&match=best')).toEqual([3])
    expect(await listIds('q=talks&match=best')).toEqual([3, 2])
    expect(await listIds('q=draft')).toEqual([4])
    expect(await listIds('q=-talk')).toEqual([4, 5])
    expect(await listIds('q=...')).toEqual([])
    expect(await listIds('category=none')).toEqual([])
    expect(await listIds('speaker=nobody')).toEqual([])
  })

  test('a speaker and a tag have lists of their own, by id', async () => {
    const one = await store.create({ title: 'Named', speakers: ['Ann', 'Ben'], tags: ['one'] })
    const two = await store.create({ title: 'Named', speakers: ['Ben'], tags: ['one', 'two'] })
    await store.create({ title: 'Named draft', speakers: ['Ben'], tags: ['one'], state: 2 })
    expect(await listIds('speaker_id=1')).toEqual([one])
    expect(await listIds('speaker_id=2')).toEqual([two, one])
    expect(await listIds('tag_id=2')).toEqual([two])
    expect(await listIds('tag_id=9')).toEqual([])
    for (const id of [one, two]) await store.change(id, { state: 2 })
  })

  test('drafts never match, whatever the query says', async () => {
    const draft = await store.create({ title: 'Another draft', state: 2 })
    const { filters } = toNewest('state=2')
    expect(await store.site.listNewest(toNewest('', { filters: { ...filters, visibility: 'all' } }))).toEqual({
      records: [],
      liveAt: [],
    })
    const all = toNewest('q=another', { filters: { ...toNewest('q=another').filters, visibility: 'all' } })
    expect(toIds((await store.site.listNewest(all)).records)).not.toContain(draft)
  })

  test('a search whose words are not loaded yet is provisional', async () => {
    const indexes = store.createIndexes()
    const wordsLoader = { ...indexes.wordsLoader, isComplete: () => false }
    const site = store.openSite({ ...indexes, wordsLoader })
    expect(await site.listNewest(toNewest('q=talk&match=best'))).toMatchObject({ isProvisional: true })
    expect(await site.listNewest(toNewest('q=talk'))).not.toHaveProperty('isProvisional')
    expect(await store.site.listNewest(toNewest('q=talk&match=best'))).not.toHaveProperty('isProvisional')
  })

  test('pages continue where the last one ended', async () => {
    const page = async (offset: number) => (await store.site.listNewest(toNewest('', { limit: 3, offset }))).records
    expect(toIds([...(await page(0)), ...(await page(3))])).toEqual([3, 2, 4, 5])
    expect(await page(6)).toEqual([])
  })

  test('an import into an existing record that was live changes nothing', async () => {
    const options = { source: 'test', author: 'import', reason: null, state: 1, isDryRun: false } as const
    const importer = createImporter(store.writing, { ...options, hasPath: () => true, now: Date.now })
    const plain = { id: null, slug: null, added: null, updated: null, isTakenDown: false, unfitNames: [] }
    const changes = { category: 'Imported', title: 'Renamed', source_url: 'https://www.youtube.com/watch?v=talk1' }
    const [outcome] = await importer.run([{ ...plain, path: '1', changes, toExtras: () => null }], [])
    expect(outcome).toMatchObject({ is: 'updated', id: 2 })
    expect(await listIds()).toEqual([3, 2, 4, 5])
  })
})
