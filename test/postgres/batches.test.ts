import { expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { postgresBatchSettings } from '../../src/serve/writer/batch-jobs.ts'
import { createWriterQueue } from '../../src/serve/writer/writer-queue.ts'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { closeWhenDone } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import { importTalks } from '../store/talks.ts'
import { readRows, useCluster } from './databases.ts'

// Runner: slow

const { createAddress } = useCluster()

const author = { name: 'ann', role: 'admin' } as const
const undo: Command = { kind: 'undo', batch: 1, author }
const count = 600
const limits = { maxMs: 60_000, maxRecords: 50 }

async function createTalks(): Promise<string> {
  const address = await createAddress()
  await closeWhenDone(openPostgres(address), async (db) => {
    expect(await migratePostgres(db)).toBeNull()
    await importTalks(db, count, 'Event')
  })
  return address
}

function openWriter(address: string) {
  const db = openPostgres(address)
  return { db, writer: createWriter({ db, now: Date.now, onError: fail }) }
}

/** A node's writer with its queue, which looks often for batches that nobody works on. */
function openNode(address: string, abandonedAfterMs: number) {
  const { db, writer } = openWriter(address)
  const settings = {
    ...postgresBatchSettings,
    limits,
    pauseMs: 5,
    answerAfterMs: 60_000,
    abandonedAfterMs,
    lookEveryMs: 20,
  }
  const counters = createCounters(createCountersBuffer())
  const queue = createWriterQueue(writer, counters, () => performance.now(), settings)
  const ask = (command: Command) => new Promise<Outcome>((resolve) => queue.push(command, resolve))
  return { writer, ask, close: () => queue.drain().then(() => db.close()) }
}

const readBatch = async (address: string) => (await readRows(address, 'SELECT state, done FROM batch WHERE id = 2'))[0]

/** Begins an undo, does one slice of it, and gives what goes on. */
async function begin(address: string) {
  const node = openWriter(address)
  const outcomes = await node.writer.run([undo], new Set())
  const begun = outcomes === 'busy' ? undefined : outcomes[0]
  if (begun?.is !== 'begun') return fail(begun)
  const slice = await node.writer.runSlice(begun.job, limits, false)
  if (slice === 'busy' || 'failure' in slice) return fail(slice)
  return { ...node, goOn: () => node.writer.runSlice(slice.job, limits, false) }
}

function fail(what: unknown): never {
  throw what instanceof Error ? what : new Error(`unexpected: ${JSON.stringify(what)}`)
}

test('a batch whose node has died is stopped by another node, which can be asked to go on', async () => {
  const address = await createTalks()
  await (await begin(address)).db.close()
  expect(await readBatch(address)).toEqual({ state: 'running', done: 50 })
  const node = openNode(address, 200)
  for (let waited = 0; (await readBatch(address))?.state === 'running' && waited < 200; waited++) await Bun.sleep(50)
  expect(await readBatch(address)).toEqual({ state: 'stopped', done: 50 })
  expect(await node.ask(undo)).toMatchObject({ batch: { id: 2, state: 'done', done: count, changed: count } })
  expect(await readRows(address, 'SELECT DISTINCT version, state FROM record')).toEqual([{ version: 2, state: 2 }])
  await node.close()
}, 60_000)

test('a batch that another node works on is left to it, and refused to everybody else', async () => {
  const address = await createTalks()
  const worker = await begin(address)
  const other = openNode(address, 60_000)
  expect(await other.ask(undo)).toMatchObject({ is: 'refused', refusal: { code: 'batch_running' } })
  expect(await worker.goOn()).toMatchObject({ isOver: false, report: { id: 2, state: 'running', done: 100 } })
  expect(await readBatch(address)).toEqual({ state: 'running', done: 100 })
  await worker.db.close()
  await other.close()
}, 60_000)

test('a node that comes back after its batch was given up changes nothing more', async () => {
  const address = await createTalks()
  const frozen = await begin(address)
  const node = openNode(address, 100)
  for (let waited = 0; (await readBatch(address))?.state === 'running' && waited < 200; waited++) await Bun.sleep(50)
  expect(await frozen.goOn()).toMatchObject({ isOver: true, ids: [], report: { state: 'stopped', done: 50 } })
  expect(await readBatch(address)).toEqual({ state: 'stopped', done: 50 })
  await frozen.db.close()
  await node.close()
}, 60_000)

test("a batch of a node's own that it does not work on is stopped at once", async () => {
  const address = await createTalks()
  const node = openNode(address, 60_000)
  const rename: Command = { kind: 'category', slug: 'event', author, changes: { title: 'Renamed' } }
  // As after a commit of which nobody heard that it succeeded.
  await node.writer.run([rename], new Set())
  for (let waited = 0; (await readBatch(address))?.state === 'running' && waited < 200; waited++) await Bun.sleep(50)
  expect(await readBatch(address)).toEqual({ state: 'stopped', done: 0 })
  expect(await node.ask(rename)).toMatchObject({ batch: { id: 2, state: 'done', done: count, changed: count } })
  await node.close()
}, 60_000)
