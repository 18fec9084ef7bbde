import { describe, expect, test } from 'bun:test'
import { isFields, parseFields } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import type { Part } from './page-tree.ts'
import { countOf, createBrowser, hostileTitle, hrefOf, linkOf, textsOf, titlesOf, useTalks } from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

describe('A search', () => {
  test('for a misspelled word says what it found instead, and can be made strict', async () => {
    const page = await open('/search?q=asycnio+talk&year=2010')
    expect(page.one('.corrected').text).toBe('Showing results for asyncio talk · Search instead for asycnio talk')
    const corrected = await open(hrefOf(linkOf(page, 'asyncio talk')))
    expect([corrected.all('.corrected'), countOf(corrected)]).toEqual([[], countOf(page)])
    const strict = await open(hrefOf(linkOf(page, 'asycnio talk')))
    expect(strict.one('h1').text).toBe('No talks found for "asycnio" talk in 2010')
    const loose = await open(hrefOf(linkOf(strict, 'Search without quotes')))
    expect(titlesOf(loose)).toEqual(titlesOf(page))
    expect(textsOf(loose.all('.chip'))).toEqual(['Remove filter in 2010 ×'])
  })

  test('that finds nothing says what to do next', async () => {
    const page = await open('/search?q=qqqqzzzz&year=2010')
    expect(page.one('h1').text).toBe('No talks found for “qqqqzzzz” in 2010')
    expect(textsOf(page.all('.chip'))).toEqual(['Remove filter in 2010 ×'])
    expect(page.one('.no-results').all('p')[0]?.text).toStartWith('No talk contains the word “qqqqzzzz”.')
    expect(textsOf(page.one('.no-results').all('h2'))).toEqual(['Or browse', 'Topics', 'Latest events'])
    for (const text of [
      'See all talks',
      'Browse events',
      'Browse speakers',
      'Browse tags',
      'Rust 30',
      'Conf 2012 15',
    ]) {
      expect((await open(hrefOf(linkOf(page, text)))).all('h1')).toHaveLength(1)
    }
  })

  const texts = [
    hostileTitle,
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title></script><svg/onload=1>',
  ]
  test.each(texts)('for %p shows it as text, wherever it stands', async (text) => {
    for (const name of ['q', 'category', 'speaker', 'sort', 'page', 'language']) {
      const page = await open(`/search?${new URLSearchParams({ [name]: text })}`)
      expectHarmless(page)
      if (name === 'q') expect(page.one('h1').one('bdi').text).toBe(text.replace(/\s+/g, ' '))
      if (name === 'q') expect(page.one('.search-box').one('input').attribute('value')).toBe(text)
    }
  })

  test('shows hostile records as text', async () => {
    const page = await open('/search?q=hostile')
    expectHarmless(page)
    expect(titlesOf(page)).toEqual([hostileTitle])
    expect(page.one('.passage').text).toBe('<img src=x onerror=alert(1)> hostile')
    expect(textsOf(page.one('.passage').all('mark'))).toEqual(['hostile'])
  })

  test.each([
    ['201 characters', 'x'.repeat(201)],
    ['17 words', Array.from({ length: 17 }, (_, i) => `w${i}`).join(' ')],
  ])('with %s is asked to be shorter, and can be', async (_, q) => {
    const page = await open(`/search?${new URLSearchParams({ q })}`, 400)
    expect(page.one('h1').text).toBe('Search too long')
    expect(page.one('input').attribute('value')).toBe(q)
  })

  test('past its last page is a 404 that keeps the words in the search box', async () => {
    const page = await open('/search?q=talk&page=4', 404)
    expect(page.one('input').attribute('value')).toBe('talk')
    expect((await open('/search?page=99999', 404)).one('input').attribute('value')).toBe('')
    expect(countOf(await open('/search?q=talk&page=abc'))).toBe(45)
  })

  test('ignores unknown parameters, and does not echo them', async () => {
    const answer = await service.call({ method: 'GET', path: '/search?q=talk&utm_source=letter&year=then&sort=odd' })
    expect(answer.body).not.toMatch(/utm_source|letter|then|odd/)
    const plain = await service.call({ method: 'GET', path: '/search?q=talk' })
    expect(answer.body).toBe(plain.body)
  })

  test('shows no drafts to any caller', async () => {
    expect((await open('/search?q=zebra')).one('h1').text).toBe('No talks found for “zebra”')
    const page = await open('/search?category=secret-event&speaker=999')
    expect(textsOf(page.all('.chip'))).toEqual([
      'Remove filter in Unknown event ×',
      'Remove filter by Unknown speaker ×',
    ])
    for (const path of ['/search?q=zebra', '/search', '/search?q=zebre']) {
      const anybody = await service.call({ method: 'GET', path })
      const admin = await service.call({ method: 'GET', path, as: 'admin' })
      expect(admin.body).toBe(anybody.body)
      expect(anybody.body).not.toMatch(/Unpublished|Secret event|Hidden Hal/)
    }
  })

  test.each([
    '/search?q=talk',
    '/search',
    '/search?q=asyncio+database&language=ga',
    '/search?q=talk&category=conf-2011&length=60%2B&sort=oldest',
    '/search?download=yes&year=2010&sort=title',
    '/search?q=talk&sort=longest&page=2',
  ])('%s has the same talks as its JSON', async (path) => {
    const page = await open(path)
    const json = linkOf(page, 'JSON')
    const { count, results } = parseFields(await service.call({ method: 'GET', path: hrefOf(json) }))
    const records = (Array.isArray(results) ? results : []).map((each) => each.record ?? each).filter(isFields)
    expect([count, records.map(({ title }) => title)]).toEqual([countOf(page), titlesOf(page)])
    expect(records.length).toBeGreaterThan(0)
    const [alternate] = page
      .one('head')
      .all('link')
      .filter((link) => link.attribute('type') === 'application/json')
    expect(alternate && hrefOf(alternate)).toBe(hrefOf(json))
  })

  test('has a feed of its own, and is not for search engines', async () => {
    const page = await open('/search?q=talk&year=2010&tag=1&tag=2&sort=title')
    expect(hrefOf(linkOf(page, 'Feed of this search'))).toBe('/search.atom?q=talk&tag=1&tag=2&year=2010')
    const robots = page.all('meta').filter((meta) => meta.attribute('name') === 'robots')
    expect(robots.map((meta) => meta.attribute('content'))).toEqual(['noindex'])
  })

  test('is revalidated by its ETag until a talk changes', async () => {
    const path = '/search?q=number'
    const tag = headerOf(await service.call({ method: 'GET', path }), 'ETag') ?? ''
    const again = () => service.call({ method: 'GET', path, headers: { 'If-None-Match': tag } })
    expect((await again()).status).toBe(304)
    await service.patch(1, { title: 'Another number' })
    expect((await again()).status).toBe(200)
  })
})

/** Nothing runs or loads besides our own script, style sheet and icon. */
function expectHarmless(page: Part): void {
  expect(page.all('script').map((each) => each.attribute('src'))).toEqual([expect.stringMatching(/^\/assets\/site-/)])
  expect(page.all('svg').filter((each) => each.attribute('onload') !== undefined)).toEqual([])
  expect(page.all('img').map((each) => each.attribute('src'))).toEqual([expect.stringMatching(/^\/assets\/icon-/)])
  const all = page.all('')
  const names = ['onerror', 'onload', 'onmouseover', 'onclick', 'style']
  expect(all.filter((each) => names.some((name) => each.attribute(name) !== undefined))).toEqual([])
}
