import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { checkBatches } from '../../src/store/sql/check/leftovers.ts'
import {
  beginAndDie,
  change,
  count,
  openStore,
  readBatch,
  readCategories,
  rename,
  undo,
  waitFor,
  withTalks,
} from './sliced-store.ts'

const listVersions = (db: Database, id: number) =>
  db.query('SELECT number, batch FROM version WHERE record_id = ? ORDER BY number').values(id)

test('a record that is moved back after a rename was stopped counts once when the rename goes on', () =>
  withTalks(async (path) => {
    beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect((await ask(change(1, { category: 'Event' }))).is).toBe('stored')
    const whole = { id: 2, state: 'done', total: count, done: count, changed: count, unchanged: 0 }
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: whole })
    expect(listVersions(db, 1).map(([, batch]) => batch)).toEqual([1, 2, null, 2])
    expect([...checkBatches(db)]).toEqual([])
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { total: count, changed: count, left: [] } })
    expect(readCategories(db)).toEqual([['Event', 'event', count]])
    await queue.drain()
  }))

test('records that are moved back while a rename runs count once', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const renamed = ask(rename('Renamed'))
    await waitFor(() => Number(Object(readBatch(db, 2)).done) >= 50)
    for (const id of [1, 2]) expect((await ask(change(id, { category: 'Event' }))).is).toBe('stored')
    const whole = { state: 'done', total: count, done: count, changed: count, unchanged: 0 }
    expect(await renamed).toMatchObject({ batch: whole })
    expect(listVersions(db, 1).length).toBe(4)
    expect([...checkBatches(db)]).toEqual([])
    await queue.drain()
  }))
