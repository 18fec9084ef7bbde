import { expect, test } from 'bun:test'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSharedReadTransaction } from '../../src/store/sqlite/shared-read-transaction.ts'
import { createStore, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'

const nextTurn = () => Bun.sleep(1)

/** A record at its second version, a reader whose reads share transactions, and a writer that bumps no counter itself. */
function withBoth(use: (fixture: ReturnType<typeof toFixture>) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const path = `${folder}/records.db`
    createStore(path, [toTalk('One'), toTalk('Two')])
    const [reading, writing] = [openForReading(path), openForWriting(path, 0)]
    try {
      await use(toFixture(reading, writing))
    } finally {
      await nextTurn()
      for (const db of [reading, writing]) db.close()
    }
  })
}

function toFixture(reading: ReturnType<typeof openForReading>, writing: ReturnType<typeof openForWriting>) {
  const versions = createCounters(createCountersBuffer())
  const turn = createSharedReadTransaction(reading, versions)
  const find = reading.query<{ version: number }, []>('SELECT version FROM record WHERE id = 1')
  const change = writing.query('UPDATE record SET version = version + 1 WHERE id = 1')
  const tidyUp = writing.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  return {
    versions,
    turn,
    reading,
    read: () => find.get()?.version,
    readInTurn() {
      turn.begin()
      return find.get()?.version
    },
    change: () => void change.run(),
    isTidy: () => tidyUp.get()?.busy === 0,
  }
}

test('whoever has seen a counter move sees the change, in the same turn too', () =>
  withBoth(async ({ readInTurn, change, versions }) => {
    expect(readInTurn()).toBe(2)
    change()
    versions.bump(1)
    expect(readInTurn()).toBe(3)
    change()
    versions.bumpAll()
    expect(readInTurn()).toBe(4)
  }))

test('what nobody was told of shows in the next turn', () =>
  withBoth(async ({ readInTurn, change }) => {
    expect(readInTurn()).toBe(2)
    change()
    expect(readInTurn()).toBe(2)
    await nextTurn()
    expect(readInTurn()).toBe(3)
  }))

test('a read of its own is not held back by the others of its turn', () =>
  withBoth(async ({ readInTurn, turn, read, change }) => {
    expect(readInTurn()).toBe(2)
    change()
    turn.end()
    expect(read()).toBe(3)
  }))

test('after the turn nothing stands in the way of tidying up the log', () =>
  withBoth(async ({ readInTurn, change, versions, isTidy, reading }) => {
    for (let round = 0; round < 3; round++) {
      readInTurn()
      change()
      versions.bump(1)
      readInTurn()
      await nextTurn()
      expect(reading.inTransaction).toBe(false)
      expect(isTidy()).toBe(true)
    }
  }))

test('a transaction that is gone already is not ended again', () =>
  withBoth(async ({ readInTurn, turn, reading }) => {
    readInTurn()
    reading.run('ROLLBACK')
    turn.end()
    expect(readInTurn()).toBe(2)
    await nextTurn()
    expect(reading.inTransaction).toBe(false)
  }))
