import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../../bench/generate.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import type { PortReply, PortRequest, QueryReply, QueryRequest, StoreOrder } from '../../src/serve/port/messages.ts'
import { createCountersBuffer, createPrimaryBuffer } from '../../src/store/counters.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-query-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const records = 500

/** Takes longer to answer than it takes to ask again. */
const parsed = parseListQuery(new URLSearchParams('page_size=100&ordering=duration,-title'), 'live')
const { query } = parsed.ok ? parsed : expect.unreachable()
const request: PortRequest<QueryRequest> = { number: 1, ask: { is: 'list', query } }

/** A query thread of a small store, and a line to it for each of two HTTP threads. */
async function startQueryThread() {
  const path = join(folder, `${crypto.randomUUID()}.db`)
  await createDatabase(path)
  await fill(path, records, () => undefined)
  const worker = new Worker(new URL('../../src/serve/query-thread.ts', import.meta.url))
  const lines = [new MessageChannel(), new MessageChannel()] as const
  const ports = lines.map(({ port1 }) => port1)
  const query = { listMs: 2_000, maxPageBytes: 8_388_608, baseUrl: null, listeningUrl: 'http://a.test', site: null }
  const memory = { counters: createCountersBuffer(), primary: createPrimaryBuffer() }
  const order: StoreOrder = {
    is: 'start',
    plan: { engine: 'sqlite', address: path, memory, metrics: null, query, snapshot: null, hasLowPriority: true },
    ports,
  }
  worker.postMessage(order, ports)
  return { worker, one: lines[0].port2, other: lines[1].port2 }
}

test('who asks again with each answer does not keep the thread from the others', async () => {
  const { worker, one, other } = await startQueryThread()
  let answered = 0
  one.onmessage = ({ data: replies }: { data: readonly PortReply<QueryReply>[] }) => {
    answered += replies.length
    one.postMessage(replies.map(() => request))
  }
  // More than one, so that one is always waiting while the next is on its way.
  one.postMessage(Array.from({ length: 10 }, () => request))
  while (answered < 100) await Bun.sleep(1)
  const before = answered
  await new Promise((resolve) => {
    other.onmessage = resolve
    other.postMessage([request])
  })
  expect(answered - before).toBeLessThan(40)
  worker.terminate()
})

test('more questions than anybody would wait for are refused at once, and those taken back are not answered', async () => {
  const { worker, one } = await startQueryThread()
  const answers = new Map<number, QueryReply>()
  one.onmessage = ({ data }: { data: readonly PortReply<QueryReply>[] }) => {
    for (const { number, answer } of data) answers.set(number, answer)
  }
  const numbers = Array.from({ length: 1_500 }, (_, index) => index + 1)
  one.postMessage(numbers.map((number) => ({ number, ask: request.ask })))
  // All but the last that was taken and those that were refused.
  one.postMessage(numbers.slice(0, 999).map((number) => ({ number, ask: null })))
  while (!answers.has(1_000)) await Bun.sleep(1)
  expect(numbers.filter((number) => answers.get(number) === 'busy')).toEqual(numbers.slice(1_000))
  // Some may have been begun before they were taken back.
  expect(answers.size).toBeLessThan(600)
  worker.terminate()
}, 180_000)
