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
import { importTalks } from '../store/talks.ts'
import { readRows, useDatabases } from './databases.ts'

// Runner: slow

const { createAddress } = useDatabases()

const author = { name: 'ann', role: 'admin' } as const
const undo: Command = { kind: 'undo', batch: 1, author }
const count = 600

async function createTalks(): Promise<string> {
  const address = await createAddress()
  await closeWhenDone(openPostgres(address), async (db) => {
    expect(await migratePostgres(db)).toBeNull()
    await importTalks(db, count, 'Event')
  })
  return address
}

/** A node's writer with its queue, which looks often for batches that nobody works on. */
function openNode(address: string, abandonedAfterMs: number) {
  const db = openPostgres(address)
  const writer = createWriter({ db, now: Date.now, onError: fail })
  const settings = { ...postgresBatchSettings, answerAfterMs: 60_000, abandonedAfterMs, lookEveryMs: 20 }
  const counters = createCounters(createCountersBuffer())
  const queue = new GroupCommit(writer, counters, () => performance.now(), settings)
  const ask = (command: Command) => new Promise<Outcome>((resolve) => queue.push(command, resolve))
  return { writer, ask, close: () => queue.drain().then(() => db.close()) }
}

const readBatch = async (address: string) =>
  (await readRows(address, 'SELECT state, done::int FROM batch WHERE id = 2'))[0]

async function waitForStop(address: string): Promise<void> {
  for (let waited = 0; (await readBatch(address))?.state === 'running' && waited < 200; waited++) await Bun.sleep(50)
  expect(await readBatch(address)).toEqual({ state: 'stopped', done: 0 })
}

/** Begins an undo as a node that then does not go on. */
async function begin(address: string) {
  const db = openPostgres(address)
  const writer = createWriter({ db, now: Date.now, onError: fail })
  const outcomes = await writer.run([undo], new Set())
  const begun = outcomes === 'busy' ? undefined : outcomes[0]
  if (begun?.is !== 'begun') return fail(begun)
  const watch = { onProgress: () => undefined, isStopped: () => false, isAnswered: () => false }
  return { db, goOn: () => writer.runBatch(begun.job, watch) }
}

function fail(what: unknown): never {
  throw what instanceof Error ? what : new Error(`unexpected: ${JSON.stringify(what)}`)
}

test('a batch whose node has died is stopped by another node, which makes it when it is asked for again', async () => {
  const address = await createTalks()
  await (await begin(address)).db.close()
  const node = openNode(address, 200)
  await waitForStop(address)
  expect(await node.ask(undo)).toMatchObject({ batch: { id: 3, state: 'done', done: count, changed: count } })
  expect(await readRows(address, 'SELECT DISTINCT version, state FROM record')).toEqual([{ version: 2, state: 2 }])
  await node.close()
}, 180_000)

test('a batch that another node works on is left to it, and refused to everybody else', async () => {
  const address = await createTalks()
  const worker = await begin(address)
  const other = openNode(address, 60_000)
  expect(await other.ask(undo)).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
  expect(await worker.goOn()).toMatchObject({ is: 'batch', batch: { id: 2, state: 'done', changed: count } })
  await worker.db.close()
  await other.close()
}, 180_000)

test('a node that comes back after its batch was given up changes nothing', async () => {
  const address = await createTalks()
  const frozen = await begin(address)
  const node = openNode(address, 100)
  await waitForStop(address)
  expect(await frozen.goOn()).toMatchObject({ is: 'batch', batch: { id: 2, state: 'stopped', changed: 0 }, ids: [] })
  await frozen.db.close()
  await node.close()
}, 180_000)

test('a batch that waits for others is not abandoned as long as one of them goes on', async () => {
  const address = await createTalks()
  const waiting = await begin(address)
  const node = openNode(address, 300)
  for (let round = 0; round < 10; round++) {
    await readRows(address, 'UPDATE batch SET done = done + 1 WHERE id = 1')
    await Bun.sleep(100)
  }
  expect(await readBatch(address)).toEqual({ state: 'running', done: 0 })
  await waitForStop(address)
  await waiting.db.close()
  await node.close()
}, 180_000)

test("a batch of a node's own that it does not work on is stopped at once", async () => {
  const address = await createTalks()
  const node = openNode(address, 60_000)
  await node.writer.run([undo], new Set())
  await waitForStop(address)
  await node.close()
}, 180_000)
