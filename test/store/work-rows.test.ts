import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createRandom } from '../../bench/generated/random.ts'
import { createEventFindings, createFindingCounter, createWorkRowReader } from '../../src/store/read/findings.ts'
import { describeRecords } from './expect-findings.ts'
import { toChanges } from './random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site/site-store.ts'

const author = { name: 'ben', role: 'admin' } as const

describeEngines((open) => {
  let store: SiteStore
  let changes = 0
  const readEvents = () =>
    createEventFindings(
      store.db,
      store.indexes.columns,
      createFindingCounter(
        store.db,
        store.indexes.columns,
        () => changes,
        () => undefined,
      ),
    )

  beforeAll(async () => {
    store = await open()
    const random = createRandom(22)
    for (let i = 0; i < 60; i++) await store.create(toChanges(random))
    await store.execute({ kind: 'category', slug: 'alpha', author, changes: { start_date: '2020-02-29' } })
    await store.execute({ kind: 'merge', id: 7, author, precondition: {}, changes: { title: 'By Ben' } })
  }, timeoutMs)
  afterAll(() => store.remove())

  test('Rows name the last author and every finding, as the rules say', async () => {
    const described = await describeRecords(store, 'all')
    const ids = described.map(({ id }) => id).toReversed()
    const rows = await createWorkRowReader(store.db)({ ids: [...ids, 999_999] })
    expect(rows.map(({ id }) => id)).toEqual(ids)
    for (const { id, codes } of described) {
      const row = rows.find((each) => each.id === id)
      const found: readonly string[] = row?.findings ?? []
      expect({ id, codes: found.toSorted() }).toEqual({ id, codes: [...new Set(codes)].sort() })
      expect(row?.by).toBe(id === 7 ? 'ben' : 'test')
    }
    expect(described.flatMap(({ codes }) => codes)).toContain('outside_event')
    expect(described.flatMap(({ codes }) => codes)).toContain('same_video')
    expect(await createWorkRowReader(store.db)({ ids: [] })).toEqual([])
  })

  test('Events add up to the findings of their records', async () => {
    const described = await describeRecords(store, 'all')
    const total = described.reduce((sum, { codes }) => sum + new Set(codes).size, 0)
    const { count, lines } = await readEvents()({ order: 'total', page: 1, pageSize: 100 })
    expect(lines.reduce((sum, line) => sum + line.total, 0)).toBe(total)
    expect(lines).toHaveLength(count)
    expect(lines.reduce((sum, { talks }) => sum + talks, 0)).toBe(60)
    for (const { total: of, findings } of lines) expect(findings.reduce((sum, each) => sum + each.count, 0)).toBe(of)
  })

  test('Events are sorted by what is asked for', async () => {
    const read = async (order: 'total' | 'talks' | 'title' | 'same_video') =>
      (await readEvents()({ order, page: 1, pageSize: 100 })).lines
    const isFalling = (sizes: readonly number[]) => sizes.every((size, i) => i === 0 || size <= (sizes[i - 1] ?? 0))
    expect(isFalling((await read('total')).map(({ total }) => total))).toBe(true)
    expect(isFalling((await read('talks')).map(({ talks }) => talks))).toBe(true)
    const titles = (await read('title')).map(({ category }) => category.toLowerCase())
    expect(titles).toEqual(titles.toSorted())
    const shared = await read('same_video')
    const sizes = shared.map(({ findings }) => findings.find(({ code }) => code === 'same_video')?.count ?? 0)
    expect(sizes.length).toBeGreaterThan(0)
    expect(sizes).not.toContain(0)
    expect(isFalling(sizes)).toBe(true)
  })

  test('Events come in pages, and are counted again after a change', async () => {
    const events = readEvents()
    const { count } = await events({ order: 'title', page: 1, pageSize: 1 })
    const last = await events({ order: 'title', page: 'last', pageSize: 1 })
    expect(last).toMatchObject({ count, page: count })
    await store.create({ title: 'New', category: 'Zulu' })
    changes++
    const more = await events({ order: 'title', page: 'last', pageSize: 1 })
    expect(more.lines[0]).toMatchObject({ category: 'Zulu', slug: 'zulu', talks: 1 })
  })
})
