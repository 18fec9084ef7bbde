import { beforeAll, describe, expect, test } from 'bun:test'
import { parseFields } from '../contract/service.ts'
import type { Part } from './page-tree.ts'
import { createBrowser, hrefOf, linkOf, textsOf, useTalks } from './search-talks.ts'

const service = useTalks()
const open = createBrowser(service)

const headsOf = (page: Part) =>
  page.all('.named-card').map((card) => [card.one('.kicker').text, card.one('h2').text, card.one('.facts').text])

beforeAll(async () => {
  const tides = { title: 'Tides', speakers: ['Harbour Days'], tags: ['harbour-days'] }
  for (const year of [2014, 2016, 2019])
    await service.create({ ...tides, category: `Harbour Days ${year}`, recorded: `${year}-05-10` })
  await service.create({ ...tides, category: 'Harbour Days 2025', recorded: '2025-05-10', state: 2 })
  await service.create({ title: 'Moored', category: 'Quay Fair 2013', recorded: '2013-05-10' })
  await service.create({ title: 'Lost', category: 'Secret Meet 2013', recorded: '2013-05-10', state: 2 })
  await service.create({ title: 'Lost again', category: 'Secret Meet 2014', recorded: '2014-05-10', state: 2 })
})

describe('A search for the name of a series of events', () => {
  test('shows a card with its editions, the latest first, and none for speakers and tags of that name', async () => {
    const page = await open('/search?q=harbour+days')
    expect(headsOf(page)).toEqual([['Events', 'Harbour Days', '3 events · 2014–2019']])
    const card = page.one('.named-card')
    expect(textsOf(card.one('.pills').all('li'))).toEqual(['2019 1', '2016 1', '2014 1'])
    expect(hrefOf(linkOf(card, '2016 1'))).toBe('/category/harbour-days-2016')
    expect(page.all('.understood')).toEqual([])
    const events = await open(hrefOf(linkOf(card, 'Harbour Days')))
    expect(textsOf(events.all('.event-card').map((event) => event.one('h3')))).toHaveLength(3)
  })

  test('knows it written as one word, here and while it is typed', async () => {
    const page = await open('/search?q=harbourdays')
    expect(page.one('.corrected').text).toStartWith('Showing results for harbour days')
    expect(headsOf(page).map(([, name]) => name)).toEqual(['Harbour Days'])
    const { results } = parseFields(await service.call({ method: 'GET', path: '/search/suggest?q=harbourdays' }))
    const events = (Array.isArray(results) ? results : []).filter(({ kind }) => kind === 'category')
    expect(events.map(({ text }) => text)).toEqual(['Harbour Days 2019', 'Harbour Days 2016', 'Harbour Days 2014'])
  })

  test('shows none for other words, for one event, within an event, and on other pages', async () => {
    for (const q of ['harbour', 'harbour+days+tides', 'harbour+-days', 'quay+fair', '']) {
      expect([q, headsOf(await open(`/search?q=${q}`)).filter(([kind]) => kind === 'Events')]).toEqual([q, []])
    }
    expect(headsOf(await open('/search?q=conf&page=2'))).toEqual([])
    const within = headsOf(await open('/search?q=harbour+days&category=harbour-days-2014'))
    expect(within.filter(([kind]) => kind === 'Events')).toEqual([])
  })

  test('tells nothing of events with drafts only', async () => {
    for (const q of ['secret+meet', 'secretmeet']) {
      const page = await open(`/search?q=${q}`)
      expect([q, headsOf(page), page.all('.corrected')]).toEqual([q, [], []])
    }
  })
})
