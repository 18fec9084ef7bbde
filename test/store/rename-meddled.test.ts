import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { checkBatches } from '../../src/store/maintain/check/leftovers.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createRecordRows } from '../../src/store/write/record-rows.ts'
import {
  author,
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
    await beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect((await ask(change(1, { category: 'Event' }))).is).toBe('stored')
    const whole = { id: 2, state: 'done', total: count, done: count, changed: count, unchanged: 0 }
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: whole })
    expect(listVersions(db, 1).map(([, batch]) => batch)).toEqual([1, 2, null, 2])
    expect(await Array.fromAsync(checkBatches(createSqliteDatabase(db)))).toEqual([])
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
    expect(await Array.fromAsync(checkBatches(createSqliteDatabase(db)))).toEqual([])
    await queue.drain()
  }))

const describe = (slug: string) => ({ kind: 'category', slug, author, changes: { description: 'Curated' } }) as const
const readCurated = (db: Database) =>
  db.query(`SELECT title, slug FROM category WHERE description = 'Curated' ORDER BY id`).values()

test('a category that somebody wrote to after a rename was stopped is not overwritten by asking again', () =>
  withTalks(async (path) => {
    await beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask(describe('renamed'))).toMatchObject({ is: 'batch', category: { version: 2 } })
    const taken = { code: 'title_taken', more: { slug: 'renamed' } }
    expect(await ask(rename('Renamed'))).toMatchObject({ is: 'refused', refusal: taken })
    expect(readBatch(db, 2)).toMatchObject({ state: 'stopped', done: 100 })
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { state: 'done', changed: 100, left: [] } })
    expect(readCurated(db)).toEqual([['Renamed', 'renamed']])
    expect(readCategories(db)[0]).toEqual(['Event', 'event', count])
    await queue.drain()
  }))

test('a category that others made after a stopped rename had lost its own is not merged by asking again', () =>
  withTalks(async (path) => {
    await beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask({ ...rename('Aside'), slug: 'renamed' })).toMatchObject({ batch: { changed: 100 } })
    expect((await ask({ kind: 'create', author, changes: { title: 'New', category: 'Renamed' } })).is).toBe('stored')
    expect(await ask(rename('Renamed'))).toMatchObject({ is: 'refused', refusal: { code: 'title_taken' } })
    expect(readCategories(db).map(([title, , records]) => [title, records])).toEqual([
      ['Event', count - 100],
      ['Aside', 100],
      ['Renamed', 1],
    ])
    await queue.drain()
  }))

test('a category that somebody wrote to after an undo was stopped is not overwritten by asking again', () =>
  withTalks(async (path) => {
    const before = openStore(path)
    await before.ask(rename('Renamed'))
    await before.queue.drain()
    before.db.close()
    const back = { ...undo, batch: 2 }
    await beginAndDie(path, back)
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 3)).state === 'stopped')
    const old = readCategories(db).find(([title]) => title === 'Event')?.[1]
    expect(await ask(describe(String(old)))).toMatchObject({ is: 'batch', category: { version: 2 } })
    expect(await ask(back)).toMatchObject({ batch: { id: 3, state: 'done', changed: count, left: [] } })
    expect(readCurated(db)).toEqual([['Event', String(old)]])
    expect(readCategories(db)).toEqual([
      ['Renamed', 'event', 0],
      ['Event', String(old), count],
    ])
    await queue.drain()
  }))

test('a category that an import writes to while a rename runs is not overwritten at its end', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const renamed = ask(rename('Renamed'))
    await waitFor(() => Number(Object(readBatch(db, 2)).done) >= 50)
    const other = openForWriting(path, 5_000)
    const store = createSqliteDatabase(other)
    const { categories } = createRecordRows(store)
    const authorship = { at: '2030-01-01T00:00:00.000', author: 'import', reason: null }
    await store.transaction('write', async () =>
      categories.update(await categories.ensureCategory('Renamed', authorship), { description: 'Curated' }, authorship),
    )
    other.close()
    expect(await renamed).toMatchObject({ batch: { state: 'done', changed: count } })
    expect(readCurated(db)).toEqual([['Renamed', 'renamed']])
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { state: 'done', changed: count, left: [] } })
    expect(readCurated(db)).toEqual([['Renamed', 'renamed']])
    expect(readCategories(db)[0]).toEqual(['Event', 'event', count])
    await queue.drain()
  }))
