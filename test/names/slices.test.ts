import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { longTest, sample } from '../harness/runs.ts'
import { importTalks } from '../store/talks.ts'
import { author, type NameStore, useNameStores } from './name-stores.ts'

// Runner: long, slow (thousands of records)

/** More than change in one transaction. */
const count = 10_050
const timeoutMs = 180_000
const stores = useNameStores()
const rename = (nameId: number, name: string): Command => ({ kind: 'rename name', of: 'speaker', nameId, name, author })
const merge = (nameId: number, into: number): Command => ({ kind: 'merge names', of: 'speaker', nameId, into, author })
const undo = (batch: number): Command => ({ kind: 'undo', batch, author })
const change = (id: number, speakers: readonly string[]): Command => {
  return { kind: 'merge', id, author, precondition: {}, changes: { speakers } }
}

/** Many talks of Ann, who is speaker 1, as batch 1; and one of Bob, who is speaker 2. */
async function fill(store: NameStore): Promise<void> {
  await importTalks(store.db, count, 'Event', { speakers: ['Ann'] })
  await store.create({ speakers: ['Bob'] })
}

/** Name, slug, alias and number of records of each row. */
const readNames = (store: NameStore) =>
  store.rows(
    `SELECT name, slug, merged_into, (SELECT count(*) FROM record_speaker WHERE speaker_id = speaker.id) FROM speaker ORDER BY id`,
  )

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

describe.each(sample(stores))('On $name, of more than ten thousand records', ({ run }) => {
  test(
    'a rename goes in slices, and its id has all records at any time; an undo that was stopped is finished',
    () =>
      run(async (store) => {
        await fill(store)
        const outcome = await store.during(rename(1, 'Anna'), async () => {
          expect(await readNames(store)).toEqual(renamed)
          expect(await store.ask(rename(1, 'Other'))).toMatchObject({ refusal: { code: 'batch_running' } })
          expect(await store.ask(merge(2, 1))).toMatchObject({ refusal: { code: 'batch_running' } })
          expect(await store.ask(undo(2))).toMatchObject({ refusal: { code: 'batch_running' } })
          // Stored as sent, and then still a record of the batch.
          expect(await store.ask(change(10_000, ['Ann', 'Bob']))).toMatchObject({ is: 'stored' })
        })
        const counts = { id: 2, kind: 'rename speaker', state: 'done', total: count, changed: count }
        expect(outcome).toMatchObject({ is: 'batch', batch: counts, name: { id: 1, name: 'Anna' } })
        expect(await store.readList(10_000, 'speakers')).toEqual(['Anna', 'Bob'])
        expect(await store.stop(undo(2))).toMatchObject({ batch: { state: 'stopped', changed: 100 } })
        expect(await store.ask(undo(2))).toMatchObject({ batch: { state: 'done', changed: count - 100 } })
        expect(await readNames(store)).toEqual([
          ['Ann', 'ann', null, count],
          ['Bob', 'bob', null, 2],
          ['Anna', 'anna', null, 0],
        ])
      }),
    timeoutMs,
  )

  longTest(
    'a rename and a merge that were stopped are finished when they are asked for again, or undone as a whole',
    () =>
      run(async (store) => {
        await fill(store)
        const stopped = await store.stop(rename(1, 'Anna'))
        expect(stopped).toMatchObject({ batch: { id: 2, state: 'stopped', total: count, changed: 100 } })
        expect([await readNames(store), await store.check()]).toEqual([renamed, []])
        expect(await store.ask(undo(2))).toMatchObject({ batch: { id: 3, changed: 100, left: [] } })
        expect(await readNames(store)).toEqual(undone)
        await store.stop(rename(1, 'Anna'))
        expect(await store.ask(rename(1, 'Anna'))).toMatchObject({ batch: { id: 5, changed: count - 100 } })
        expect(await store.ask(rename(1, 'Anna'))).toMatchObject({ batch: { id: null, changed: 0 } })
        expect([await readNames(store), await store.readList(count, 'speakers')]).toEqual([renamed, ['Anna']])
        expect(await store.stop(merge(1, 2))).toMatchObject({ batch: { state: 'stopped', changed: 100 } })
        expect(await store.check()).toEqual([])
        expect(await store.ask(merge(1, 2))).toMatchObject({ batch: { changed: count - 100 } })
        expect((await readNames(store)).slice(0, 2)).toEqual([
          ['Anna', 'anna', 2, 0],
          ['Bob', 'bob', null, count + 1],
        ])
      }),
    timeoutMs,
  )

  longTest(
    'the undo of an import that was stopped is finished when it is asked for again',
    () =>
      run(async (store) => {
        await importTalks(store.db, count, 'Event')
        const readStates = () => store.rows('SELECT state, count(*) FROM record GROUP BY state ORDER BY state')
        expect(await store.stop(undo(1))).toMatchObject({
          batch: { id: 2, state: 'stopped', total: count, changed: 100 },
        })
        expect(await readStates()).toEqual([
          [1, count - 100],
          [2, 100],
        ])
        expect(await store.ask(undo(1))).toMatchObject({ batch: { id: 3, changed: count - 100, left_count: 100 } })
        expect(await readStates()).toEqual([[2, count]])
      }),
    timeoutMs,
  )

  longTest(
    'a rename of their event is one transaction: what stops it leaves all as it was',
    () =>
      run(async (store) => {
        await importTalks(store.db, count, 'Event')
        const command: Command = { kind: 'category', slug: 'event', changes: { title: 'Renamed' }, author }
        const readAll = () =>
          store.rows(
            'SELECT category.id, title, category.slug, version, count(*) FROM category, record GROUP BY 1, 2, 3, 4',
          )
        const earlier = await readAll()
        expect(await store.stop(command)).toMatchObject({ batch: { id: 2, state: 'stopped', done: 0, changed: 0 } })
        expect(await readAll()).toEqual(earlier)
        expect(await store.ask(command)).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
        expect(await readAll()).toEqual([[1, 'Renamed', 'event', 2, count]])
        expect(await store.ask(undo(3))).toMatchObject({ batch: { id: 4, state: 'done', changed: count } })
        expect(await readAll()).toEqual([[1, 'Event', 'event', 3, count]])
      }),
    timeoutMs,
  )
})
