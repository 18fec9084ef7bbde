import { beforeAll, describe, expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { createBrowser, hrefOf, textsOf } from './search-talks.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })
const open = createBrowser(service)

beforeAll(async () => {
  for (const day of ['2021-03-04', '2021-03-05']) {
    await service.create({ title: `Talk of ${day}`, category: 'Conference', recorded: day })
  }
  for (let month = 1; month <= 15; month++) {
    const recorded = month <= 12 ? `2019-${String(month).padStart(2, '0')}-01` : `2020-0${month - 12}-01`
    await service.create({ title: `Talk ${month}`, category: 'Meetup', recorded })
  }
})

describe('The page of an event', () => {
  test('has its talks by day, and a list of the days', async () => {
    const page = await open('/category/conference')
    expect(textsOf(page.one('.years').all('h2'))).toEqual(['4 March 2021', '5 March 2021'])
    const chips = page.one('nav.jump').all('a')
    expect(textsOf(chips)).toEqual(['4 March 1', '5 March 1'])
    const ids = page
      .one('.programme')
      .all('section')
      .map((part) => `#${part.attribute('id')}`)
    expect(chips.map(hrefOf)).toEqual(ids)
  })

  test('can show one of its days', async () => {
    const page = await open('/category/conference?day=2021-03-05')
    expect(textsOf(page.all('h3'))).toEqual(['Talk of 2021-03-05'])
    expect(textsOf(page.one('nav.jump').all('a'))).toEqual(['All days', '4 March 2021 1', '5 March 2021 1'])
  })

  test('keeps the event when one searches from its head', async () => {
    const form = (await open('/category/conference')).one('.event-head').one('form')
    const hidden = form.all('input').filter((input) => input.attribute('type') === 'hidden')
    expect([
      form.attribute('action'),
      hidden.map((input) => [input.attribute('name'), input.attribute('value')]),
    ]).toEqual(['/search', [['category', 'conference']]])
  })

  test('says the days of nearly all talks, and doubts the day of one that is far from them', async () => {
    for (let i = 0; i < 8; i++) {
      await service.create({ title: `Talk ${i}`, category: 'Weekend', recorded: `2018-06-0${1 + (i % 2)}` })
    }
    await service.create({ title: 'Misdated', category: 'Weekend', recorded: '2016-01-01' })
    await service.create({ title: 'Undated', category: 'Weekend' })
    const page = await open('/category/weekend')
    expect(textsOf(page.one('.main-facts').all('li'))).toEqual(['1–2 June 2018', '10 talks'])
    const heads = ['1 June 2018', '2 June 2018', 'Date uncertain', 'Date unknown']
    expect(textsOf(page.one('.programme').all('h2'))).toEqual(heads)
    expect(textsOf(page.one('nav.jump').all('a'))).toEqual([
      '1 June 4',
      '2 June 4',
      'Date uncertain 1',
      'Date unknown 1',
    ])
    const [card] = (await open('/category?q=weekend')).all('.event-card')
    expect(card?.all('p')[0]?.text).toBe('1–2 June 2018')
  })

  test('has a programme of up to 200 talks on one page', async () => {
    for (let i = 0; i < 60; i++) await service.create({ title: `Talk ${i}`, category: 'Large', recorded: '2017-05-01' })
    const page = await open('/category/large')
    expect([page.all('.talk-card').length, page.all('.pager').length]).toEqual([60, 0])
  })

  test('that lasts for years has its talks by year, with their days', async () => {
    const page = await open('/category/meetup')
    expect(textsOf(page.one('.years').all('h2'))).toEqual(['2019', '2020'])
    expect(textsOf(page.one('nav.jump').all('a'))).toEqual(['2019 12', '2020 3'])
    expect(page.all('time').map((time) => time.attribute('datetime'))).toContain('2020-03-01')
  })

  test('shows its description as Markdown', async () => {
    const json = { description: 'Two days of **talks**\n\n- and <b>tea</b>' }
    await service.call({ method: 'PATCH', path: '/api/v2/category/conference', as: 'admin', json })
    const prose = (await open('/category/conference')).one('.event-head').one('.prose')
    expect(textsOf(prose.all('strong'))).toEqual(['talks'])
    expect(textsOf(prose.all('li'))).toEqual(['and <b>tea</b>'])
  })

  test('shows its talks however long their texts are', async () => {
    const description = 'é'.repeat(70_000)
    for (let i = 0; i < 21; i++) await service.create({ title: `Long ${i}`, category: 'Long', description })
    expect((await open('/category/long')).all('.talk-card')).toHaveLength(21)
  }, 180_000)
})
