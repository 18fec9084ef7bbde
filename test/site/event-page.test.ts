import { beforeAll, describe, expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { createBrowser, textsOf } from './search-talks.ts'

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
    expect(textsOf(page.one('nav.jump').all('a'))).toEqual(['All days', '4 March 1', '5 March 1'])
  })

  test('that lasts for years has its talks by year, with their days', async () => {
    const page = await open('/category/meetup')
    expect(textsOf(page.one('.years').all('h2'))).toEqual(['2019', '2020'])
    expect(page.all('nav.jump')).toBeEmpty()
    expect(page.all('time').map((time) => time.attribute('datetime'))).toContain('2020-03-01')
  })

  test('shows its description as Markdown', async () => {
    const json = { description: 'Two days of **talks**\n\n- and <b>tea</b>' }
    await service.call({ method: 'PATCH', path: '/api/v2/category/conference', as: 'admin', json })
    const prose = (await open('/category/conference')).one('.event-head').one('.prose')
    expect(textsOf(prose.all('strong'))).toEqual(['talks'])
    expect(textsOf(prose.all('li'))).toEqual(['and <b>tea</b>'])
  })
})
