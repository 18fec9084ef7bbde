import { expect, test } from 'bun:test'
import type { Writer } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import { count, openStore, readBatch, readCategories, rename, waitFor, withTalks } from './sliced-store.ts'

/** The first group is stored, and nobody hears of it. */
function withoutFirstAnswer(writer: Writer): Writer {
  let isFirst = true
  return {
    ...writer,
    run(commands, usedTokens) {
      const outcomes = writer.run(commands, usedTokens)
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
