import { expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { postgresBatchSettings } from '../../src/serve/writer/batch-runner.ts'
import { GroupCommit } from '../../src/serve/writer/group-commit.ts'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { closeWhenDone } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import type { Writer } from '../../src/store/write/command-writer.ts'
import { bulk } from '../store/bulk-store.ts'
import { importTalks } from '../store/talks.ts'
import { readRows, useDatabases } from './databases.ts'

// Runner: slow

const { createAddress } = useDatabases()

const author = { name: 'ann', role: 'admin' } as const
const count = 600
const retag = bulk({
  select: { query: 'category=event' },
  patch: { tags: { add: ['x'] }, language: 'de' },
  expect: count,
})
const change: Command = { kind: 'merge', id: 7, author, precondition: {}, changes: { summary: 'Mine' } }

async function createTalks(): Promise<string> {
  const address = await createAddress()
  await closeWhenDone(openPostgres(address), async (db) => {
    expect(await migratePostgres(db)).toBeNull()
    await importTalks(db, count, 'Event')
  })
  return address
}

/** A node's writer with its queue; `onStep` is called with the number of records that are done. */
function openNode(address: string, answerAfterMs: number, onStep: (done: number) => void = () => undefined) {
  const db = openPostgres(address)
  const counters = createCounters(createCountersBuffer())
  const writer = createWriter({ db, now: Date.now, onError: () => undefined })
  const watched = {
    ...writer,
    runBatch: (...[job, watch]: Parameters<Writer['runBatch']>) =>
      writer.runBatch(job, {
        ...watch,
        onProgress(done) {
          watch.onProgress(done)
          onStep(done)
        },
      }),
  }
  const settings = { ...postgresBatchSettings, answerAfterMs, lookEveryMs: 20, abandonedAfterMs: 100 }
  const queue = new GroupCommit(watched, counters, () => performance.now(), settings)
  const ask = (command: Command) => new Promise<Outcome>((resolve) => queue.push(command, resolve))
  return { ask, close: () => queue.drain().then(() => db.close()) }
}

const readBatch = async (address: string) =>
  (await readRows(address, 'SELECT state, done::int, records::int FROM batch WHERE id = 2'))[0]
const countVersions = (address: string) =>
  readRows(address, 'SELECT version::int, count(*)::int AS records FROM record GROUP BY version ORDER BY version')
const untouched = [{ version: 1, records: count }]
const done = { state: 'done', done: count, records: count }

async function waitForBatch(address: string, state: string): Promise<void> {
  for (let waited = 0; (await readBatch(address))?.state !== state && waited < 200; waited++) await Bun.sleep(50)
}

test('a large bulk change is one transaction, and other writes wait for it', async () => {
  const address = await createTalks()
  const seen: unknown[] = []
  const others: Promise<Outcome>[] = []
  const node = openNode(address, 60_000, (step) => {
    if (step !== 160) return
    others.push(node.ask(change))
    seen.push(countVersions(address), readBatch(address))
  })
  const changed = await node.ask(retag)
  expect(changed).toMatchObject({ is: 'batch', batch: { id: 2, kind: 'bulk', state: 'done', changed: count } })
  expect(await Promise.all(others)).toMatchObject([{ is: 'stored' }])
  expect(await Promise.all(seen)).toEqual([untouched, { state: 'running', done: 0, records: 0 }])
  expect(await readBatch(address)).toEqual(done)
  expect(await countVersions(address)).toEqual([
    { version: 2, records: count - 1 },
    { version: 3, records: 1 },
  ])
  await node.close()
}, 180_000)

test('a bulk change that is not done in time is answered with its number, and goes on', async () => {
  const address = await createTalks()
  const node = openNode(address, -1)
  expect(await node.ask(retag)).toMatchObject({ batch: { id: 2, state: 'running', total: count, changed: 0 } })
  await waitForBatch(address, 'done')
  expect(await readBatch(address)).toEqual(done)
  await node.close()
}, 180_000)

test('a bulk change whose connection is lost in the middle changes nothing, and is made when it is repeated', async () => {
  const address = await createTalks()
  let ended: Promise<unknown> | null = null
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
  const node = openNode(address, 60_000, (step) => {
    if (step === 160) ended ??= readRows(address, end)
  })
  const command = { ...retag, idempotencyKey: 'once' }
  const outcome = await node.ask(command)
  await ended
  expect(outcome).toMatchObject({ is: 'failed' })
  await waitForBatch(address, 'stopped')
  expect([await readBatch(address), await countVersions(address)]).toEqual([
    { state: 'stopped', done: 0, records: 0 },
    untouched,
  ])
  expect(await node.ask(command)).toMatchObject({ batch: { id: 3, state: 'done', changed: count } })
  expect(await countVersions(address)).toEqual([{ version: 2, records: count }])
  await node.close()
}, 180_000)
