import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage } from '../contract/list-page.ts'
import { useService } from '../contract/service.ts'
import { accents, type Case, exclusions, oddities, phrases, ranking, scripts, talks, words } from './suite.ts'

// Runner: long PostgreSQL

const service = useService()
const nameOf = new Map<unknown, string>()

beforeAll(async () => {
  for (const [name, talk] of Object.entries(talks)) {
    const { id } = await service.create({ category: 'Suite', ...talk })
    nameOf.set(id, name)
  }
})

async function find(query: string): Promise<readonly string[]> {
  const { results, count } = await getPage(service, `q=${encodeURIComponent(query)}&page_size=100`)
  expect(count).toBe(results.length)
  return results.map(({ id }) => nameOf.get(id) ?? `record ${id}`)
}

function runCases(cases: readonly Case[]): void {
  for (const [query, wanted] of cases) {
    const shown = query.length > 40 ? `${query.slice(0, 40)}…` : query
    test(`${shown} finds ${wanted.join(', ') || 'nothing'}`, async () => {
      expect((await find(query)).toSorted()).toEqual([...wanted].sort())
    })
  }
}

describe('Words, and their beginnings, must all occur:', () => runCases(words))
describe('A phrase stands in its order:', () => runCases(phrases))
describe('An exclusion takes away:', () => runCases(exclusions))
describe('Case and accents do not matter:', () => runCases(accents))
describe('Other scripts are searched as they are written:', () => runCases(scripts))
describe('Signs mean nothing:', () => runCases(oddities))

describe('The best comes first:', () => {
  for (const { query, records } of ranking) {
    test(`${query} puts ${records.map(({ title }) => title).join(' before ')}`, async () => {
      for (const talk of records.toReversed()) await service.create({ category: 'Ranking', ...talk })
      const { results } = await getPage(service, `q=${encodeURIComponent(query)}`)
      expect(results.map(({ title }) => String(title))).toEqual(records.map(({ title }) => title))
    })
  }
})

describe('The search knows a change at once:', () => {
  test('new words are found, old ones are not', async () => {
    const { id } = await service.create({
      title: 'Caterpillar',
      speakers: ['Old Name'],
      description: 'Once upon a time.',
    })
    expect(await find('caterpillar upon')).toHaveLength(1)
    await service.patch(id, { title: 'Butterfly', speakers: ['New Name'] })
    expect(await find('caterpillar')).toEqual([])
    expect(await find('"old name"')).toEqual([])
    expect(await find('butterfly "new name" upon')).toHaveLength(1)
    await service.patch(id, { state: 2 })
    expect(await find('butterfly')).toEqual([])
  })
})
