import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage, getTitles } from './list-page.ts'
import { type Fields, useService } from './service.ts'
import { createTalks } from './talks.ts'

const service = useService()

/** In the order in which they are made. */
const records: readonly Fields[] = [
  { title: 'delta', recorded: '2012-03-09', duration: 60 },
  { title: 'Alpha', recorded: '2012-03-09', duration: null },
  { title: 'ålesund', recorded: '2020-01-01', duration: 60 },
  { title: 'Zulu', recorded: null, duration: 0 },
  { title: 'bravo', recorded: null, duration: 3600 },
  { title: 'Ökonomie', recorded: '1999-12-31', duration: null },
  { title: 'charlie', recorded: '2012-03-09', duration: 10_000_000 },
]
const all = records.map(({ title }) => String(title))

beforeAll(async () => {
  const made = await createTalks(service, records)
  await service.patch(made[1]?.id, { whiteboard: 'changed last' })
})

const newestFirst = ['ålesund', 'Alpha', 'charlie', 'delta', 'Ökonomie', 'bravo', 'Zulu']
const oldestFirst = ['Ökonomie', 'delta', 'charlie', 'Alpha', 'ålesund', 'Zulu', 'bravo']
const byTitle = ['ålesund', 'Alpha', 'bravo', 'charlie', 'delta', 'Ökonomie', 'Zulu']
const byDuration = ['Zulu', 'delta', 'ålesund', 'bravo', 'charlie', 'Alpha', 'Ökonomie']
const byUpdate = [...all.filter((title) => title !== 'Alpha'), 'Alpha']

const cases: readonly (readonly [ordering: string, titles: readonly string[]])[] = [
  ['-recorded', newestFirst],
  ['recorded', oldestFirst],
  ['-recorded,title', newestFirst],
  ['-recorded,-title', ['ålesund', 'delta', 'charlie', 'Alpha', 'Ökonomie', 'Zulu', 'bravo']],
  ['recorded,title', ['Ökonomie', 'Alpha', 'charlie', 'delta', 'ålesund', 'bravo', 'Zulu']],
  ['title', byTitle],
  ['-title', byTitle.toReversed()],
  ['added', all],
  ['-added', all.toReversed()],
  ['id', all],
  ['-id', all.toReversed()],
  ['updated', byUpdate],
  ['-updated', byUpdate.toReversed()],
  ['duration', byDuration],
  ['-duration', ['charlie', 'bravo', 'ålesund', 'delta', 'Zulu', 'Ökonomie', 'Alpha']],
  ['duration,title', ['Zulu', 'ålesund', 'delta', 'bravo', 'charlie', 'Alpha', 'Ökonomie']],
  ['duration,-title', ['Zulu', 'delta', 'ålesund', 'bravo', 'charlie', 'Ökonomie', 'Alpha']],
  ['-duration,recorded', ['charlie', 'bravo', 'delta', 'ålesund', 'Zulu', 'Ökonomie', 'Alpha']],
  ['id,title', all],
]

describe('ordering', () => {
  for (const [ordering, titles] of cases) {
    test(`${ordering} puts them in the order ${titles.join(', ')}`, async () => {
      expect(await getTitles(service, `ordering=${ordering}`)).toEqual([...titles])
    })
  }

  for (const query of ['', 'ordering=', 'ordering=nonsense', 'ordering=-,--title,TITLE,slug,body', 'ordering=,,,']) {
    test(`falls back to the newest recording first with ${query === '' ? 'no query' : query}`, async () => {
      expect(await getTitles(service, query)).toEqual(newestFirst)
    })
  }

  test('ignores unknown names between known ones', async () => {
    expect(await getTitles(service, 'ordering=views,-title,rating')).toEqual(byTitle.toReversed())
    expect(await getTitles(service, 'ordering=%20-title%20')).toEqual(byTitle.toReversed())
  })

  test('takes the first of two that name the same field', async () => {
    expect(await getTitles(service, 'ordering=-title,title')).toEqual(byTitle.toReversed())
  })

  test('holds across pages and together with filters', async () => {
    const query = 'ordering=-duration&duration_min=60&page_size=2'
    const pages = [await getPage(service, query), await getPage(service, `${query}&page=2`)]
    const titles = pages.map(({ results }) => results.map(({ title }) => title))
    expect(titles).toEqual([
      ['charlie', 'bravo'],
      ['ålesund', 'delta'],
    ])
  })

  test('wins over the best match where there is a search', async () => {
    await service.create({ title: 'Match in the title', recorded: '2001-01-01' })
    await service.create({ title: 'A talk', description: 'A match in the description.', recorded: '2002-01-01' })
    expect(await getTitles(service, 'q=match')).toEqual(['Match in the title', 'A talk'])
    expect(await getTitles(service, 'q=match&ordering=-recorded')).toEqual(['A talk', 'Match in the title'])
    expect(await getTitles(service, 'q=match&ordering=nonsense')).toEqual(['Match in the title', 'A talk'])
  })
})
