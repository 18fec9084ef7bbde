import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findBefore, findNext } from '../../src/edit/lists/list-place.ts'
import { type Changes, fromBody, type VideoRecord } from '../../src/record/record.ts'
import { createAfterCounter, type ListReaderSql } from '../../src/store/read/list/list.ts'
import type { ReadStore } from '../../src/store/store.ts'
import { describeEngines, type SiteStore, timeoutMs } from '../store/site/site-store.ts'

const draft = (title: string, more: Changes = {}) => ({ title, state: 2, ...more })

describeEngines((open) => {
  let store: SiteStore
  let deps: { readonly store: Pick<ReadStore, 'list' | 'read' | 'countAfter'> }
  let ids: number[] = []

  /** The record as it is now. */
  async function read(id: number): Promise<VideoRecord | null> {
    const row = await store.db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?').get(id)
    return row === null ? null : fromBody(row.body)
  }

  beforeAll(async () => {
    store = await open()
    const list = store.createList(store.indexes)
    const found = async (id: number) => {
      const row = await store.db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?').get(id)
      // Only the body is read.
      return row as Awaited<ReturnType<ReadStore['read']>>
    }
    const changesCounter = () => Number.NaN
    const countAfter = createAfterCounter(
      { db: store.db, changesCounter },
      store.indexes,
      store.createListSql(store.indexes) as ListReaderSql, // what each engine has
    )
    deps = { store: { list: (query) => list(query), countAfter: (query) => countAfter(query), read: found } }
    const days = ['2024-05-03', '2024-05-02', '2024-05-01', null, null]
    const titles = ['Élan', 'apple', 'Zebra', 'beta', 'Alpha']
    ids = []
    for (const [i, title] of titles.entries()) {
      ids.push(await store.create(draft(title, { recorded: days[i] ?? null, language: i === 3 ? 'English' : '' })))
    }
    await store.create({ title: 'Live', state: 1 })
  }, timeoutMs)
  afterAll(() => store.remove())

  const walk = async (list: string) => {
    const seen: number[] = []
    let at: number | null = (await findNext(deps, list, 0)).next
    while (at !== null && seen.length < 10) {
      seen.push(at)
      at = (await findNext(deps, list, at)).next
    }
    return seen.map((id) => ids.indexOf(id))
  }

  test('Walks through a list in its order, each record once', async () => {
    expect(await walk('state=2')).toEqual([0, 1, 2, 4, 3])
    expect(await walk('state=2&ordering=title')).toEqual([4, 1, 3, 0, 2])
    expect(await walk('state=2&ordering=-title')).toEqual([2, 0, 3, 1, 4])
    expect(await walk('state=2&ordering=recorded')).toEqual([2, 1, 0, 3, 4])
    expect(await walk('state=2&ordering=-id')).toEqual([4, 3, 2, 1, 0])
    expect(await walk('state=2&missing=language&ordering=added')).toEqual([0, 1, 2, 4])
    expect(await walk('state=2&q=beta')).toEqual([3])
  })

  test('Says which number a record has in the list, and which one is before it', async () => {
    const lists = [
      'state=2',
      'state=2&ordering=title',
      'state=2&ordering=recorded',
      'state=2&ordering=-id',
      'language=English',
    ]
    for (const list of lists) {
      const walked = (await walk(list)).map((i) => ids[i] ?? 0)
      for (const [i, id] of walked.entries()) {
        const expected = { previous: walked[i - 1] ?? null, position: i + 1 }
        expect({ list, ...(await findBefore(deps, list, id)) }).toEqual({ list, ...expected })
      }
    }
    expect(await findBefore(deps, 'nonsense=1', ids[0] ?? 0)).toEqual({ previous: null, position: null })
    expect(await findBefore(deps, 'state=2', 999)).toEqual({ previous: null, position: null })
  })

  test('Says which one is before a record that has left the list', async () => {
    const id = ids[1] ?? 0
    await store.change(id, { state: 1 })
    expect(await findBefore(deps, 'state=2', id)).toEqual({ previous: ids[0] ?? 0, position: null })
    await store.change(id, { state: 2 })
  })

  test('Ignores the page that the list was open at', async () => {
    expect(await walk('state=2&page=2&page_size=1')).toEqual([0, 1, 2, 4, 3])
  })

  test('Says how many there are, and null after the last', async () => {
    expect(await findNext(deps, 'state=2', ids[3] ?? 0)).toEqual({ next: null, count: 5 })
    expect(await findNext(deps, 'state=2&q=nothing', ids[3] ?? 0)).toEqual({ next: null, count: 0 })
  })

  test('Goes on from the same position after a record has left the list', async () => {
    const id = ids[1] ?? 0
    await store.change(id, { state: 1 })
    expect(await findNext(deps, 'state=2', id)).toEqual({ next: ids[2] ?? 0, count: 4 })
    await store.change(id, { state: 2 })
  })

  test('Goes on from where the record was shown, if the change moved it', async () => {
    const id = ids[0] ?? 0
    const shown = await read(id)
    if (shown === null) throw new Error('no record')
    await store.change(id, { title: 'zz last' })
    const list = 'state=2&ordering=title'
    expect(await findNext(deps, list, id)).toEqual({ next: null, count: 5 })
    expect(await findNext(deps, list, id, shown)).toEqual({ next: ids[2] ?? 0, count: 5 })
    expect((await findNext(deps, 'state=2&ordering=updated', id, shown)).next).toBe(ids[2] ?? 0)
    expect((await findNext(deps, 'state=2&ordering=-updated', id, shown)).next).toBeNull()
    await store.change(id, { title: 'Élan' })
  })

  test('Begins at the start for a record that does not exist', async () => {
    expect((await findNext(deps, 'state=2', 999_999)).next).toBe(ids[0] ?? 0)
  })

  test.each([
    'state=9',
    'recorded_after=x',
    'missing=sense',
    `q=${'x'.repeat(300)}`,
    'id=a',
    'speaker_id=-1',
    'host=a b',
    'nonsense=1',
    '<img>=x',
    'state=1&state=2',
  ])('A list that makes no sense has no records: %s', async (list) => {
    expect(await findNext(deps, list, ids[0] ?? 0)).toEqual({ next: null, count: 0 })
  })

  test.each(['', '&&', 'nonsense=', 'page=0', 'cursor=x', 'page_size=0'])(
    'What says nothing about the list is ignored: %s',
    async (list) => {
      expect((await findNext(deps, list, ids[0] ?? 0)).count).toBe(6)
    },
  )

  test.each(['category=%00', 'by=%00', 'host=%00', 'ordering=%00', 'q=%00', 'speaker=%00', 'source_url=%ED%A0%80'])(
    'Hostile texts do not fail: %s',
    async (list) => {
      expect((await findNext(deps, list, ids[0] ?? 0)).count).toBeLessThan(7)
    },
  )
})
