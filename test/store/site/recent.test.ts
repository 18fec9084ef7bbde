import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createRecent } from '../../../src/store/site/recent.ts'
import { importTalks } from '../talks.ts'
import { describeEngines, type SiteStore, timeoutMs, toIds, toNewest } from './site-store.ts'

describeEngines((open) => {
  let store: SiteStore

  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  /** The ids: by reads that follow changes, and by those that load everything. */
  async function listIds(limit: number, perCategory: number): Promise<number[]> {
    const found = await store.site.listRecent({ limit, perCategory })
    expect(await store.openSite().listRecent({ limit, perCategory })).toEqual(found)
    return toIds(found)
  }

  test('the latest added come first, a few of each category', async () => {
    expect(await listIds(4, 2)).toEqual([])
    const ids: number[] = []
    for (const category of ['Alpha', 'Beta', 'Beta', 'Beta']) ids.push(await store.create({ title: 'Talk', category }))
    const [alpha = 0, first = 0, second = 0, third = 0] = ids
    expect(await listIds(3, 2)).toEqual([third, second, alpha])
    // There are no others to fill the list with.
    expect(await listIds(4, 2)).toEqual([third, second, alpha, first])
    await store.create({ title: 'Draft', category: 'Secret', state: 2 })
    expect(await listIds(4, 2)).toEqual([third, second, alpha, first])
  })

  test('of an import, the latest recordings come first, before what was there', async () => {
    await importTalks(store.writing, 3, 'Imported')
    const [one, two, three] = await listIds(3, 3)
    for (const [id, recorded] of [
      [one, '2020-01-01'],
      [two, '2022-01-01'],
      [three, '2021-01-01'],
    ] as const) {
      await store.change(id ?? 0, { recorded })
    }
    expect(await listIds(3, 3)).toEqual([two ?? 0, three ?? 0, one ?? 0])
    // Feeds have the same order, on every page.
    const feed = async (limit: number, offset: number) =>
      toIds((await store.site.listNewest(toNewest('', { limit, offset }))).records)
    const whole = await feed(50, 0)
    expect(whole.slice(0, 3)).toEqual([two ?? 0, three ?? 0, one ?? 0])
    expect([...(await feed(1, 0)), ...(await feed(1, 1)), ...(await feed(9, 2))]).toEqual(whole)
    expect(await listIds(3, 1)).toEqual([two ?? 0, expect.any(Number), expect.any(Number)])
    await store.change(two ?? 0, { state: 2 })
    expect((await listIds(2, 2)).slice(0, 2)).toEqual([three ?? 0, one ?? 0])
  })

  test('of an import that keeps the ids of its source, all count as added at once, the larger id first', async () => {
    const own = await open()
    // So that it learns of one change after the other.
    const site = own.openSite(own.createIndexes({ chunkSize: 1 }))
    const before = await own.create({ title: 'Before' })
    await site.listRecent({ limit: 1, perCategory: 1 })
    await importTalks(own.writing, 3, 'Kept', { recorded: '2020-01-01' }, [903, 901, 902])
    await own.change(before, { title: 'Still before' })
    const read = async (from: typeof site) => toIds(await from.listRecent({ limit: 4, perCategory: 3 }))
    expect(await read(site)).toEqual([903, 902, 901, before])
    expect(await read(own.openSite())).toEqual([903, 902, 901, before])
    await own.remove()
  })

  test('talks that were added one by one cost no statement each, which would be a round trip', async () => {
    for (let i = 0; i < 30; i++) await store.create({ title: 'Talk', category: 'Gamma' })
    const { db, sql, indexes } = { ...store, sql: store.createListSql(store.indexes) }
    let count = 0
    const counting = new Proxy(db, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name).bind(target)
        return (text: string) => {
          const statement = target.query(text)
          const run =
            (way: 'get' | 'all') =>
            (...values: never[]) => {
              count++
              return statement[way](...values)
            }
          return { get: run('get'), all: run('all') }
        }
      },
    })
    const listRecent = createRecent({ db: counting, sql, indexes, changesCounter: () => 0 })
    expect(await listRecent({ limit: 12, perCategory: 3 })).toHaveLength(12)
    expect(count).toBeLessThan(5)
  })
})
