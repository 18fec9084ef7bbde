import { expect, test } from 'bun:test'
import { createChangeLog } from '../../src/store/read/change-log.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createWriter, type Writer } from '../../src/store/sqlite/writer.ts'
import { longTest } from '../harness/runs.ts'
import { ann, bulk } from './bulk-store.ts'
import { change, count, fail, openStore, waitFor, withTalks } from './large-store.ts'
import { importTalks } from './talks.ts'

const all = { query: 'category=event' }
const retag = bulk({ select: all, patch: { tags: { add: ['x'] } }, expect: count })
const noBatches = { running: 0, done: 0, total: 0 }

type Db = ReturnType<typeof openForWriting>
const countVersions = (db: Db) => db.query('SELECT version, count(*) FROM record GROUP BY version').values()
const listBatches = (db: Db) => db.query('SELECT id, kind, state, done, records FROM batch WHERE id > 1').values()
const untouched = [[1, count]]

/** Begins a bulk change and does not run it. */
async function begin(writer: Writer, command = retag) {
  const outcomes = await writer.run([command], new Set())
  const begun = outcomes === 'busy' ? undefined : outcomes[0]
  return begun?.is === 'begun' ? begun.job : fail(begun)
}

const idle = { onProgress: () => undefined, isAnswered: () => false, isStopped: () => false }

test('a large bulk change is one batch, and other writes wait for it', () =>
  withTalks(async (path) => {
    const { db, queue, ask, counters } = openStore(path)
    const changed = ask(retag)
    const other = ask(change(7, { summary: 'Mine' }))
    const counts = { total: count, done: count, changed: count, unchanged: 0, refused: [] }
    expect(await changed).toMatchObject({ is: 'batch', batch: { id: 2, kind: 'bulk', state: 'done', ...counts } })
    expect(await other).toMatchObject({ is: 'stored' })
    expect(listBatches(db)).toEqual([[2, 'bulk', 'done', count, count]])
    expect(countVersions(db)).toEqual([
      [2, count - 1],
      [3, 1],
    ])
    expect(counters.loadBatches()).toEqual(noBatches)
    expect(counters.loadBulk().batch).toBe(0)
    await queue.drain()
  }))

test('a bulk change that is not done in time is answered with its number, and goes on', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, -1)
    const running = await ask(retag)
    expect(running).toMatchObject({ batch: { id: 2, kind: 'bulk', state: 'running', total: count, changed: 0 } })
    await waitFor(() => Bun.deepEquals(listBatches(db), [[2, 'bulk', 'done', count, count]]))
    expect(countVersions(db)).toEqual([[2, count]])
    await queue.drain()
  }))

test('while it runs, its progress is told to other threads, and no record has changed for others', () =>
  withTalks(async (path) => {
    const seen: unknown[] = []
    const { queue, ask, counters } = openStore(path, 60_000, (writer) => ({
      ...writer,
      runBatch: (job, watch) =>
        writer.runBatch(job, {
          ...watch,
          onProgress(done) {
            watch.onProgress(done)
            if (done === 160) seen.push(counters.loadBatches(), counters.loadBulk(), countVersions(other))
          },
        }),
    }))
    const other = openForWriting(path, 0)
    await ask(retag)
    const progress = { running: 1, done: 160, total: count }
    expect(seen).toEqual([progress, { batch: 2, done: 160 }, untouched])
    other.close()
    await queue.drain()
  }))

test('the list of batches has the progress of the one that runs', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path)
    const batch = (await begin(writer)).batch ?? 0
    const deps = { readStoreId: async () => 'store', loadBulk: () => ({ batch, done: 123 }) }
    const log = createChangeLog(createSqliteDatabase(db), deps)
    const { lines } = await log.readBatches({ page: 1, pageSize: 10, by: null, id: null })
    expect(lines).toMatchObject([
      { id: 2, state: 'running', done: 123, total: count },
      { id: 1, state: 'done', done: count },
    ])
    db.close()
  }))

test('a large bulk change that is refused or changes nothing leaves no batch', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const ids = Array.from({ length: count + 1 }, (_, i) => i + 1)
    const patch = { tags: { add: ['x'] } }
    const refused = [{ id: count + 1, problem: 'not_found' }]
    const outcome = await ask(bulk({ select: { ids }, patch }))
    expect(outcome).toMatchObject({ is: 'refused', refusal: { code: 'records_refused', more: { refused } } })
    expect([listBatches(db), countVersions(db)]).toEqual([[], untouched])
    const nothing = await ask(bulk({ select: { ids }, patch: { category: 'Event' }, partial: true }))
    expect(nothing).toMatchObject({ batch: { id: null, state: 'done', changed: 0, refused } })
    expect(listBatches(db)).toEqual([])
    await queue.drain()
  }))

test('a bulk change that was answered late and is refused then is a stopped batch', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, -1)
    const ids = Array.from({ length: count + 1 }, (_, i) => i + 1)
    expect(await ask(bulk({ select: { ids }, patch: { tags: ['x'] } }))).toMatchObject({ batch: { state: 'running' } })
    await waitFor(() => Bun.deepEquals(listBatches(db), [[2, 'bulk', 'stopped', 0, 0]]))
    expect(countVersions(db)).toEqual(untouched)
    await queue.drain()
  }))

test('the records are selected when they are changed: what others did in between counts', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path)
    const job = await begin(writer)
    await writer.run([change(3, { category: 'Another' })], new Set())
    const outcome = await writer.runBatch(job, idle)
    expect(outcome).toMatchObject({ refusal: { code: 'unexpected_count', more: { count: count - 1 } } })
    expect(listBatches(db)).toEqual([])
    db.close()
  }))

test('a bulk change whose writer died is stopped and has changed nothing; the same request makes it', () =>
  withTalks(async (path) => {
    const db = openForWriting(path, 0)
    const command = { ...retag, idempotencyKey: 'once' }
    await begin(createWriter({ db, now: Date.now, onError: fail }), command)
    db.close()
    const next = openStore(path)
    await waitFor(() => Bun.deepEquals(listBatches(next.db), [[2, 'bulk', 'stopped', 0, 0]]))
    expect(await next.ask(command)).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
    expect(await next.ask(command)).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
    expect(countVersions(next.db)).toEqual([[2, count]])
    await next.queue.drain()
  }))

longTest('records that do not fit into memory after they were judged are judged again when they are written', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    // One word, which costs the search index little.
    const summary = 'x'.repeat(120_000)
    for (let id = 1; id <= count; id++) await ask(change(id, { summary }))
    expect(await ask(retag)).toMatchObject({ batch: { state: 'done', changed: count } })
    expect(countVersions(db)).toEqual([[3, count]])
    const tagged = db.query(
      `SELECT count(*) FROM record WHERE CAST(body AS TEXT) ->> 'tags' = '["x"]' AND length(body) > 120000`,
    )
    expect(tagged.values()).toEqual([[count]])
    await queue.drain()
  }),
)

test('a bulk change that others have stopped does not run', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path)
    const job = await begin(writer)
    await writer.stopBatches([{ id: job.batch ?? 0 }])
    expect(await writer.runBatch(job, idle)).toMatchObject({ is: 'batch', batch: { id: 2, state: 'stopped' }, ids: [] })
    expect(countVersions(db)).toEqual(untouched)
    db.close()
  }))

test(
  'a selection of more than ten thousand records is refused with their number',
  () =>
    withTalks(async (path) => {
      const { db, queue, ask } = openStore(path)
      await importTalks(createSqliteDatabase(db), 10_001, 'More')
      const patch = { language: 'de' }
      for (const select of [{ query: 'q=talk' }, { by: 'import', since: '2020-01-01' }]) {
        const outcome = await ask(bulk({ select, patch, expect: 10_001 }))
        expect(outcome).toMatchObject({ is: 'refused', refusal: { code: 'too_many_records', more: { count: 10_001 } } })
      }
      const dryRun = await ask(bulk({ select: { query: 'tag=none&q=talk' }, patch }, ann, true))
      expect(dryRun).toMatchObject({ batch: { total: 0 } })
      await queue.drain()
    }),
  60_000,
)
