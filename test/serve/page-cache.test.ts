import { expect, test } from 'bun:test'
import { type Action, type Answer, Head, type TextAnswer } from '../../src/http/route.ts'
import { createPageCache } from '../../src/serve/page-cache.ts'
import { rebuildCall } from '../../src/serve/port/messages.ts'

const action: Action = {
  handler: () => expect.unreachable(),
  role: null,
  runsOn: 'query',
  isCached: true,
  parameterRoles: [],
  takesUploads: false,
  parameters: null,
}
const data = { path: '/list', method: 'GET', url: '/list?q=a', params: {}, caller: null, requestId: '1' }
const toCall = (head: Partial<Head> = {}) =>
  rebuildCall({ ...data, head: Object.assign(new Head(), head), representation: 'json' }, new Headers())
const call = toCall()

/** How often the page was read when it is requested three times. */
async function countReads(headers: Record<string, string>): Promise<number> {
  let reads = 0
  const forward = async (): Promise<TextAnswer> => {
    reads++
    return { status: 200, headers: new Headers(headers), pieces: ['{}'] }
  }
  const deps = { budgetBytes: 1_000_000, baseUrl: () => 'http://test', hasOneBase: true, loadContent: () => 1 }
  const cache = createPageCache(forward, deps)
  for (let i = 0; i < 3; i++) await cache.forward(call, action)
  return reads
}

test.each<[string, Record<string, string>, number]>([
  ['is read once', { 'Cache-Control': 'public, max-age=0, must-revalidate' }, 1],
  ['is read each time if it may change without a write', { 'Cache-Control': 'no-store' }, 3],
  ['is read each time if it names unknown parameters', { 'Ignored-Parameters': 'color' }, 3],
])('A page %s', async (_, headers, reads) => {
  expect(await countReads(headers)).toBe(reads)
})

/** A cache in front of reads that are answered by hand. */
function createHeldCache() {
  const reads: PromiseWithResolvers<TextAnswer>[] = []
  let content = 1
  const forward = () => {
    const read = Promise.withResolvers<TextAnswer>()
    reads.push(read)
    return read.promise
  }
  const deps = { budgetBytes: 1_000_000, baseUrl: () => 'http://test', hasOneBase: true, loadContent: () => content }
  const { forward: ask } = createPageCache(forward, deps)
  return {
    reads,
    ask: async (given = call) => ask(given, action),
    change: () => content++,
    answer: (read: number) =>
      reads[read]?.resolve({ status: 200, headers: new Headers({ ETag: '"1"' }), pieces: [`read ${read}`] }),
  }
}

const statusOf = async (asked: Promise<Answer>) => (await asked).status

test('Requests for a page that is being read wait for it, each with its own conditions', async () => {
  const { reads, ask, answer } = createHeldCache()
  const asked = [ask(), ask(), ask(toCall({ ifNoneMatch: '"1"' }))]
  answer(0)
  expect(await Promise.all(asked.map(statusOf))).toEqual([200, 200, 304])
  expect(reads).toHaveLength(1)
})

test('A request after a change does not get what was read before', async () => {
  const { reads, ask, answer, change } = createHeldCache()
  const before = ask()
  change()
  const after = ask()
  answer(1)
  answer(0)
  expect([await before, await after]).toMatchObject([{ pieces: ['read 0'] }, { pieces: ['read 1'] }])
  expect(reads).toHaveLength(2)
})

test('A conditional request is waited for by no other one, since it may get no page', async () => {
  const { reads, ask, answer } = createHeldCache()
  const asked = [ask(toCall({ ifNoneMatch: '"0"' })), ask()]
  expect(reads).toHaveLength(2)
  answer(0)
  answer(1)
  expect(await Promise.all(asked.map(statusOf))).toEqual([200, 200])
})

test('A request that waits for one whose client has gone is answered all the same', async () => {
  const { reads, ask, answer } = createHeldCache()
  const client = new AbortController()
  const gone = ask({ ...call, signal: client.signal }).catch(() => 'gone')
  const waiting = ask()
  client.abort()
  reads[0]?.reject(new Error('nobody waits'))
  await Bun.sleep(0)
  answer(1)
  expect([await gone, await statusOf(waiting)]).toEqual(['gone', 200])
})

test('A read that fails fails for all that wait for it, and is tried again', async () => {
  const { reads, ask, answer } = createHeldCache()
  const asked = [ask(), ask()].map((each) => each.catch((error: Error) => error.message))
  reads[0]?.reject(new Error('broken'))
  expect(await Promise.all<unknown>(asked)).toEqual(['broken', 'broken'])
  const again = ask()
  answer(1)
  expect(await statusOf(again)).toBe(200)
})

test('Keys count in the limit, and pages of very long ones are not cached', async () => {
  let reads = 0
  const forward = async (): Promise<TextAnswer> => {
    reads++
    return { status: 200, headers: new Headers(), pieces: ['{}'] }
  }
  const deps = { budgetBytes: 100_000, baseUrl: () => 'http://test', hasOneBase: true, loadContent: () => 1 }
  const { forward: ask, stats } = createPageCache(forward, deps)
  const askFor = async (url: string) => ask({ ...call, url }, action)
  for (let i = 0; i < 100; i++) await askFor(`/list?q=${i}&fields=${'x'.repeat(1_500)}`)
  expect([reads, stats.bytes > 90_000, stats.bytes <= 100_000]).toEqual([100, true, true])
  // From the newest on, so that those that are asked for push out none that are still to come.
  for (let i = 99; i >= 0; i--) await askFor(`/list?q=${i}&fields=${'x'.repeat(1_500)}`)
  expect([stats.hits > 10, stats.hits <= 100_000 / 3_000]).toEqual([true, true])
  const { bytes } = stats
  for (let i = 0; i < 3; i++) await askFor(`/list?fields=${'x'.repeat(8_000)}`)
  expect(stats.bytes).toBe(bytes)
})
