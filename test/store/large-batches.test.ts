import { expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
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
} from './large-store.ts'

// Runner: long (thousands of records)

const whole = { id: 2, state: 'done', total: count, done: count, changed: count, unchanged: 0, left: [] }

test('a large undo names what it leaves as it is, and other writes wait for it', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    await ask(change(640, { state: 2 }))
    const order: string[] = []
    const undone = ask(undo).then((outcome) => order.push('undo') && outcome)
    await ask(change(641, { title: 'Mine' })).then(() => order.push('other'))
    const left = [{ id: 640, fields: ['state'], why: 'already_draft' }]
    const counts = { total: count, done: count, changed: count - 1, unchanged: 1, left, left_count: 1 }
    expect(await undone).toMatchObject({ is: 'batch', batch: { id: 2, state: 'done', ...counts } })
    expect(readStates(db)).toEqual([[2, count]])
    await queue.drain()
  }))

test('what is not done in time is answered with its number, and goes on', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, -1)
    expect(await ask(undo)).toMatchObject({ is: 'batch', batch: { id: 2, state: 'running', total: count, changed: 0 } })
    await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'done', done: count, records: count }))
    expect(readStates(db)).toEqual([[2, count]])
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
    const { db, queue, ask } = openStore(path, -1)
    await ask(change(7, { state: 2 }))
    const left = [{ id: 7, fields: ['state'], why: 'already_draft' }]
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

test('a dry run that takes too long is given up, and others write on', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 60_000, (writer) => writer, -1)
    expect(await ask({ ...undo, isDryRun: true })).toEqual({ is: 'failed', failure: 'busy' })
    expect(await ask(change(7, { state: 2 }))).toMatchObject({ is: 'stored' })
    expect(db.query('SELECT count(*) FROM batch').values()).toEqual([[1]])
    await queue.drain()
  }))

test.each<Command>([undo, rename('Renamed'), { kind: 'merge categories', slug: 'event', into: 'other', author }])(
  'what a writer has begun that died is stopped, has changed nothing, and is made when it is asked for again: %j',
  (command) =>
    withTalks(async (path) => {
      const first = openStore(path)
      await first.ask({ kind: 'create category', author, changes: { title: 'Other' } })
      await first.queue.drain()
      first.db.close()
      const keyed = { ...command, idempotencyKey: 'once' }
      await beginAndDie(path, keyed)
      const { db, queue, ask } = openStore(path)
      await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'stopped', done: 0, records: 0 }))
      expect([readStates(db), readCategories(db)[0]]).toEqual([[[1, count]], ['Event', 'event', count]])
      const made = await ask(keyed)
      expect(made).toMatchObject({ batch: { ...whole, id: 3 } })
      expect(await ask(keyed)).toMatchObject({ batch: { id: 3, state: 'done' } })
      expect(db.query('SELECT DISTINCT version FROM record').values()).toEqual([[2]])
      await queue.drain()
    }),
)

test('a large rename keeps the row of the category; its undo gives title and fields back, and the undo of that too', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const read = () => db.query('SELECT id, slug, title, description FROM category').values()
    const before = read()
    const renamed = await ask({ ...rename('Renamed'), changes: { title: 'Renamed', description: 'New' } })
    expect(renamed).toMatchObject({ batch: whole, category: { id: 1, fields: { title: 'Renamed' } } })
    const after = [[1, 'event', 'Renamed', 'New']]
    expect([read(), readCategories(db)]).toEqual([after, [['Renamed', 'event', count]]])
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { id: 3, changed: count, left: [] } })
    expect([read(), readCategories(db)]).toEqual([before, [['Event', 'event', count]]])
    expect(await ask({ ...undo, batch: 3 })).toMatchObject({ batch: { id: 4, changed: count, left: [] } })
    expect(read()).toEqual(after)
    await queue.drain()
  }))

test('the undo of a large rename leaves the title to records that joined the event since', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    await ask(rename('Renamed'))
    await ask({ kind: 'create', author, changes: { title: 'Late', category: 'Renamed' } })
    expect(await ask({ ...undo, batch: 2 })).toMatchObject({ batch: { changed: count, left: [] } })
    expect(readCategories(db)).toEqual([
      ['Renamed', 'event', 1],
      ['Event', 'event-2', count],
    ])
    await queue.drain()
  }))

test('undos at once with the same key are one batch; of others one is refused', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const keyed = { ...undo, idempotencyKey: 'once' }
    const reused = { ...keyed, reason: 'another wish' }
    const [first, second, third, fourth] = await Promise.all([ask(keyed), ask(keyed), ask(reused), ask(undo)])
    expect(first).toMatchObject({ batch: whole })
    expect(second).toMatchObject({ batch: { id: 2, state: 'running' } })
    expect(third).toMatchObject({ is: 'refused', refusal: { code: 'key_reused' } })
    expect(fourth).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
    expect(await ask(keyed)).toMatchObject({ batch: whole })
    expect(db.query('SELECT count(*) FROM batch').values()).toEqual([[2]])
    await queue.drain()
  }))
