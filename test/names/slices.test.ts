import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { importTalks } from '../store/talks.ts'
import { author, type NameStore, useNameStores } from './name-stores.ts'

// Runner: slow

const count = 650
const stores = useNameStores()
const rename = (nameId: number, name: string): Command => ({ kind: 'rename name', of: 'speaker', nameId, name, author })
const merge = (nameId: number, into: number): Command => ({ kind: 'merge names', of: 'speaker', nameId, into, author })
const undo = (batch: number): Command => ({ kind: 'undo', batch, author })
const change = (id: number, speakers: readonly string[]): Command => {
  return { kind: 'merge', id, author, precondition: {}, changes: { speakers } }
}

/** Many talks of Ann, who is speaker 1, and one of Bob, who is speaker 2. */
async function fill(store: NameStore): Promise<void> {
  for (let id = 1; id <= count; id++) await store.create({ speakers: ['Ann'] })
  await store.create({ speakers: ['Bob'] })
}

/** Name, slug, alias and number of records of each row. */
const readNames = (store: NameStore) =>
  store.rows(
    `SELECT name, slug, merged_into, (SELECT count(*) FROM record_speaker WHERE speaker_id = speaker.id) FROM speaker ORDER BY id`,
  )

const readBatch = (store: NameStore, id: number) =>
  store.rows(`SELECT state, total, done, records FROM batch WHERE id = ${id}`)

const before = [
  ['Ann', 'ann', null, count],
  ['Bob', 'bob', null, 1],
]
const renamed = [
  ['Anna', 'anna', null, count],
  ['Bob', 'bob', null, 1],
  ['Ann', 'ann', 1, 0],
]
/** As before; the new name keeps its row, which nothing leads to. */
const undone = [...before, ['Anna', 'anna', null, 0]]

describe.each(stores)('On $name, a large rename', ({ run }) => {
  test(
    'goes in slices, and its id has all records at any time',
    () =>
      run(async (store) => {
        await fill(store)
        const outcome = await store.during(rename(1, 'Anna'), async () => {
          expect(await readNames(store)).toEqual(renamed)
          expect(await store.check()).toEqual([])
          expect(await store.ask(rename(1, 'Other'))).toMatchObject({ refusal: { code: 'batch_running' } })
          expect(await store.ask(merge(2, 1))).toMatchObject({ refusal: { code: 'batch_running' } })
          expect(await store.ask(undo(1))).toMatchObject({ refusal: { code: 'batch_running' } })
          // Stored as sent, and then still a record of the batch.
          expect(await store.ask(change(600, ['Ann', 'Bob']))).toMatchObject({ is: 'stored' })
        })
        const counts = { id: 1, kind: 'rename speaker', state: 'done', total: count, changed: count }
        expect(outcome).toMatchObject({ is: 'batch', batch: counts })
        expect(await store.readList(600, 'speakers')).toEqual(['Anna', 'Bob'])
        expect(await store.ask(undo(1))).toMatchObject({ batch: { state: 'done', changed: count, left: [] } })
        expect((await readNames(store)).slice(0, 1)).toEqual(before.slice(0, 1))
      }),
    120_000,
  )

  test(
    'that was stopped is undone as a whole',
    () =>
      run(async (store) => {
        await fill(store)
        await store.stopAfter(rename(1, 'Anna'), 2)
        expect(await readBatch(store, 1)).toEqual([['stopped', count, 100, 100]])
        expect([await readNames(store), await store.check()]).toEqual([renamed, []])
        expect(await store.ask(undo(1))).toMatchObject({ batch: { id: 2, changed: 100, left: [] } })
        expect(await readNames(store)).toEqual(undone)
        expect(await store.readList(1, 'speakers')).toEqual(['Ann'])
      }),
    120_000,
  )

  test(
    'that was stopped goes on when it is asked for again, and its undo too',
    () =>
      run(async (store) => {
        await fill(store)
        await store.stopAfter(rename(1, 'Anna'), 2)
        expect(await store.ask(rename(1, 'Anna'))).toMatchObject({ batch: { id: 1, state: 'done', changed: count } })
        expect(await readNames(store)).toEqual(renamed)
        await store.stopAfter(undo(1), 3)
        expect(await store.check()).toEqual([])
        expect(await store.ask(undo(1))).toMatchObject({ batch: { id: 2, state: 'done', changed: count, left: [] } })
        expect(await readNames(store)).toEqual(undone)
        // And the undo of the undo.
        expect(await store.ask(undo(2))).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
        expect(await readNames(store)).toEqual(renamed)
      }),
    120_000,
  )

  test(
    'whose undo was stopped can be undone in turn',
    () =>
      run(async (store) => {
        await fill(store)
        await store.ask(rename(1, 'Anna'))
        await store.stopAfter(undo(1), 3)
        expect(await store.ask(undo(2))).toMatchObject({ batch: { state: 'done', changed: 150 } })
        expect(await readNames(store)).toEqual(renamed)
        expect(await store.readList(1, 'speakers')).toEqual(['Anna'])
      }),
    120_000,
  )
})

describe.each(stores)('On $name, a large merge', ({ run }) => {
  test(
    'goes in slices, is stopped, goes on and is undone',
    () =>
      run(async (store) => {
        await fill(store)
        await store.stopAfter(merge(1, 2), 2)
        expect(await readNames(store)).toEqual([
          ['Ann', 'ann', 2, count - 100],
          ['Bob', 'bob', null, 101],
        ])
        expect(await store.check()).toEqual([])
        expect(await store.ask(merge(1, 2))).toMatchObject({
          batch: { id: 1, state: 'done', total: count, changed: count },
        })
        const merged = [
          ['Ann', 'ann', 2, 0],
          ['Bob', 'bob', null, count + 1],
        ]
        expect(await readNames(store)).toEqual(merged)
        await store.stopAfter(undo(1), 2)
        expect(await store.ask(undo(1))).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
        expect(await readNames(store)).toEqual(before)
        expect(await store.ask(undo(2))).toMatchObject({ batch: { changed: count } })
        expect(await readNames(store)).toEqual(merged)
      }),
    120_000,
  )

  test(
    'of a category goes in slices, is stopped, goes on and is undone',
    () =>
      run(async (store) => {
        await importTalks(store.db, count, 'Event')
        await store.create({ category: 'Other' })
        const command: Command = { kind: 'merge categories', slug: 'event', into: 'other', author }
        const readCategories = () =>
          store.rows(
            'SELECT slug, merged_into, (SELECT count(*) FROM listing WHERE category_id = category.id) FROM category ORDER BY id',
          )
        await store.stopAfter(command, 2)
        expect(await readCategories()).toEqual([
          ['event', 2, count - 100],
          ['other', null, 101],
        ])
        expect(await store.ask(command)).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
        expect(await readCategories()).toEqual([
          ['event', 2, 0],
          ['other', null, count + 1],
        ])
        expect(await store.ask(undo(2))).toMatchObject({ batch: { state: 'done', changed: count } })
        expect(await readCategories()).toEqual([
          ['event', null, count],
          ['other', null, 1],
        ])
      }),
    120_000,
  )

  test(
    'leads to a category that is renamed in slices, whose id changes',
    () =>
      run(async (store) => {
        await importTalks(store.db, count, 'Event')
        await store.create({ category: 'Other' })
        const readCategories = () =>
          store.rows(
            `SELECT category.slug, category.title, target.slug AS target FROM category
           LEFT JOIN category AS target ON target.id = category.merged_into ORDER BY 1`,
          )
        await store.ask({ kind: 'merge categories', slug: 'other', into: 'event', author })
        const merged = await readCategories()
        expect(merged).toEqual([
          ['event', 'Event', null],
          ['other', 'Other', 'event'],
        ])
        await store.ask({ kind: 'category', slug: 'event', changes: { title: 'Renamed' }, author })
        expect(await readCategories()).toEqual([
          ['event', 'Renamed', null],
          ['other', 'Other', 'event'],
        ])
        await store.ask(undo(3))
        expect(await readCategories()).toEqual(merged)
        expect(await store.ask(undo(2))).toMatchObject({ batch: { changed: 1, left: [] } })
        expect(await readCategories()).toEqual([
          ['event', 'Event', null],
          ['other', 'Other', null],
        ])
      }),
    120_000,
  )
})
