import { describe, expect, test } from 'bun:test'
import { listRecords } from '../../src/api/lists.ts'
import { Refused } from '../../src/http/problem.ts'
import { Head } from '../../src/http/route.ts'
import type { ListQuery } from '../../src/record/query/query.ts'
import { rebuildCall } from '../../src/serve/port/messages.ts'
import type { ListPage } from '../../src/store/list-reads.ts'
import type { ReadStore } from '../../src/store/store.ts'

const texts = { title: 'Learn asyncio', summary: '', description: '', speakers: [], tags: ['async'], category: 'Conf' }
const record = JSON.stringify({ id: 7, ...texts })
const onePage: ListPage = { count: 1, page: 1, records: [record], nextCursor: null, facets: null }

/** The list as a store with this page answers it, and what the store was asked. */
async function list(query: string, page: Partial<ListPage>) {
  const asked: ListQuery[] = []
  const found: ListPage = { ...onePage, ...page }
  // A list calls no other method.
  const store = {
    list: async (wanted: ListQuery) => {
      asked.push(wanted)
      return found
    },
  } as Partial<ReadStore> as ReadStore
  const url = `/api/v2/video?${query}`
  const data = { path: '/api/v2/video', method: 'GET', url, params: {}, caller: null, requestId: '1' }
  const call = rebuildCall({ ...data, head: new Head(), representation: 'json' }, new Headers())
  const { pieces, headers } = await listRecords(call, { store, baseUrl: () => 'http://test' })
  return { asked, headers, text: pieces.join(''), body: JSON.parse(pieces.join('')) }
}

describe('A list', () => {
  test.each<[string, Partial<ListPage>, object]>([
    ['names what was corrected', { corrected: { asycnio: ['asyncio'] } }, { corrected: { asycnio: ['asyncio'] } }],
    ['has no empty corrections', { corrected: {} }, {}],
    ['says that its count is a lower bound', { countIs: 'at_least' }, { count_is: 'at_least' }],
    ['never shows its hits', { hits: { words: new Set(['a']), prefixes: [], phrases: [] } }, {}],
    [
      'has all of them after the results',
      { countIs: 'at_least', corrected: { é: ['e'] }, facets: { year: [] } },
      { facets: { year: [] }, corrected: { é: ['e'] }, count_is: 'at_least' },
    ],
  ])('%s', async (_, page, members) => {
    const { body, text } = await list('q=asycnio&match=best', page)
    expect(body).toEqual({ count: 1, next: null, previous: null, results: [JSON.parse(record)], ...members })
    expect(Object.keys(body).slice(3)).toEqual(['results', ...Object.keys(members)])
    expect(text).toMatch(/^[\x20-\x7e]*$/)
  })

  test('has no last page if its count is a lower bound', async () => {
    await expect(list('q=a&match=best&page=last', { countIs: 'at_least' })).rejects.toThrow(Refused)
    expect((await list('q=a&match=best&page=last', {})).body.count).toBe(1)
    expect((await list('q=a&match=best&page=1', { countIs: 'at_least' })).body.count).toBe(1)
  })

  test('is not cached if its count is a lower bound, since more may be found without a write', async () => {
    const [partial, whole] = [await list('q=a&match=best', { countIs: 'at_least' }), await list('q=a&match=best', {})]
    expect(partial.headers.get('Cache-Control')).toBe('no-store')
    expect(whole.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate')
  })

  test('asks the store for match=best and passes the order on', async () => {
    const { asked } = await list('q=a&match=best&ordering=-added', {})
    expect(asked).toMatchObject([{ match: 'best', order: [{ field: 'added' }, { field: 'id' }], hasHighlight: false }])
  })
})

describe('A highlighted list', () => {
  const results = async (query: string, page: Partial<ListPage> = {}) => (await list(query, page)).body.results

  test('marks the hits that the store names', async () => {
    const hits = { words: new Set(['asyncio', 'async']), prefixes: [], phrases: [] }
    expect(await results('q=asycnio&match=best&highlight=1', { hits })).toEqual([
      {
        record: JSON.parse(record),
        highlight: { title: [[6, 13]], passage: { field: 'tags', text: 'async', marks: [[0, 5]] } },
      },
    ])
  })

  test('marks the words of q if the store names none', async () => {
    const [{ highlight }] = await results('q=learn&highlight=1')
    expect(highlight).toEqual({ title: [[0, 5]], passage: null })
  })

  test('asks for whole records and cuts them itself', async () => {
    const { asked, body } = await list('q=learn&highlight=1&fields=id', {})
    expect(asked).toMatchObject([{ fields: null, hasHighlight: true }])
    expect(body.results).toEqual([{ record: { id: 7 }, highlight: { title: [[0, 5]], passage: null } }])
  })
})
