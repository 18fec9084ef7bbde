import { expect, test } from 'bun:test'
import {
  author,
  beginAndDie,
  change,
  count,
  openStore,
  readBatch,
  readCategories,
  readStates,
  rename,
  undo,
  waitFor,
  withTalks,
} from './sliced-store.ts'

test('other writes get in between the slices of an undo, and each record is judged when its turn comes', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const order: string[] = []
    const undone = ask(undo).then((outcome) => order.push('undo') && outcome)
    await ask(change(640, { state: 2 })).then(() => order.push('one'))
    await ask(change(641, { title: 'Mine' })).then(() => order.push('other'))
    const left = [{ id: 640, fields: ['state'], why: 'already a draft' }]
    const counts = { total: count, done: count, changed: count - 1, unchanged: 1, left, left_count: 1 }
    expect(await undone).toMatchObject({ is: 'batch', batch: { id: 2, state: 'done', ...counts } })
    expect(order).toEqual(['one', 'other', 'undo'])
    expect(readStates(db)).toEqual([[2, count]])
    await queue.drain()
  }))

test('what is not done in time is answered with its number, and goes on', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 0)
    const running = await ask(undo)
    expect(running).toMatchObject({ is: 'batch', batch: { id: 2, state: 'running', total: count } })
    expect(await ask(undo)).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
    await waitFor(() => readStates(db).length === 1)
    await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'done', done: count, records: count }))
    await queue.drain()
  }))

test('a large undo that finds nothing to put back is no batch', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    await ask(undo)
    const again = await ask(undo)
    expect(again).toMatchObject({ is: 'batch', batch: { id: null, state: 'done', changed: 0, left_count: count } })
    expect(db.query('SELECT count(*) FROM batch').values()).toEqual([[2]])
    await queue.drain()
  }))

test('a dry run of a large undo tells what would be, and changes nothing', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 0)
    await ask(change(7, { state: 2 }))
    const left = [{ id: 7, fields: ['state'], why: 'already a draft' }]
    const report = { id: null, state: 'done', total: count, done: count, changed: count - 1, unchanged: 1, left }
    expect(await ask({ ...undo, isDryRun: true })).toMatchObject({ is: 'batch', batch: report })
    expect([readStates(db), db.query('SELECT count(*) FROM batch').values()]).toEqual([
      [
        [1, count - 1],
        [2, 1],
      ],
      [[1]],
    ])
    await queue.drain()
  }))

test('an undo whose writer died is stopped, and goes on where it was when it is asked for again', () =>
  withTalks(async (path) => {
    await beginAndDie(path, undo)
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'stopped', done: 100, records: 100 }))
    expect(await ask(undo)).toMatchObject({ batch: { id: 2, state: 'done', done: count, changed: count, left: [] } })
    expect(readStates(db)).toEqual([[2, count]])
    expect(db.query('SELECT DISTINCT version FROM record').values()).toEqual([[2]])
    await queue.drain()
  }))

test('an undo that was stopped goes on when it is asked for again with its Idempotency-Key', () =>
  withTalks(async (path) => {
    const keyed = { ...undo, idempotencyKey: 'k' }
    await beginAndDie(path, keyed)
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask(keyed)).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
    expect(await ask(keyed)).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
    expect(readStates(db)).toEqual([[2, count]])
    await queue.drain()
  }))

test('an undo that was stopped can be undone', () =>
  withTalks(async (path) => {
    await beginAndDie(path, undo)
    const { db, queue, ask } = openStore(path)
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({
      batch: { id: 3, state: 'done', total: 100, changed: 100 },
    })
    expect(readStates(db)).toEqual([[1, count]])
    await queue.drain()
  }))

test('a server that ends stops its batches where they are, and answers', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const undone = ask(undo)
    await waitFor(() => db.query('SELECT 1 FROM batch WHERE id = 2').get() !== null)
    await queue.drain()
    expect(await undone).toMatchObject({ is: 'batch', batch: { id: 2, state: 'stopped', total: count } })
    expect(readBatch(db, 2)).toMatchObject({ state: 'stopped' })
    expect(readStates(db)).toHaveLength(2)
  }))

test('in the middle of a large rename every record agrees with its category', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 0)
    await ask({ kind: 'category', slug: 'event', author, changes: { description: 'What it is' } })
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: { id: 2, state: 'running', total: count } })
    const [old, fresh] = readCategories(db)
    expect([old?.slice(0, 2), fresh?.slice(0, 2)]).toEqual([
      ['Event', 'event'],
      ['Renamed', 'renamed'],
    ])
    expect(Number(old?.[2]) + Number(fresh?.[2])).toBe(count)
    // Whoever is in the way is told so, and whoever still uses the old title goes along.
    for (const slug of ['event', 'renamed']) {
      const other = { kind: 'category', slug, author, changes: { title: 'Another' } } as const
      expect(await ask(other)).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
    }
    await ask({ kind: 'create', author, changes: { title: 'Late', category: 'Event' } })
    await ask(change(600, { whiteboard: 'x' }))
    await waitFor(() => Object(readBatch(db, 2)).state === 'done')
    expect(readCategories(db)).toEqual([['Renamed', 'event', count + 1]])
    expect(db.query('SELECT description FROM category').values()).toEqual([['What it is']])
    expect(readBatch(db, 2)).toEqual({ state: 'done', done: count + 1, records: count + 1 })
    await queue.drain()
  }))

test('a large rename is undone, and the undoing too, with one category at the end', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    await ask(rename('Renamed'))
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { id: 3, changed: count, left: [] } })
    expect(readCategories(db)).toEqual([['Event', 'event', count]])
    expect(await ask({ ...undo, batch: 3 })).toMatchObject({ batch: { id: 4, changed: count, left: [] } })
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    await queue.drain()
  }))

test('a rename whose writer died leaves two categories, and goes on when it is asked for again', () =>
  withTalks(async (path) => {
    await beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(readCategories(db)).toEqual([
      ['Event', 'event', count - 100],
      ['Renamed', 'renamed', 100],
    ])
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    await queue.drain()
  }))

test('a rename whose writer died can be undone', () =>
  withTalks(async (path) => {
    await beginAndDie(path, rename('Renamed'))
    const { db, queue, ask } = openStore(path)
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { id: 3, state: 'done', changed: 100 } })
    expect(readCategories(db)).toEqual([['Event', 'event', count]])
    await queue.drain()
  }))
