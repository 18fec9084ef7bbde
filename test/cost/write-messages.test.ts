import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toGeneratedChanges } from '../../bench/generated/record.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'
import { createLink } from '../../src/store/thread/link.ts'
import type { StoreOrder, WriterAnswer, WriterAsk } from '../../src/store/thread/messages.ts'
import { createVersionsBuffer } from '../../src/store/versions.ts'
import { storeThreads } from '../../src/thread-programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-messages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writes = 5
/** A slow machine may need more than the time of one group for them, now and then. */
const rounds = 10

test('all writes of a tick are one message to the writer, and their answers one message back', async () => {
  const path = join(folder, 'records.db')
  createDatabase(path)
  const worker = new Worker(storeThreads.sqlite.writer)
  const { port1, port2 } = new MessageChannel()
  const order: StoreOrder = { is: 'start', path, versions: createVersionsBuffer(), ports: [port1] }
  worker.postMessage(order, [port1])
  const counted = countMessages(port2)
  const link = createLink<WriterAsk, WriterAnswer>((failure) => ({ is: 'failed', failure }))
  link.attach(port2)
  const received: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const before = counted.received
    const answers = await Promise.all(Array.from({ length: writes }, (_, i) => link.ask(toAsk(i + 1))))
    expect(answers.map(({ is }) => is)).toEqual(Array(writes).fill('stored'))
    expect(counted.sent).toBe(round)
    received.push(counted.received - before)
  }
  expect(Math.min(...received)).toBe(1)
  port2.close()
  worker.postMessage({ is: 'stop' } satisfies StoreOrder)
  await new Promise((resolve) => worker.addEventListener('message', resolve))
})

function toAsk(number: number): WriterAsk {
  const author = { name: 'counted', role: 'publisher' } as const
  return { is: 'command', command: { kind: 'create', author, changes: toGeneratedChanges(number) } }
}

function countMessages(port: MessagePort): { sent: number; received: number } {
  const counted = { sent: 0, received: 0 }
  const post = port.postMessage.bind(port)
  port.postMessage = (message: unknown) => {
    counted.sent++
    post(message)
  }
  port.addEventListener('message', () => counted.received++)
  return counted
}
