import { describe, expect, test } from 'bun:test'
import { type Fields, isFields, parseFields } from '../contract/service.ts'
import type { Part } from './page-tree.ts'
import { countOf, createBrowser, hrefOf, linkOf, textsOf, titlesOf, toTalk, useTalks } from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

/** The page that the form of the search box leads to after typing `q`, as a browser without JavaScript sends it. */
async function type(page: Part, q: string): Promise<{ readonly path: string; readonly page: Part }> {
  const form = page.one('.search-box').one('form')
  const pairs = form.all('input').map((input): [string, string] => {
    const name = input.attribute('name') ?? ''
    return [name, name === 'q' ? q : (input.attribute('value') ?? '')]
  })
  const path = `${form.attribute('action')}?${new URLSearchParams(pairs)}`
  return { path, page: await open(path) }
}

describe('The search box', () => {
  test('keeps every filter of the page', async () => {
    const filters = 'category=conf-2010&speaker=1&tag=1&tag=2&language=en&year=2010&length=0-10&download=yes'
    const { path, page } = await type(await open(`/search?q=talk&${filters}&sort=title`), 'asyncio')
    expect(path).toBe(`/search?q=asyncio&${filters}`)
    expect([titlesOf(page), page.one('.search-box').all('.chip').length]).toEqual([[toTalk(0).title], 8])
  })

  test('says what it searches in, and each filter can be removed there', async () => {
    const page = await open('/search?q=talk&category=conf-2010&language=en')
    const chips = page.one('.search-box').all('.chip')
    expect(textsOf(chips)).toEqual(['Remove filter in Conf 2010 ×', 'Remove filter in English ×'])
    expect(chips.map(hrefOf)).toEqual(['/search?q=talk&language=en', '/search?q=talk&category=conf-2010'])
    expect(chips.map((chip) => chip.attribute('rel'))).toEqual(['nofollow', 'nofollow'])
    const all = linkOf(page, 'Search all talks')
    expect([hrefOf(all), all.attribute('rel')]).toEqual(['/search?q=talk', 'nofollow'])
    expect((await open('/search?q=talk')).all('a').filter(({ text }) => text === 'Search all talks')).toEqual([])
  })

  test('keeps the filters of a search that is too long', async () => {
    const page = await open(`/search?${new URLSearchParams({ q: 'x'.repeat(201), category: 'conf-2010' })}`, 400)
    expect((await type(page, 'asyncio')).path).toBe('/search?q=asyncio&category=conf-2010')
  })

  test('asks for suggestions within the filters', async () => {
    const form = (await open('/search?q=talk&category=conf-2010&year=2010')).one('.search-box').one('form')
    expect(form.attribute('data-suggest')).toBe('/search/suggest?category=conf-2010&year=2010')
  })
})

describe('Search in these talks', () => {
  const kinds = ['/speaker', '/tag', '/language/en']
  test.each(kinds)('leads from %s to a box that finds those alone', async (start) => {
    const list = await open(start)
    const isNamed = ({ text }: { readonly text: string }) => text.includes(start === '/tag' ? 'Rust' : 'Ada Nova')
    const entry = list.all('a').find(isNamed)
    const own = entry === undefined ? list : await open(hrefOf(entry))
    const name = own.one('h1').text
    const link = linkOf(own, 'Search in these talks')
    expect([hrefOf(link).endsWith('#q'), link.attribute('rel')]).toEqual([true, 'nofollow'])
    const box = await open(hrefOf(link).slice(0, -'#q'.length))
    expect(box.one('.search-box').all('input')[0]?.attribute('id')).toBe('q')
    const { page } = await type(box, 'talk')
    expect(page.one('.search-box').one('.chip').text).toContain(name)
    expect(countOf(page)).toBe(countOf(box))
  })
})

describe('Suggestions within filters', () => {
  const suggest = async (query: string): Promise<Fields[]> => {
    const { results } = parseFields(await service.call({ method: 'GET', path: `/search/suggest?${query}` }))
    return Array.isArray(results) ? results.filter(isFields) : []
  }

  test('are talks that have the filters and the words as typed so far', async () => {
    const found = await suggest('q=asyn&category=conf-2010')
    expect(found.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'video'))
    const texts = new Set(Array.from({ length: 15 }, (_, i) => toTalk(i * 3).title))
    expect(found.filter(({ text }) => !texts.has(String(text)))).toEqual([])
    expect(found.map(({ url }) => String(url).replace(/\d.*/, ''))).toEqual(Array.from({ length: 8 }, () => '/video/'))
    expect(await suggest('q=ada+nov&category=conf-2010&year=2010')).toHaveLength(3)
  })

  test('contain no drafts, and nothing of unknown filters or long texts', async () => {
    expect(await suggest('q=unp&category=secret-event')).toEqual([])
    expect(await suggest('q=asyn&category=no-such-event')).toEqual([])
    expect(await suggest(`q=${'x'.repeat(201)}&year=2010`)).toEqual([])
    expect(await suggest('q=+&year=2010')).toEqual([])
  })
})
