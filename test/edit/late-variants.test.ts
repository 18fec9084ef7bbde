import { expect, test } from 'bun:test'
import { showVariants } from '../../src/edit/names/variants/variants.tsx'
import { type Call, QueryParameters } from '../../src/http/route.ts'
import { createAssetLoader } from '../../src/site/asset/assets.ts'
import type { SiteDeps } from '../../src/site/site.ts'
import type { SiteSettings } from '../../src/site/site-settings.ts'
import type { ReadStore } from '../../src/store/store.ts'
import { parsePage } from '../site/page-tree.ts'

// What these pages use of the settings.
const settings = { accent: '#3355cc', name: 'Archive' } as SiteSettings

async function show(store: Partial<ReadStore>, query = '') {
  const session = { hash: null, formToken: 'token' }
  const caller = { name: 'ann', role: 'publisher', tokenId: null, expiresMs: null, session }
  // The handler uses no more than this of a call and of what handlers need.
  const call = {
    route: { path: '/edit/variants/tag', headers: new Headers() },
    query: () => new QueryParameters(query),
    caller: () => caller,
  } as unknown as Call
  const assets = createAssetLoader(settings)
  const deps = { store, baseUrl: () => 'https://example.org/archive', settings, assets } as unknown as SiteDeps
  const { status, headers, pieces } = await showVariants('tag')(call, deps)
  const page = parsePage(Buffer.from(pieces.join(''), 'latin1').toString())
  return { status, refresh: headers.get('Refresh'), page }
}

test('a search for variants that takes too long is not an error: the page refreshes itself', async () => {
  const { status, refresh, page } = await show({ listVariants: async () => 'late' }, 'page=3')
  expect([status, refresh]).toEqual([200, '2'])
  expect(page.one('h1').text).toBe('Still searching')
  const links = page.all('a').map((link) => link.attribute('href'))
  expect(links).toContain('/archive/edit/variants/tag?page=3')
})

test('a page of variants leaves examples out if there is no time for them', async () => {
  const names = [
    { id: 1, name: 'Tide', count: 2 },
    { id: 2, name: 'tide', count: 1 },
  ]
  const { status, refresh, page } = await show({
    listVariants: async () => ({
      count: 1,
      page: 1,
      lines: [{ reason: 'case', keep: 1, names }],
      reasons: [{ reason: 'case', count: 1 }],
    }),
    listExamples: async () => 'late',
  })
  expect([status, refresh]).toEqual([200, null])
  expect(page.all('th').map((cell) => cell.text)).toEqual(expect.arrayContaining(['Tide', 'tide']))
})
