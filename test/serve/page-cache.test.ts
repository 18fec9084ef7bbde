import { expect, test } from 'bun:test'
import { Head } from '../../src/http/head.ts'
import type { Action, TextAnswer } from '../../src/http/route.ts'
import { createPageCache } from '../../src/serve/fast/page-cache.ts'
import { rebuildCall } from '../../src/serve/query/forwarded-call.ts'

const action: Action = {
  handler: () => expect.unreachable(),
  role: null,
  runsOn: 'query',
  isCached: true,
  parameters: null,
  isCompressed: false,
}
const data = { path: '/list', method: 'GET', url: '/list?q=a', params: {}, caller: null, requestId: '1' }
const call = rebuildCall({ ...data, head: new Head(), representation: 'json' }, new Headers())

/** How often the page was read when it is requested three times. */
async function countReads(headers: Record<string, string>): Promise<number> {
  let reads = 0
  const forward = async (): Promise<TextAnswer> => {
    reads++
    return { status: 200, headers: new Headers(headers), pieces: ['{}'] }
  }
  const needs = { budgetBytes: 1_000_000, baseUrl: () => 'http://test', loadContent: () => 1 }
  const cache = createPageCache(forward, needs)
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
