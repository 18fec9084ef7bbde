import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createFileWatch } from '../../src/store/sqlite/file-watch.ts'
import { refuseWhenLost, type Writer } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import {
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

/** The first group is stored, and nobody hears of it. */
function withoutFirstAnswer(writer: Writer): Writer {
  let isFirst = true
  return {
    ...writer,
    async run(commands, usedTokens) {
      const outcomes = await writer.run(commands, usedTokens)
      if (outcomes === 'busy' || !isFirst) return outcomes
      isFirst = false
      return outcomes.map((): Outcome => ({ is: 'failed', failure: 'unknown' }))
    },
  }
}

test('a batch whose beginning was stored but not known to be is stopped, and goes on when it is asked for again', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 60_000, withoutFirstAnswer)
    expect(await ask(rename('Renamed'))).toEqual({ is: 'failed', failure: 'unknown' })
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: { id: 2, state: 'done', changed: count } })
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    await queue.drain()
  }))

/** The file loses its name while a slice is written, or a batch is stopped. */
function withFileMovedBy(writer: Writer, path: string): Writer {
  const watch = createFileWatch(path)
  const moveAfter = <T>(result: T): T => {
    renameSync(path, `${path}.moved`)
    return result
  }
  const moving: Writer = {
    ...writer,
    runSlice: (...slice) => moveAfter(writer.runSlice(...slice)),
    stopBatches: (seen) => moveAfter(writer.stopBatches(seen)),
  }
  return refuseWhenLost(moving, () => watch() !== null)
}

test('of a slice that went to a file which is lost meanwhile nobody is told that it is done', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path, 60_000, (writer) => withFileMovedBy(writer, path))
    const outcomes = await writer.run([rename('Renamed')], new Set())
    const begun = outcomes === 'busy' ? undefined : outcomes[0]
    if (begun?.is !== 'begun') throw new Error('the rename has not begun')
    const limits = { maxMs: 60_000, maxRecords: count * 2 }
    expect(await writer.runSlice(begun.job, limits, false)).toEqual({ is: 'failed', failure: 'unknown' })
    expect(await writer.runSlice(begun.job, limits, false)).toEqual({ is: 'failed', failure: 'down' })
    db.close()
  }))

test('of a batch in a file which is lost meanwhile nobody is told that it is stopped', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path, 60_000, (writer) => withFileMovedBy(writer, path))
    await writer.run([rename('Renamed')], new Set())
    expect(await writer.stopBatches([{ id: 2 }])).toEqual({ is: 'failed', failure: 'unknown' })
    expect(await writer.stopBatches([{ id: 2 }])).toEqual({ is: 'failed', failure: 'down' })
    db.close()
  }))

test('a late batch is answered as it is though another process holds the file', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 200)
    const answer = ask(rename('Renamed'))
    await waitFor(() => readBatch(db, 2) !== null)
    const other = openForWriting(path, 5_000)
    other.run('BEGIN IMMEDIATE')
    expect(await answer).toMatchObject({ is: 'batch', batch: { id: 2, state: 'running', total: count } })
    other.run('COMMIT')
    other.close()
    await waitFor(() => Object(readBatch(db, 2)).state === 'done')
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    await queue.drain()
  }))

/** One slice is stored, and nobody hears of it. */
function withoutAnswerTo(slice: number, writer: Writer): Writer {
  let slices = 0
  return {
    ...writer,
    async runSlice(...given) {
      const ran = await writer.runSlice(...given)
      return ++slices === slice ? { is: 'failed', failure: 'unknown' } : ran
    },
  }
}

const whole = { id: 2, state: 'done', total: count, done: count, changed: count, unchanged: 0, left: [] }

test('an undo whose first slice was stored but not known to be goes on as one batch when it is asked for again', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 60_000, (writer) => withoutAnswerTo(1, writer))
    expect(await ask(undo)).toEqual({ is: 'failed', failure: 'unknown' })
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask(undo)).toMatchObject({ batch: whole })
    await queue.drain()
  }))

test.each([undo, rename('Renamed')])(
  'a later slice that was stored but not known to be is counted once: %j',
  (command) =>
    withTalks(async (path) => {
      const { queue, ask } = openStore(path, 60_000, (writer) => withoutAnswerTo(2, writer))
      expect(await ask(command)).toMatchObject({ batch: whole })
      await queue.drain()
    }),
)

test('undos at once with the same key are one batch, and both are answered with it', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const keyed = { ...undo, idempotencyKey: 'once' }
    const other = { ...keyed, reason: 'another wish' }
    const [first, second, third] = await Promise.all([ask(keyed), ask(keyed), ask(other)])
    expect(first).toMatchObject({ batch: whole })
    expect(second).toEqual(first)
    expect(third).toMatchObject({ is: 'refused', refusal: { code: 'key_reused' } })
    expect(await ask(keyed)).toMatchObject({ batch: whole })
    expect(db.query('SELECT count(*) FROM batch').values()).toEqual([[2]])
    await queue.drain()
  }))

test('of two undos of a batch at once one is refused, and they do not share its records', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path)
    const [first, second, dryRun] = await Promise.all([ask(undo), ask(undo), ask({ ...undo, isDryRun: true })])
    expect(first).toMatchObject({ batch: whole })
    expect(second).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
    expect(dryRun).toMatchObject({ batch: { id: null, state: 'done', total: count, done: count } })
    expect(db.query('SELECT count(*) FROM batch').values()).toEqual([[2]])
    await queue.drain()
  }))

test('what was stored though nobody heard of it is not read from a cache any more', () =>
  withTalks(async (path) => {
    const one = openStore(path, 60_000, withoutFirstAnswer)
    const beforeOne = one.counters.load(7)
    expect(await one.ask(change(7, { title: 'Changed' }))).toEqual({ is: 'failed', failure: 'unknown' })
    expect(one.counters.load(7)).not.toBe(beforeOne)
    await one.queue.drain()
    one.db.close()
    const many = openStore(path, 60_000, (writer) => withoutAnswerTo(1, writer))
    const beforeMany = many.counters.load(7)
    expect(await many.ask(undo)).toEqual({ is: 'failed', failure: 'unknown' })
    expect(many.counters.load(7)).not.toBe(beforeMany)
    await many.queue.drain()
  }))
