import { beforeAll, describe, expect, test } from 'bun:test'
import type { Part } from './page-tree.ts'
import { countOf, createBrowser, hrefOf, linkOf, textsOf, titlesOf, useTalks } from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

beforeAll(async () => {
  const talk = { title: 'Sails and ropes', category: 'Conf 2010', recorded: '2010-05-10' }
  await service.create(talk)
  await service.create({ ...talk, title: 'Zebra sails', state: 2 })
  const tides = {
    title: 'Tides',
    category: 'Harbour Days 2014',
    recorded: '2014-05-10',
    speakers: ['Odalys Brightwater'],
  }
  await service.create(tides)
  await service.create({ ...tides, title: 'Tides of the year', category: 'Harbour Days 2019', recorded: '2019-05-10' })
})

const triesOf = (page: Part) => textsOf(page.one('.tries').all('li'))

/** The chips of words that were understood, with where they lead. */
const understoodOf = (page: Part) =>
  page
    .all('.understood')
    .flatMap((line) => line.all('.chip'))
    .map((chip) => [chip.text, hrefOf(chip)])

describe('Words that are a year or an event', () => {
  test('are shown as chips that lead to the search without them', async () => {
    const page = await open('/search?q=conf+2011+asyncio&language=en')
    expect(understoodOf(page)).toEqual([
      ['Remove filter Conf ×', '/search?q=2011+asyncio&language=en'],
      ['Remove filter 2011 ×', '/search?q=conf+asyncio&language=en'],
    ])
    expect(page.one('.understood').one('b').text).toBe('asyncio')
    const plain = await open('/search?q=conf+asyncio&language=en')
    expect(countOf(plain)).toBeGreaterThan(countOf(page))
  })

  test('are no chips if they are all there is, or results are of others', async () => {
    for (const q of ['conf', '2011', 'asyncio', '"conf+2011"+asyncio', 'asyncio+-2011', 'asyncio+part+2011']) {
      const chips = understoodOf(await open(`/search?q=${q}`)).filter(([text]) => text?.includes('Conf'))
      expect([q, chips]).toEqual([q, []])
    }
    expect(understoodOf(await open('/search?q=number+2001'))).toEqual([])
  })

  test('are no chips if a talk of another event comes before one of theirs', async () => {
    const ropes = { title: 'Ropemeet knots', category: 'Otherfair', recorded: '2018-05-10' }
    await service.create(ropes)
    for (const day of [1, 2, 3]) {
      await service.create({
        title: `Bowlines ${day}`,
        category: 'Ropemeet',
        recorded: `2018-05-0${day}`,
        summary: 'On knots.',
      })
    }
    const page = await open('/search?q=ropemeet+knots')
    expect([titlesOf(page)[0], countOf(page), understoodOf(page)]).toEqual(['Ropemeet knots', 4, []])
    expect(understoodOf(await open('/search?q=ropemeet+bowlines'))).toHaveLength(1)
  })
})

describe('An edition that the archive does not have', () => {
  const noEditionOf = (page: Part) => page.all('.widened').map(({ text }) => text)

  test('is named, with links to those before and after it, and no words are understood otherwise', async () => {
    const page = await open('/search?q=harbour+days+2016')
    expect(noEditionOf(page)).toEqual([
      'This archive has no talks from Harbour Days 2016. Nearest: Harbour Days 2014 · Harbour Days 2019',
    ])
    expect(hrefOf(linkOf(page, 'Harbour Days 2019'))).toBe('/category/harbour-days-2019')
    expect(understoodOf(page)).toEqual([])
    const before = await open('/search?q=2009+harbour+days+tides')
    expect(noEditionOf(before)).toEqual([
      'This archive has no talks from Harbour Days 2009. Nearest: Harbour Days 2014',
    ])
  })

  test('is not named if it is there, or the words are no series', async () => {
    for (const q of ['harbour+days+2014', 'harbour+2016', 'tides+2016', 'harbour+days', '2016']) {
      const lines = noEditionOf(await open(`/search?q=${q}`)).filter((text) => text.includes('Nearest'))
      expect([q, lines]).toEqual([q, []])
    }
  })
})

describe('The name of a series that is written as one word', () => {
  test('is searched for as its words', async () => {
    const page = await open('/search?q=harbourdays+2014')
    expect(page.one('.corrected').text).toStartWith('Showing results for harbour days 2014')
    expect(understoodOf(page).map(([text]) => text)).toEqual(['Remove filter Harbour Days ×', 'Remove filter 2014 ×'])
    expect([titlesOf(page), textsOf(page.all('.named-card').map((card) => card.one('h2')))]).toEqual([
      ['Tides'],
      ['Harbour Days 2014'],
    ])
    expect((await open('/search?q=HarbourDays+2016')).one('.widened').text).toStartWith(
      'This archive has no talks from Harbour Days 2016.',
    )
  })

  test('is left alone if an event is written like that', async () => {
    await service.create({ title: 'Moored', category: 'Quayfair 2013' })
    await service.create({ title: 'Anchored', category: 'Quay Fair 2014' })
    expect((await open('/search?q=quayfair+2013')).all('.corrected')).toEqual([])
  })
})

describe('A speaker without a talk at the event or in the year that the words name', () => {
  const lineOf = async (q: string) =>
    (await open(`/search?${new URLSearchParams({ q })}`)).all('.widened').map(({ text }) => text)
  const all = 'Odalys Brightwater has 2 talks in this archive, none'

  test('is said to have talks elsewhere, with a link to them', async () => {
    expect(await lineOf('conf 2011 brightwater')).toContain(`${all} at Conf 2011.`)
    expect(await lineOf('conf odalys brightwater 2017')).toContain(`${all} from 2017.`)
    const page = await open('/search?q=conf+2011+brightwater')
    expect((await open(hrefOf(linkOf(page, 'Odalys Brightwater')))).one('h1').text).toBe('Odalys Brightwater')
    expect(textsOf(page.all('.named-card').map((card) => card.one('h2')))).toContain('Odalys Brightwater')
  })

  test('is not mentioned if there is such a talk, or no year', async () => {
    for (const q of ['brightwater 2014', 'harbour days 2019 brightwater', 'conf brightwater', 'tides 2011']) {
      expect([q, (await lineOf(q)).filter((line) => line.includes('none'))]).toEqual([q, []])
    }
  })
})

describe('A misspelled name of a speaker', () => {
  test('is corrected, with the card of the speaker and a link to the search as typed', async () => {
    for (const q of ['odalys+brightwatr', 'odalis+brightwaters']) {
      const page = await open(`/search?q=${q}`)
      expect(page.one('h1').text).toBe('Results for “odalys brightwater”')
      expect(page.one('.corrected').text).toStartWith('Showing results for odalys brightwater')
      expect(page.one('.named-card').one('h2').text).toBe('Odalys Brightwater')
      expect(titlesOf(page)).toEqual(['Tides of the year', 'Tides'])
    }
    const page = await open('/search?q=Odalys+Brightwatr')
    expect(page.one('.corrected').all('b')[0]?.text).toBe('Odalys Brightwater')
    expect(hrefOf(page.one('.corrected').all('a')[1] ?? page)).toBe('/search?q=Odalys+%22Brightwatr%22')
  })

  test('is left alone if it is typed as talks have it, or no speaker is like it', async () => {
    for (const q of ['odalys+brightwater', 'asyncio+talk', 'odalys+br', 'odalys+"brightwatr"']) {
      expect([q, (await open(`/search?q=${q}`)).all('.corrected')]).toEqual([q, []])
    }
  })
})

describe('A search for words that no talk has together', () => {
  test('says so, shows talks with some of them, and offers fewer words', async () => {
    const page = await open('/search?q=asyncio+database')
    expect(page.one('.widened').text).toBe('No talk matches all of these words. Showing partial matches.')
    expect([countOf(page), triesOf(page)]).toEqual([
      45,
      ['Search for “database”: 22 talks', 'Search for “asyncio”: 23 talks'],
    ])
    const fewer = await open(hrefOf(linkOf(page, 'Search for “asyncio”')))
    expect([countOf(fewer), fewer.all('.widened')]).toEqual([23, []])
  })

  test('names a word that no talk has, also if a draft has it', async () => {
    for (const word of ['qwxzzy', 'zebra']) {
      const page = await open(`/search?q=sails+${word}`)
      expect(page.one('.widened').text).toBe(
        `No talk contains the word “${word}”. Showing results for the other words.`,
      )
      expect([titlesOf(page), triesOf(page)]).toEqual([['Sails and ropes'], ['Search for “sails”: 1 talk']])
    }
  })

  test('says nothing if talks have all words', async () => {
    const page = await open('/search?q=asyncio+talk')
    expect([page.all('.widened'), page.all('.tries')]).toEqual([[], []])
  })
})

describe('A search that finds nothing', () => {
  test('says how many talks each filter hides', async () => {
    const page = await open('/search?q=rust&year=2010&language=en')
    expect(page.one('.no-results').all('p')[0]?.text).toBe('No talk matches all of these words and filters.')
    expect(triesOf(page).slice(0, 2)).toEqual([
      expect.stringMatching(/^Remove “2010”: \d+ talks$/),
      expect.stringMatching(/^Search all talks: \d+ talks$/),
    ])
    const [wider] = page.one('.no-results').all('a')
    const count = Number(triesOf(page)[0]?.match(/(\d+) talks/)?.[1])
    expect(countOf(await open(wider === undefined ? '' : hrefOf(wider)))).toBe(count)
    expect(page.one('.search-box').all('.chip')).toHaveLength(2)
  })

  test('offers fewer words within the filter, and the search without quotes', async () => {
    expect(triesOf(await open('/search?q=asyncio+rust&year=2010'))).toEqual([
      'Search all talks: 15 talks',
      'Search for “asyncio”: 8 talks',
    ])
    expect(triesOf(await open('/search?q=%22talk+asyncio%22'))).toEqual(['Search without quotes: 23 talks'])
    expect(triesOf(await open('/search?q=%22qwxzzy+asyncio%22'))).toEqual(['Search for “asyncio”: 23 talks'])
  })

  test('offers names that are like the words, and none of drafts', async () => {
    const page = await open('/search?q=%22bo+quis%22')
    expect(triesOf(page)).toContain('Speaker Bo Quist: 9 talks')
    for (const tag of ['quillwork', 'quillwork', 'Quillwork']) {
      await service.create({ title: 'Feathers', category: 'Conf 2010', tags: [tag] })
    }
    expect(triesOf(await open('/search?q=%22quillwor%22'))).toEqual([
      'Search without quotes: 3 talks',
      'Tag quillwork: 2 talks',
    ])
    for (const q of ['%22hidden+ha%22', '%22secret+eve%22']) {
      expect(textsOf((await open(`/search?q=${q}`)).all('.tries')).join()).not.toMatch(/Speaker|Event/)
    }
  })
})

describe('A search within filters that finds few talks', () => {
  const longerOf = (page: Part) => page.all('.longer').flatMap((section) => textsOf(section.all('h3')))

  beforeAll(async () => {
    await service.create({ title: 'A dict', category: 'Wordfair' })
    await service.create({ title: 'Dictionaries', category: 'Wordfair' })
    await service.create({ title: 'Dictionaries again', category: 'Wordmeet' })
    await service.create({ title: 'Dictionaries unpublished', category: 'Wordmeet', state: 2 })
  })

  test('is followed by talks with longer words, which are not counted', async () => {
    const page = await open('/search?q=dict&category=wordfair')
    expect([countOf(page), longerOf(page)]).toEqual([1, ['Dictionaries']])
    const none = await open('/search?q=dict&category=wordmeet')
    expect([none.one('h1').text, longerOf(none)]).toEqual([
      'No talks found for “dict” in Wordmeet',
      ['Dictionaries again'],
    ])
  })

  test('is not, if there are no filters, or enough talks', async () => {
    expect(longerOf(await open('/search?q=dict'))).toEqual([])
    expect(longerOf(await open('/search?q=asyn&category=conf-2010'))).toEqual([])
  })
})
