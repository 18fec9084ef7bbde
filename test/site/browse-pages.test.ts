import { beforeAll, describe, expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { createBrowser, hrefOf, linkOf, textsOf } from './search-talks.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })
const open = createBrowser(service)

/** The address of the page of a speaker or tag. */
async function findPage(kind: 'speaker' | 'tag', name: string): Promise<string> {
  const answer = await service.call({ method: 'GET', path: `/api/v2/${kind}?q=${encodeURIComponent(name)}` })
  const [found] = JSON.parse(answer.body).results
  return `/${kind}/${found.id}/${found.slug}`
}

beforeAll(async () => {
  for (const year of [2017, 2018, 2020]) {
    const category = `Harbour Conf ${year}`
    for (let i = 0; i < 3; i++) {
      await service.create({
        ...{ title: `Tides ${i} of ${year}`, category, recorded: `${year}-05-0${3 + i}`, language: 'English' },
        ...{ speakers: i === 0 ? ['Ann Bell', 'Bo Quist'] : ['Ann Bell'], duration: 1_800 },
        tags: ['Water', `conf${year}`],
      })
    }
  }
  // One talk with a wrong day does not move its event.
  await service.create({ title: 'Misdated', category: 'Harbour Conf 2017', recorded: '2019-01-01', tags: ['water'] })
  await service.create({ title: 'Secret', category: 'Harbour Conf 2019', recorded: '2019-05-03', state: 2 })
  await service.create({
    title: 'Calling `drop_all` -- a *story*',
    category: 'Дворец',
    speakers: ['Борис'],
    duration: 90,
  })
  await service.create({ title: 'Lightning', category: 'Дворец', speakers: ['Various speakers'], language: 'German' })
  await service.create({ title: 'Lightning again', category: 'Дворец', speakers: ['Various speakers'] })
  const json = { place: 'Porto, Portugal', start_date: '2018-05-03', end_date: '2018-05-09' }
  await service.call({ method: 'PATCH', path: '/api/v2/category/harbour-conf-2018', as: 'admin', json })
}, 180_000)

describe('The list of events', () => {
  test('has a link to every year, by which one reaches its events at once', async () => {
    const page = await open('/category')
    const years = page.one('nav.years-index').all('a')
    expect(textsOf(years)).toEqual(['All 4', '2020 1', '2018 1', '2017 1', 'Unknown 1'])
    const year = await open(hrefOf(linkOf(page, '2017 1')))
    expect(textsOf(year.all('h3'))).toEqual(['Harbour Conf 2017'])
    expect(year.one('h1').text).toBe('Events in 2017')
  })

  test('finds an event by words of its title or place', async () => {
    expect(textsOf((await open('/category?q=harb+2018')).all('h3'))).toEqual(['Harbour Conf 2018'])
    expect(textsOf((await open('/category?q=portugal')).all('h3'))).toEqual(['Harbour Conf 2018'])
    expect((await open('/category?q=zebra')).one('.empty').text).toBe('No events match.')
  })

  test('finds an event by misspelled words if none has them as typed', async () => {
    expect(textsOf((await open('/category?q=H%C3%A1rbuor+2018')).all('h3'))).toEqual(['Harbour Conf 2018'])
    expect(textsOf((await open('/category?q=harbour+2021')).all('h3'))).toEqual([])
  })

  test('shows the days, the place and the number of talks of each', async () => {
    const [card] = (await open('/category?year=2018')).all('.event-card')
    expect(textsOf(card?.all('p') ?? [])).toEqual(['3–9 May 2018', 'Porto, Portugal', '3 talks'])
  })

  test('never shows what exists through drafts alone', async () => {
    expect(textsOf((await open('/category')).all('h3'))).not.toContain('Harbour Conf 2019')
    expect((await open('/category?year=2019')).one('h1').text).toBe('Events')
  })

  test('has no page past its end', async () => {
    await open('/category?page=9', 404)
  })
})

describe('The page of an event', () => {
  test('leads to the editions before and after it, never to one of drafts', async () => {
    const editions = (await open('/category/harbour-conf-2018')).one('nav.editions').all('a')
    expect(editions.map(hrefOf)).toEqual(['/category/harbour-conf-2017', '/category/harbour-conf-2020'])
  })

  test('says which editions between it and the others the archive lacks', async () => {
    const noteOf = async (path: string) => textsOf((await open(path)).all('.no-editions'))
    expect(await noteOf('/category/harbour-conf-2018')).toEqual(['This archive has no talks from Harbour Conf 2019.'])
    expect(await noteOf('/category/harbour-conf-2020')).toEqual(['This archive has no talks from Harbour Conf 2019.'])
    expect(await noteOf('/category/harbour-conf-2017')).toEqual([])
  })

  test('says its days and place, and not the event on each talk', async () => {
    const page = await open('/category/harbour-conf-2018')
    expect(textsOf(page.one('.main-facts').all('li'))).toEqual(['3–9 May 2018', 'Porto, Portugal', '3 talks'])
    expect(page.one('.programme').all('.when')).toBeEmpty()
    expect(page.one('.programme').all('.generated')).toBeEmpty()
  })
})

describe('The page of a speaker', () => {
  test('says the years, topics, events and people, and not the name on each talk', async () => {
    const page = await open(await findPage('speaker', 'Ann Bell'))
    expect(textsOf(page.one('.facts').all('li')).slice(0, 2)).toEqual(['9 talks', '2017–2020'])
    expect(textsOf(page.all('dt'))).toEqual(['Topics', 'Events', 'Spoke with'])
    expect(textsOf(page.all('dd')[0]?.all('a') ?? [])).toEqual(['Water 9'])
    const speakers = textsOf(page.one('.talk-grid').all('.speakers'))
    expect(new Set(speakers)).toEqual(new Set(['with Bo Quist']))
    expect(textsOf(page.all('.badge'))).toEqual(['2020', '2018', '2017'])
  })

  test('is reached from a talk, with the number of all talks', async () => {
    const page = await open(await findPage('speaker', 'Ann Bell'))
    const talk = await open(hrefOf(linkOf(page, 'Tides 1 of 2020')))
    expect(textsOf(talk.one('.all-talks').all('a'))).toEqual(['All 9 talks'])
  })
})

describe('The lists of names', () => {
  test('keep scripts apart, and say how they are ordered', async () => {
    const page = await open('/speaker')
    expect(
      page
        .one('nav.letters')
        .all('ul')
        .map((list) => list.attribute('aria-label')),
    ).toEqual(['Latin', 'Cyrillic'])
    expect(page.one('.list-order').text).toBe('Most talks first')
    const letter = await open('/speaker?letter=a')
    expect(letter.all('h2').map(({ text }) => text)).toEqual(['1 speaker starting with A'])
    expect(letter.one('.list-order').text).toBe('From A to Z, by first name')
  })

  test('begin with an overview that says at how many events a name is, then lead to every letter with its number of names', async () => {
    const page = await open('/tag')
    expect(textsOf(page.all('h2'))).toEqual(['The 1 most common tag', 'All tags from A to Z'])
    expect(textsOf(page.one('.tiles').all('a'))).toEqual(['Water9 talks at 3 events'])
    expect(textsOf(page.one('nav.letters').all('a'))).toEqual(['C 3', 'W 1'])
    const letter = await open(hrefOf(linkOf(page, 'W 1')))
    expect(textsOf(letter.one('.name-columns').all('li'))).toEqual(['Water 9'])
  })

  test('find a name by misspelled words, and say so', async () => {
    for (const q of ['ann+bel', 'Bell+%C3%81nn', 'an+bell', 'ann+blel']) {
      const section = (await open(`/speaker?q=${q}`)).all('section')[0]
      expect([q, textsOf(section?.all('.name-columns') ?? [])]).toEqual([q, ['Ann Bell 9']])
    }
    const near = (await open('/speaker?q=ann+blel')).one('.list-order').text
    expect(near).toBe('No exact match. 1 similar speaker:')
    const none = await open('/speaker?q=zebra')
    expect([none.one('.empty').text, none.all('.list-order')]).toEqual(['No speakers match.', []])
  })

  test('have one spelling of a name, whose page leads to the others', async () => {
    const page = await open(await findPage('tag', 'Water'))
    expect(page.one('.spellings').text).toBe('Also written water (1 talk)')
    expect((await open(hrefOf(linkOf(page, 'water')))).one('.spellings').text).toBe('Also written Water (9 talks)')
  })

  test('have those who are no person under their letter only', async () => {
    const names = textsOf((await open('/speaker')).one('.tiles').all('bdi'))
    expect(names).toEqual(['Ann Bell', 'Bo Quist', 'Борис'])
    expect((await open('/speaker?letter=V')).one('.name-columns').text).toContain('Various speakers')
  })
})

describe('The home page', () => {
  test('shows at most two recent talks of an event while there are others', async () => {
    const cards = (await open('/')).all('.talk-card').slice(0, 6)
    const counts = Map.groupBy(cards, (card) => card.one('.generated').text)
    expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBe(2)
  })

  test('has one spelling of each topic, and no tag of an event', async () => {
    const pills = textsOf((await open('/')).all('bdi'))
    expect(pills).toContain('Water')
    expect(pills).not.toContain('water')
    expect(pills).not.toContain('conf2018')
  })
})

test('a title shows ticks as code, keeps dashes in one piece, and no markup else', async () => {
  const card = (await open('/category'))
    .all('a')
    .map(hrefOf)
    .find((href) => href.includes('dvorets') || /%D0/.test(href))
  const page = await open(card ?? '/category')
  const [title] = page.all('h3').filter(({ text }) => text.startsWith('Calling'))
  expect(title?.text).toBe('Calling drop_all -- a *story*')
  expect(textsOf(title?.all('code') ?? [])).toEqual(['drop_all'])
  expect(textsOf(title?.all('.unbroken') ?? [])).toEqual(['--'])
})

test('the list of languages says how many talks each has, and leads to its page and back', async () => {
  const page = await open('/language')
  expect(page.one('.page-head').one('p').text).toBe('10 talks in 2 languages. The language of 3 more talks is unknown.')
  expect(textsOf(page.one('.tiles').all('li'))).toEqual(['English9 talks', 'GermanDeutsch · 1 talk'])
  const language = await open(hrefOf(linkOf(page, 'GermanDeutsch · 1 talk')))
  expect(hrefOf(language.one('.kicker').one('a'))).toBe('/language')
  for (const [path, to] of [
    ['/languages', '/language'],
    ['/languages/de', '/language/de'],
    ['/languages/german', '/language/de'],
  ] as const) {
    const answer = await service.call({ method: 'GET', path })
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([301, to])
  }
  await open('/languages/nonsense', 404)
})

test('the page of a language has a feed', async () => {
  const page = await open('/language/de')
  const feed = hrefOf(linkOf(page, 'Feed'))
  expect(feed).toBe('/search.atom?language=de')
  const answer = await service.call({ method: 'GET', path: feed })
  expect([answer.status, answer.body.includes('<title>Lightning</title>')]).toEqual([200, true])
})

test('columns and years of the statistics link to the talks that they count', async () => {
  const page = await open('/stats')
  const years = page.all('a').filter((link) => link.attribute('aria-label') === '2018: 3 talks')
  expect(years.map(hrefOf)).toEqual(['/search?year=2018'])
  const lengths = page.all('a').filter((link) => link.attribute('aria-label') === '30–35: 9 talks')
  expect(lengths.map(hrefOf)).toEqual(['/search?length=30-35'])
  const found = await open('/search?length=30-35')
  expect(found.one('.results-head').text).toContain('9')
  expect(found.one('.chip').text).toContain('30 to 35 minutes')
  expect(hrefOf(linkOf(page, '2018'))).toBe('/search?year=2018')
})

test('the standard text about the site says what the archive holds', async () => {
  const page = (await open('/about')).one('article')
  expect(page.all('p')[0]?.text).toBe(
    'Rostrum is an archive of recorded talks from 2017 to 2020. They are in 2 languages, mostly English and German.',
  )
  const totals = page.one('.tiles').all('a')
  expect(textsOf(totals)).toEqual(['13talks', '4speakers', '4events', '5hours'])
  expect(totals.map(hrefOf)).toEqual(['/search', '/speaker', '/category', '/stats'])
})

test('a talk has its link Edit in the footer, and the record as JSON below its facts', async () => {
  const page = await open('/speaker')
  const speaker = await open(hrefOf(linkOf(page, 'ABAnn Bell9 talks at 3 events')))
  const talk = await open(hrefOf(speaker.one('.talk-grid').all('a')[0] ?? page))
  expect(
    talk
      .one('footer')
      .all('a')
      .filter(({ text }) => text === 'Edit'),
  ).toHaveLength(1)
  expect(
    talk
      .one('.talk-head')
      .all('a')
      .filter(({ text }) => /Edit|JSON/.test(text)),
  ).toBeEmpty()
  expect(
    talk
      .one('.talk-facts')
      .all('a')
      .filter(({ text }) => text.includes('JSON')),
  ).toHaveLength(1)
})

test('a player for other sites names speakers and length', async () => {
  const talk = await service.create({ title: 'Framed', category: 'Frames', speakers: ['Cy', 'Di'], duration: 125 })
  expect((await open(`/embed/${talk.id}`)).one('.frame-head').one('p').text).toBe('Cy, Di · 2 min')
})
