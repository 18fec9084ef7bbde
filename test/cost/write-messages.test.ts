import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toGeneratedChanges } from '../../bench/generated/record.ts'
import type { PortRequest, WriterReply, WriterRequest } from '../../src/serve/port/messages.ts'
import { createThreadPort } from '../../src/serve/port/thread-port.ts'
import { GroupCommit } from '../../src/serve/writer/group-commit.ts'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-messages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writes = 50

test('all writes of a tick are one message to the writer', async () => {
  const { port1, port2 } = new MessageChannel()
  const sizes: number[] = []
  port1.onmessage = ({ data: requests }: { readonly data: readonly PortRequest<WriterRequest>[] }) => {
    sizes.push(requests.length)
    port1.postMessage(requests.map(({ number }) => ({ number, answer: { is: 'failed', failure: 'busy' } })))
  }
  const link = createThreadPort<WriterRequest, WriterReply>((failure) => ({ is: 'failed', failure }))
  link.attach(port2)
  await Promise.all(Array.from({ length: writes }, (_, i) => link.ask({ is: 'command', command: toCommand(i + 1) })))
  expect(sizes).toEqual([writes])
  port2.close()
})

test('they are one group, whose responses are ready together', async () => {
  const path = join(folder, 'records.db')
  await createDatabase(path)
  const db = openForWriting(path, 1_000)
  // Without the bound that the writer's thread has, which a busy machine may reach with fewer.
  const writer = createWriter({ db, now: Date.now, onError: rethrow, maxGroupMs: Number.POSITIVE_INFINITY })
  const queue = new GroupCommit(writer, createCounters(createCountersBuffer()), () => performance.now())
  const groups: string[][] = []
  let answers: string[] = []
  queue.onGroup = () => {
    groups.push(answers)
    answers = []
  }
  for (let i = 1; i <= writes; i++) queue.push(toCommand(i), ({ is }) => answers.push(is))
  await queue.drain()
  expect(groups).toEqual([Array(writes).fill('stored')])
  await writer.close()
})

test('an outcome may be kept only where nothing else happened to the record since before its group', async () => {
  const path = join(folder, 'kept.db')
  await createDatabase(path)
  const db = openForWriting(path, 1_000)
  const counters = createCounters(createCountersBuffer())
  const writer = createWriter({ db, now: Date.now, onError: rethrow })
  const queue = new GroupCommit(writer, counters, () => performance.now())
  for (let i = 1; i <= 3; i++) queue.push(toCommand(i), () => undefined)
  await queue.drain()
  const answered = new Map<string, number | undefined>()
  const change = (id: number, title: string) => {
    queue.push({ kind: 'merge', id, author, precondition: {}, changes: { title } }, (outcome) => {
      answered.set(title, outcome.is === 'stored' ? outcome.counter : Number.NaN)
    })
  }
  change(1, 'alone')
  change(2, 'first of two')
  change(2, 'second of two')
  await queue.drain()
  expect(answered.get('alone')).toBe(counters.load(1))
  // Whoever kept the first would see that the counter has moved on; the second cannot be told from another's change.
  expect(answered.get('first of two')).toBe(counters.load(2) - 1)
  expect([...answered].at(-1)).toEqual(['second of two', undefined])
  await writer.close()
})

const author = { name: 'counted', role: 'publisher' } as const

function toCommand(number: number) {
  return { kind: 'create', author, changes: toGeneratedChanges(number) } as const
}

function rethrow(error: unknown): never {
  throw error
}
