import { describe, expect, test } from 'bun:test'
import { listCompletions } from '../../src/api/lists.ts'
import { Refused } from '../../src/http/problem.ts'
import { Head } from '../../src/http/route.ts'
import type { Completion, CompletionQuery } from '../../src/record/query/completion.ts'
import { rebuildCall } from '../../src/serve/port/messages.ts'
import { toCompletionPath } from '../../src/site/search/completion.ts'
import type { ReadStore } from '../../src/store/store.ts'

const found: readonly Completion[] = [
  { kind: 'speaker', text: 'Ada Lovelace & Zoë', id: 5, slug: 'ada-lovelace-zoe', count: 12 },
  { kind: 'category', text: 'AdaConf 2012', slug: 'adaconf-2012', count: 3 },
  { kind: 'tag', text: 'c++', id: 6, slug: 'c', count: 2 },
  { kind: 'video', text: 'About <Ada>', id: 7, slug: 'about-ada', count: 1 },
]

/** The answer to a query string, and what the store was asked. */
async function suggest(query: string, isPartial = false, role: 'reader' | null = null, hasSite = false) {
  const asked: CompletionQuery[] = []
  // The handler calls no other method.
  const store = {
    suggest: async (wanted: CompletionQuery) => {
      asked.push(wanted)
      return { results: found, isPartial }
    },
  } as Partial<ReadStore> as ReadStore
  const caller = role === null ? null : { name: 'a reader', role, tokenId: 1, expiresMs: null, session: null }
  const url = `/api/v2/suggest?${query}`
  const data = { path: '/api/v2/suggest', method: 'GET', url, params: {}, requestId: '1' }
  const call = rebuildCall({ ...data, caller, head: new Head(), representation: 'json' }, new Headers())
  const toPagePath = hasSite ? toCompletionPath : null
  const { headers, pieces } = await listCompletions(call, { store, baseUrl: () => 'http://test/sub', toPagePath })
  return { asked, headers, text: pieces.join(''), body: JSON.parse(pieces.join('')) }
}

describe('Suggestions', () => {
  test('are links to pages if there is a site', async () => {
    const { body } = await suggest('q=ada', false, null, true)
    expect(body.results.map(({ url }: { url: string }) => url)).toEqual([
      'http://test/sub/speaker/5/ada-lovelace-zoe',
      'http://test/sub/category/adaconf-2012',
      'http://test/sub/tag/6/c',
      'http://test/sub/video/7/about-ada',
    ])
  })

  test('are links to resources of the API without a site', async () => {
    const { body, text } = await suggest('q=ada')
    expect(body).toEqual({
      results: [
        { kind: 'speaker', text: 'Ada Lovelace & Zoë', url: 'http://test/sub/api/v2/speaker/5', count: 12 },
        { kind: 'category', text: 'AdaConf 2012', url: 'http://test/sub/api/v2/category/adaconf-2012', count: 3 },
        { kind: 'tag', text: 'c++', url: 'http://test/sub/api/v2/tag/6', count: 2 },
        { kind: 'video', text: 'About <Ada>', url: 'http://test/sub/api/v2/video/7', count: 1 },
      ],
    })
    expect(text).toMatch(/^[\x20-\x7e]*$/)
    expect(text).not.toContain('<')
  })

  test.each([
    ['q=%20ada%20lo%20', 'ada lo'],
    [`q=${'%F0%9F%92%A1'.repeat(200)}`, '💡'.repeat(200)],
    [`q=%20${'x'.repeat(200)}%20`, 'x'.repeat(200)],
  ])('are asked for with the trimmed text: %p', async (query, text) => {
    expect((await suggest(query)).asked).toEqual([{ text, visibility: 'live' }])
  })

  test.each(['', 'q=', 'q=%20%09', 'x=1'])('are empty without a text, and the store is not read: %p', async (query) => {
    expect(await suggest(query)).toMatchObject({ asked: [], body: { results: [] } })
  })

  test('are refused for a long text', async () => {
    await expect(suggest(`q=${'x'.repeat(201)}`)).rejects.toThrow(Refused)
  })

  test('are private to token holders, and not cached while more may be found', async () => {
    const cachingOf = async (isPartial: boolean, role: 'reader' | null) =>
      (await suggest('q=a', isPartial, role)).headers.get('Cache-Control')
    expect(await cachingOf(false, null)).toBe('public, max-age=0, must-revalidate')
    expect(await cachingOf(true, null)).toBe('no-store')
    expect(await cachingOf(false, 'reader')).toBe('private, no-store')
    expect((await suggest('q=a', false, 'reader')).asked).toEqual([{ text: 'a', visibility: 'all' }])
  })
})
