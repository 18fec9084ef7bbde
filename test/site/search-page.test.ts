import { describe, expect, test } from 'bun:test'
import {
  countOf,
  createBrowser,
  hrefOf,
  linkOf,
  talkCount,
  textsOf,
  titlesOf,
  toTalk,
  useTalks,
} from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

describe('The search page', () => {
  test('finds talks, with marks in titles, passages and names', async () => {
    const page = await open('/search?q=asyncio')
    expect([page.one('h1').text, countOf(page)]).toEqual(['Results for “asyncio”', 23])
    const [first] = page.all('.talk-card')
    expect(textsOf(first?.one('h2').all('mark') ?? [])).toEqual(['asyncio'])
    const loop = await open('/search?q=loop')
    const marks = loop.all('.passage').map((passage) => textsOf(passage.all('mark')))
    expect(marks).toEqual(Array.from({ length: 20 }, () => ['loop']))
    const [named] = (await open('/search?q=nova')).all('.talk-card')
    expect(textsOf(named?.one('p.speakers').all('mark') ?? [])).toEqual(['Nova'])
  })

  test('without words has all live talks, the newest first', async () => {
    const page = await open('/search')
    expect([page.one('h1').text, countOf(page)]).toEqual(['All talks', talkCount + 1])
    const days = page.all('time').map((time) => time.attribute('datetime') ?? '')
    expect(days).toEqual(days.toSorted().reverse())
    expect(days).toHaveLength(20)
  })

  test('says in its heading what it is limited to', async () => {
    const headings = [
      ['/search?year=2010', 'Talks in 2010'],
      ['/search?q=asyncio&category=conf-2010', 'Results for “asyncio” in Conf 2010'],
      ['/search?q=asyncio&language=en&length=0-10', 'Results for “asyncio” in English, under 10 minutes'],
      ['/search?q=zebra&year=1999', 'No talks found for “zebra” in 1999'],
    ] as const
    for (const [path, heading] of headings) {
      const page = await open(path)
      expect(page.one('h1').text).toBe(heading)
      // Another page may be about the same talks, so the title says that this one is a search.
      expect(page.one('title').text).toStartWith(
        heading.replace(/^.*“(.*)”|^Talks/, (all, q) => `Search: ${q ?? all.toLowerCase()}`),
      )
    }
  })

  test('has a link past everything before the results', async () => {
    const skips = (await open('/search?q=asyncio')).all('.skip')
    expect(skips.map((link) => [link.text, hrefOf(link)])).toEqual([
      ['Skip to content', '#content'],
      ['Skip to results', '#results'],
    ])
    expect((await open('/search?q=zebra')).all('.skip')).toHaveLength(1)
  })

  for (const start of ['/search?q=talk', '/search', '/search?q=asyncio&download=yes']) {
    test(`every filter of ${start} leads to as many talks as it says, and back`, async () => {
      const filters = (await open(start)).one('.facets').all('a')
      expect(filters.length).toBeGreaterThan(10)
      for (const filter of filters.filter((each) => each.attribute('aria-current') === undefined)) {
        expect(filter.attribute('rel')).toBe('nofollow')
        const narrowed = await open(hrefOf(filter))
        expect([filter.text, countOf(narrowed)]).toEqual([filter.text, Number(filter.one('.count').text)])
        const chips = narrowed.all('.chip').filter((chip) => hrefOf(chip) === start)
        expect(textsOf(chips)).toEqual([expect.stringContaining(`${filter.one('.value').text} ×`)])
      }
    })
  }

  test('keeps the other values of a chosen filter, to switch to', async () => {
    for (const [start, facet] of [
      ['/search?q=asyncio&year=2011', 'Year'],
      ['/search?q=asyncio&category=conf-2011&language=en', 'Event'],
      ['/search?q=asyncio&category=conf-2011&language=en', 'Language'],
      ['/search?q=asyncio&length=0-10', 'Length'],
    ] as const) {
      const values = (await open(start)).all('.facet').find((each) => each.one('h2').text === facet)
      const [chosen, ...others] = values?.all('a') ?? []
      expect([chosen?.attribute('aria-current'), others.length > 0]).toEqual(['true', true])
      for (const other of others) {
        const page = await open(hrefOf(other))
        expect([other.text, countOf(page)]).toEqual([other.text, Number(other.one('.count').text)])
        expect(page.all('.chip')).toHaveLength(new URL(start, 'http://x').searchParams.size - 1)
      }
    }
  })

  test('offers other speakers and tags instead of the chosen ones, below those to add', async () => {
    const path = hrefOf(linkOf(await open('/search?year=2010'), 'Web8'))
    const tags = (await open(path)).all('.facet').find((each) => each.one('h2').text === 'Tag')
    expect(tags?.one('h3').text).toBe('Instead of Web')
    const [, instead] = tags?.all('.values') ?? []
    expect(textsOf(instead?.all('a') ?? [])).toEqual(['Python15'])
    const switched = await open(hrefOf(linkOf(instead ?? expect.unreachable(), 'Python15')))
    expect(textsOf(switched.all('.chip'))).toEqual(['Remove filter tagged Python ×', 'Remove filter in 2010 ×'])
    const ada = await open(hrefOf(linkOf(await open('/search'), 'Ada Nova9')))
    const quist = await open(hrefOf(linkOf(ada, 'Bo Quist9')))
    expect(textsOf(quist.all('.chip'))).toEqual(['Remove filter by Bo Quist ×'])
  })

  test('counts each talk once in a facet where a talk has one value', async () => {
    const page = await open('/search?q=talk')
    const totals = page.all('.facet').map((facet) => {
      const counts = facet.all('.count').map(({ text }) => Number(text))
      return [facet.one('h2').text, counts.reduce((sum, each) => sum + each, 0)] as const
    })
    // One day, a quarter of the languages and a fifth of the lengths are unknown.
    expect(Object.fromEntries(totals)).toMatchObject({ Event: 45, Year: 44, Language: 34, Length: 36, Files: 8 })
  })

  test('combines filters, which can be removed one by one or all together', async () => {
    const path = '/search?q=talk&category=conf-2010&language=en&year=2010&length=0-10&download=yes'
    const page = await open(path)
    expect(titlesOf(page)).toEqual([toTalk(0).title])
    const names = ['in Conf 2010', 'in English', 'in 2010', 'Under 10 minutes', 'Can be downloaded']
    expect(textsOf(page.all('.chip'))).toEqual(names.map((name) => `Remove filter ${name} ×`))
    expect(hrefOf(linkOf(page, 'Remove filter in English ×'))).toBe(path.replace('&language=en', ''))
    expect(hrefOf(linkOf(page, 'Search all talks'))).toBe('/search?q=talk')
  })

  test('combines speakers and tags', async () => {
    const ada = await open(hrefOf(linkOf(await open('/search'), 'Ada Nova9')))
    const python = await open(hrefOf(linkOf(ada, 'Python3')))
    const web = await open(hrefOf(linkOf(python, 'Web2')))
    expect(titlesOf(web).toSorted()).toEqual([toTalk(0).title, toTalk(30).title])
    const names = ['by Ada Nova', 'tagged Python', 'tagged Web']
    expect(textsOf(web.all('.chip'))).toEqual(names.map((name) => `Remove filter ${name} ×`))
  })

  test.each([
    ['newest', (a, b) => (b.recorded ?? '').localeCompare(a.recorded ?? '')],
    ['oldest', (a, b) => (a.recorded ?? '9').localeCompare(b.recorded ?? '9')],
    ['longest', (a, b) => (b.duration ?? -1) - (a.duration ?? -1)],
    ['shortest', (a, b) => (a.duration ?? 1e9) - (b.duration ?? 1e9)],
    ['title', (a, b) => (a.title < b.title ? -1 : 1)],
  ] as [string, (a: Talk, b: Talk) => number][])('sorts by %s, what is unknown at the end', async (sort, compare) => {
    const found: Talk[] = []
    for (const page of [1, 2, 3]) {
      const titles = titlesOf(await open(`/search?q=talk&sort=${sort}&page=${page}`))
      found.push(...titles.map((title) => toTalk(Number(title.split(' ').at(-1)))))
    }
    expect(found).toHaveLength(talkCount)
    const pairs = found.slice(1).map((talk, i) => compare(found[i] ?? talk, talk))
    expect(pairs.filter((order) => order > 0)).toEqual([])
  })

  test('pages through all talks, each once', async () => {
    const seen: string[] = []
    let page = await open('/search?q=talk&sort=title')
    for (const [number, next] of [
      ['1', 'Next →'],
      ['2', 'Next →'],
      ['3', null],
    ] as const) {
      seen.push(...titlesOf(page))
      const current = page
        .one('.pages')
        .all('a')
        .filter((link) => link.attribute('aria-current') === 'page')
      expect(textsOf(current)).toEqual([number])
      expect(textsOf(page.one('.pages').all('a'))).toEqual(['1', '2', '3'])
      if (next !== null) page = await open(hrefOf(linkOf(page, next)))
    }
    expect(new Set(seen).size).toBe(talkCount)
    expect(textsOf(page.all('.step'))).toEqual(['← Previous'])
  })
})

type Talk = ReturnType<typeof toTalk>
