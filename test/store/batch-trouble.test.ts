import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createFileWatch, refuseWhenLost, type Writer } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import {
  change,
  count,
  fail,
  openStore,
  readBatch,
  readCategories,
  rename,
  undo,
  waitFor,
  withTalks,
} from './large-store.ts'

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

test('a batch whose beginning was stored but not known to be is stopped, and made when it is asked for again', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, 60_000, withoutFirstAnswer)
    expect(await ask(rename('Renamed'))).toEqual({ is: 'failed', failure: 'unknown' })
    await waitFor(() => Object(readBatch(db, 2)).state === 'stopped')
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
    await queue.drain()
  }))

/** The file loses its name while a batch is written, or stopped. */
function withFileMovedBy(writer: Writer, path: string): Writer {
  const watch = createFileWatch(path)
  const moveAfter = <T>(result: T): T => {
    renameSync(path, `${path}.moved`)
    return result
  }
  const moving: Writer = {
    ...writer,
    runBatch: (...job) => moveAfter(writer.runBatch(...job)),
    stopBatches: (seen) => moveAfter(writer.stopBatches(seen)),
  }
  return refuseWhenLost(moving, () => watch() !== null)
}

test('a batch in a lost file is never reported as done', () =>
  withTalks(async (path) => {
    const { db, writer } = openStore(path, 60_000, (writer) => withFileMovedBy(writer, path))
    const outcomes = await writer.run([rename('Renamed')], new Set())
    const begun = outcomes === 'busy' ? undefined : outcomes[0]
    if (begun?.is !== 'begun') return fail(begun)
    const watch = { onProgress: () => undefined, isStopped: () => false, isAnswered: () => false }
    expect(await writer.runBatch(begun.job, watch)).toEqual({ is: 'failed', failure: 'unknown' })
    expect(await writer.runBatch(begun.job, watch)).toEqual({ is: 'failed', failure: 'down' })
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
    const { db, queue, ask } = openStore(path, 200, (writer) => {
      // Between the beginning of the batch and its transaction.
      const run: Writer['run'] = async (...group) => {
        const outcomes = await writer.run(...group)
        if (!other.inTransaction) other.run('BEGIN IMMEDIATE')
        return outcomes
      }
      return { ...writer, run }
    })
    const other = openForWriting(path, 5_000)
    expect(await ask(rename('Renamed'))).toMatchObject({ batch: { id: 2, state: 'running', total: count } })
    other.run('COMMIT')
    other.close()
    await waitFor(() => Object(readBatch(db, 2)).state === 'done')
    expect(readCategories(db)).toEqual([['Renamed', 'event', count]])
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
    const many = openStore(path, 60_000, (writer) => ({
      ...writer,
      async runBatch(...job) {
        await writer.runBatch(...job)
        return { is: 'failed', failure: 'unknown' }
      },
    }))
    const beforeMany = many.counters.load(7)
    expect(await many.ask(undo)).toEqual({ is: 'failed', failure: 'unknown' })
    expect(many.counters.load(7)).not.toBe(beforeMany)
    expect(readBatch(many.db, 2)).toEqual({ state: 'done', done: count, records: count })
    await many.queue.drain()
  }))
