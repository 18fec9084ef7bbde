import { beforeAll, describe, expect, test } from 'bun:test'
import { parseFields } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { createBrowser, hrefOf, linkOf, textsOf, useTalks } from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

/** What each card above the results says. */
const cardsOf = async (query: string) => {
  const cards = (await open(`/search?${query}`)).all('.named-card')
  return cards.map((card) => [card.one('.kicker').text, card.one('h2').text, card.one('.facts').text])
}

beforeAll(async () => {
  await service.create({ title: 'Public words', category: 'Conf 2010', speakers: ['Una Open'], tags: ['Sea'] })
  await service.create({
    title: 'Private words',
    category: 'Conf 2010',
    speakers: ['Una Open'],
    tags: ['Sea'],
    state: 2,
  })
})

describe('The cards above the results', () => {
  test('show the speaker that the words name, with years and topics', async () => {
    const page = await open('/search?q=ada+nova')
    const card = page.one('.named-card')
    expect([card.one('.kicker').text, card.one('h2').text]).toEqual(['Speaker', 'Ada Nova'])
    expect(card.one('.facts').text).toBe('9 talks · 2010–2012')
    expect(textsOf(card.one('.pills').all('bdi')).toSorted()).toEqual(['Python', 'Rust', 'Web'])
    expect((await open(hrefOf(linkOf(page, 'Ada Nova')))).one('h1').text).toBe('Ada Nova')
  })

  test('show the event with its days, and the tag with its years', async () => {
    expect(await cardsOf('q=conf+2011')).toEqual([['Event', 'Conf 2011', '15 talks · 11–17 May 2011']])
    expect(await cardsOf('q=rust')).toEqual([['Tag', 'Rust', '30 talks · 2011–2012']])
    const event = (await open('/search?q=conf+2011')).one('.named-card')
    expect(hrefOf(linkOf(event, 'Conf 2011'))).toBe('/category/conf-2011')
  })

  test('show a speaker named by one word, if most results are theirs', async () => {
    expect(await cardsOf('q=quist')).toEqual([['Speaker', 'Bo Quist', '9 talks · 2010–2012']])
    expect(await cardsOf('q=speaker')).toEqual([])
    expect(await cardsOf('q=asyncio')).toEqual([])
  })

  test('show a speaker whose last name is among other words, if most talks that have it are theirs', async () => {
    expect((await cardsOf('q=open+public')).map(([, name]) => name)).toEqual(['Una Open'])
    expect(await cardsOf('q=una+public')).toEqual([])
    // Most of these results are of others.
    expect((await cardsOf('q=quist+rust')).map(([, name]) => name)).toEqual(['Bo Quist'])
    expect(await cardsOf('q=loop+rust')).toEqual([])
  })

  test('show a speaker whose name is typed in more words, not another one who has the last of them', async () => {
    await service.create({ title: 'Locks', category: 'Conf 2010', speakers: ['Ina Vandermolen'] })
    await service.create({ title: 'Weirs', category: 'Conf 2010', speakers: ['Olaf van der Molen'] })
    expect((await cardsOf('q=ina+van+der+molen')).map(([, name]) => name)).toEqual(['Ina Vandermolen'])
  })

  test('show topics of a speaker, not labels of events and of everything', async () => {
    const talk = { title: 'Dykes', category: 'Conf 2010', speakers: ['Wim Tide'] }
    await service.create({ ...talk, tags: ['talk', 'conf2010', 'conf', 'Water', 'water', 'Sand'] })
    await service.create({ ...talk, title: 'More dykes', tags: ['talk', 'conf2010', 'conf', 'Water'] })
    const card = (await open('/search?q=wim+tide')).one('.named-card')
    expect(textsOf(card.one('.pills').all('bdi'))).toEqual(['Water', 'Sand'])
    const page = await open(hrefOf(linkOf(card, 'Wim Tide')))
    expect(page.one('dl').text).toMatch(/^Topics\s*Water/)
    expect(page.one('dl').text).not.toMatch(/talk|conf/)
  })

  test('show no tag within filters, since its page leads out of them', async () => {
    expect(await cardsOf('q=rust&year=2011')).toEqual([])
  })

  test('show one of the spellings of a name, the most used', async () => {
    await service.create({ title: 'Another', category: 'Conf 2010', tags: ['rUST'] })
    expect(await cardsOf('q=RUST')).toEqual([['Tag', 'Rust', '30 talks · 2011–2012']])
  })

  test('show one card for a person whose names differ in case and accents only', async () => {
    for (const name of ['Kim Brückner', 'Kim Bruckner', 'Kim Brueckner', 'kim brückner']) {
      await service.create({ title: `Bridges by ${name}`, category: 'Conf 2010', speakers: [name] })
    }
    await service.create({ title: 'More bridges', category: 'Conf 2010', speakers: ['Kim Brückner'] })
    expect(await cardsOf(`q=${encodeURIComponent('brückner')}`)).toEqual([['Speaker', 'Kim Brückner', '2 talks']])
    expect(await cardsOf(`q=${encodeURIComponent('kim brückner')}`)).toEqual([['Speaker', 'Kim Brückner', '2 talks']])
    const { results } = parseFields(await service.call({ method: 'GET', path: '/search/suggest?q=kim+br' }))
    const names = (Array.isArray(results) ? results : []).filter(({ kind }) => kind === 'speaker')
    expect(names.map(({ text }) => text)).toEqual(['Kim Brückner'])
  })

  test('follow a corrected word, which keeps its capitals', async () => {
    const page = await open('/search?q=Bo+Qiust')
    expect([page.one('h1').text, page.one('.corrected').one('b').text]).toEqual(['Results for “Bo Quist”', 'Bo Quist'])
    expect(await cardsOf('q=bo+qiust')).toEqual([['Speaker', 'Bo Quist', '9 talks · 2010–2012']])
  })

  test('stand on the first page alone, also if no talk is found, and not for a filter', async () => {
    expect(await cardsOf('q=rust&page=2')).toEqual([])
    expect(await cardsOf('q=rust&year=1999')).toEqual([['Tag', 'Rust', '30 talks · 2011–2012']])
    expect(await cardsOf('q=conf+2011&category=conf-2011')).toEqual([])
  })

  test('name and count no drafts, for any caller', async () => {
    for (const q of ['hidden+hal', 'secret+event', 'zebra', 'hal']) expect(await cardsOf(`q=${q}`)).toEqual([])
    expect(await cardsOf('q=una+open')).toEqual([['Speaker', 'Una Open', '1 talk']])
    const path = '/search?q=una+open'
    const admin = await service.call({ method: 'GET', path, as: 'admin' })
    expect(admin.body).toBe((await service.call({ method: 'GET', path })).body)
  })

  test('change with the talks of the name, and so does the ETag', async () => {
    const path = '/search?q=una+open'
    const tag = headerOf(await service.call({ method: 'GET', path }), 'ETag') ?? ''
    await service.create({ title: 'More', category: 'Conf 2012', speakers: ['Una Open'], recorded: '2019-01-01' })
    const after = await service.call({ method: 'GET', path, headers: { 'If-None-Match': tag } })
    expect(after.status).toBe(200)
    expect(await cardsOf('q=una+open')).toEqual([['Speaker', 'Una Open', '2 talks · 2019']])
  })

  test('show hostile names as text', async () => {
    const page = await open('/search?q=%3Cb%3EBold%3C%2Fb%3E')
    expect(textsOf(page.all('.named-card').map((card) => card.one('h2')))).toEqual(['<b>Bold</b>'])
  })
})
