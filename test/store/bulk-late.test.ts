import { expect, test } from 'bun:test'
import { createInTurn } from '../../src/promises.ts'
import type { Command } from '../../src/record/command.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import type { Writer } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import { bulk } from './bulk-store.ts'
import { author, change, count, openStore, readBatch, waitFor, withTalks } from './large-store.ts'

const ids = Array.from({ length: count }, (_, i) => i + 1)
const retag = (tag: string) => bulk({ select: { ids }, patch: { tags: { add: [tag] } } })

/** So that every large bulk change is answered before it is done. */
const atOnce = -1

test('a bulk change that waits behind another is answered in time, too', () =>
  withTalks(async (path) => {
    const { queue } = openStore(path, atOnce)
    const other = openForWriting(path, 0)
    const answers: unknown[] = []
    const answer = (outcome: Outcome) => {
      const id = outcome.is === 'batch' ? (outcome.batch?.id ?? 0) : 0
      answers.push([id, readBatch(other, 2)])
    }
    queue.push(retag('one'), answer)
    queue.push(retag('two'), answer)
    const running = { state: 'running', done: 0, records: 0 }
    await waitFor(() => answers.length === 2)
    expect(answers).toEqual([
      [2, running],
      [3, running],
    ])
    const done = { state: 'done', done: count, records: count }
    await waitFor(() => Bun.deepEquals([readBatch(other, 2), readBatch(other, 3)], [done, done]))
    other.close()
    await queue.drain()
  }))

test('a bulk change that was answered and is refused then says which records refuse, and is made when it is repeated', () =>
  withTalks(async (path) => {
    const { db, writer, queue, ask } = openStore(path, atOnce)
    const select = { ids: [...ids, count + 1] }
    const command = { ...bulk({ select, patch: { tags: ['x'] } }), idempotencyKey: 'once' }
    expect(await ask(command)).toMatchObject({ batch: { id: 2, state: 'running' } })
    await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'stopped', done: 0, records: 0 }))
    const refused = [{ id: count + 1, problem: 'not_found' }]
    expect(await writer.readBatch(2)).toMatchObject({ state: 'stopped', changed: 0, refused, refused_count: 1 })
    const create: Command = { kind: 'create', author, changes: { title: 'Late', category: 'Event' } }
    expect(await ask(create)).toMatchObject({ is: 'stored', stored: { id: count + 1 } })
    expect(await ask(command)).toMatchObject({ batch: { id: 3, state: 'running' } })
    await waitFor(() => Bun.deepEquals(readBatch(db, 3), { state: 'done', done: count + 1, records: count + 1 }))
    expect(await writer.readBatch(3)).toMatchObject({ refused: [], refused_count: 0 })
    await queue.drain()
  }))

test('a bulk change that was answered and changes nothing then is done', () =>
  withTalks(async (path) => {
    const { db, queue, ask } = openStore(path, atOnce)
    expect(await ask(bulk({ select: { ids }, patch: { category: 'Event' } }))).toMatchObject({ batch: { id: 2 } })
    await waitFor(() => Bun.deepEquals(readBatch(db, 2), { state: 'done', done: count, records: 0 }))
    await queue.drain()
  }))

test('writes that wait for a bulk change go before the next one', () =>
  withTalks(async (path) => {
    const order: unknown[] = []
    const inTurn = createInTurn()
    const allAsked = Promise.withResolvers<void>()
    /** As on PostgreSQL, where commands arrive while a transaction is open. */
    const wrap = (writer: Writer): Writer => ({
      ...writer,
      run: (commands, tokens) =>
        inTurn(() => {
          order.push(commands.map(({ kind }) => kind))
          return writer.run(commands, tokens)
        }),
      runBatch: (job, watch) =>
        inTurn(async () => {
          order.push(job.batch)
          await allAsked.promise
          return writer.runBatch(job, watch)
        }),
    })
    const { queue, ask } = openStore(path, 60_000, wrap)
    const asked = [ask(retag('one')), ask(retag('two'))]
    await waitFor(() => order.length === 2)
    asked.push(ask(change(7, { summary: 'Mine' })))
    await Bun.sleep(10)
    asked.push(ask(change(8, { summary: 'Mine' })))
    allAsked.resolve()
    await Promise.all(asked)
    expect(order).toEqual([['bulk', 'bulk'], 2, ['merge'], ['merge'], 3])
    await queue.drain()
  }))
