import { expect, test } from 'bun:test'
import { sqliteBackend } from '../../src/serve/backend/sqlite.ts'
import { createCounters, createCountersBuffer, createPrimaryBuffer } from '../../src/store/counters.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createStore, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'

/** An HTTP thread's view of a store with a record at its second version, and a writer beside it. */
function withBoth(use: (fixture: ReturnType<typeof toFixture>) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const path = `${folder}/records.db`
    await createStore(path, [toTalk('One')])
    const fixture = toFixture(path)
    try {
      await use(fixture)
    } finally {
      fixture.store.close()
      fixture.writing.close()
    }
  })
}

function toFixture(path: string) {
  const memory = { counters: createCountersBuffer(), primary: createPrimaryBuffer() }
  const counters = createCounters(memory.counters)
  const store = sqliteBackend.openRecords({ address: path, counters, memory, connections: 1 })
  const writing = openForWriting(path, 0)
  const change = writing.query('UPDATE record SET version = version + 1 WHERE id = 1')
  const tidyUp = writing.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  return {
    counters,
    store,
    writing,
    async read() {
      return (await store.read(1))?.version
    },
    commit() {
      change.run()
      counters.bump(1)
    },
    isTidy: () => tidyUp.get()?.busy === 0,
  }
}

test('a change shows at once, within the same tick and after a pause', () =>
  withBoth(async ({ read, commit }) => {
    expect(await read()).toBe(2)
    commit()
    expect(await read()).toBe(3)
    commit()
    expect(await read()).toBe(4)
    await Bun.sleep(1_050)
    expect(await read()).toBe(4)
    commit()
    expect(await read()).toBe(5)
  }))

test('while others write no reader keeps the log from being written back, not even within a turn', () =>
  withBoth(async ({ store, commit, isTidy }) => {
    commit()
    await store.read(1)
    expect(isTidy()).toBe(true)
    commit()
    await store.read(1)
    await store.readExtras(1)
    expect(isTidy()).toBe(true)
  }))

test('what is not a record is never read in the transaction of others', () =>
  withBoth(async ({ store, writing }) => {
    await store.read(1)
    writing.run("INSERT INTO tombstone VALUES (9, '2026-01-01T00:00:00.000', 9, 2, 1)")
    expect(await store.isErased(9)).toBe(true)
  }))

test('it can be closed in the turn of a read', () =>
  withFolder(async (folder) => {
    const path = `${folder}/records.db`
    await createStore(path, [toTalk('One')])
    const { store, writing, isTidy } = toFixture(path)
    await store.read(1)
    store.close()
    await Bun.sleep(5)
    expect(isTidy()).toBe(true)
    writing.close()
  }))
