import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage } from './list-page.ts'
import { listPath, parseFields, type Role, useService } from './service.ts'
import { createMany, createTalks } from './talks.ts'

const service = useService({ roles: ['reader'] })

beforeAll(async () => {
  await createTalks(service)
})

async function getFacet(name: string, query = '', as: Role = 'none') {
  const { facets } = await getPage(service, `facets=${name}&${query}`, as)
  const values = facets[name]
  if (!Array.isArray(values)) throw new Error(`no facet ${name}`)
  for (const each of values) expect(Object.keys(each)).toEqual(['value', 'count'])
  return values.map(({ value, count }) => `${value}: ${count}`)
}

const cases: readonly (readonly [facet: string, query: string, as: Role, values: readonly string[]])[] = [
  ['category', '', 'none', ['EuroPython: 4', 'PyCon 2012: 3', 'europython: 1', 'みかん: 1']],
  ['category', '', 'reader', ['EuroPython: 4', 'PyCon 2012: 4', 'Drafts only: 1', 'europython: 1', 'みかん: 1']],
  ['language', '', 'none', ['English: 2', 'German: 1', 'Japanese: 1', 'Norwegian Bokmål: 1']],
  ['language', 'state=2', 'reader', ['English: 1']],
  ['year', '', 'none', ['2012: 4', '1999: 1', '2024: 1']],
  ['year', 'recorded_after=2012-01-01', 'reader', ['2012: 4', '2024: 1', '2031: 1']],
  ['tag', 'category=pycon-2012', 'none', ['Café society: 1', 'Web: 1', 'web: 1', 'webassembly: 1']],
  ['speaker', 'tag=web', 'none', ['Ada Byron: 1', 'Ada Lovelace: 1', 'Zoë Ångström: 1']],
  ['speaker', 'q=apple', 'none', ['Ada Lovelace: 1', 'Zoë Ångström: 1']],
  [
    'speaker',
    'page_size=1',
    'none',
    ['Ada Byron: 1', 'Ada Lovelace: 1', 'Zoë Ångström: 1', 'Łukasz Ødegård: 1', '山田太郎: 1'],
  ],
  ['tag', 'category=unheard-of', 'none', []],
  ['language', 'q=!!!', 'none', []],
  ['year', 'state=2', 'none', []],
]

describe('A facet', () => {
  for (const [facet, query, as, values] of cases) {
    test(`of ${facet} with ${query || 'no filter'} counts ${values.join(', ') || 'nothing'} for ${as}`, async () => {
      expect(await getFacet(facet, query, as)).toEqual([...values])
    })
  }

  test('counts all pages, not this one', async () => {
    const whole = await getFacet('year')
    expect(await getFacet('year', 'page_size=2&page=2')).toEqual(whole)
    expect(await getFacet('year', 'page_size=2&cursor=')).toEqual(whole)
    expect(await getFacet('year', 'fields=id')).toEqual(whole)
  })

  test('has at most 100 values, the most frequent first, then by value', async () => {
    const numbers = Array.from({ length: 130 }, (_, index) => String(100 + index))
    const many = numbers.map((number, index) => ({ tags: [`n${number}`, ...(index >= 125 ? ['often'] : [])] }))
    const extra = { tags: ['n229', 'often'] }
    await createMany(
      service,
      [...many, extra].map((fields) => ({ category: 'Many tags', ...fields })),
    )
    const values = await getFacet('tag', 'category=many-tags')
    expect(values).toHaveLength(100)
    const alone = numbers.slice(0, 98).map((number) => `n${number}: 1`)
    expect(values).toEqual(['often: 6', 'n229: 2', ...alone])
  })

  test('follows what is written', async () => {
    const record = await service.create({ category: 'Moving', language: 'French', tags: ['before'] })
    const query = `id=${record.id}`
    expect(await getFacet('tag', query)).toEqual(['before: 1'])
    await service.patch(record.id, { tags: ['after', 'both'], language: 'Welsh' })
    expect(await getFacet('tag', query)).toEqual(['after: 1', 'both: 1'])
    expect(await getFacet('language', query)).toEqual(['Welsh: 1'])
    await service.patch(record.id, { state: 2 })
    expect(await getFacet('tag', query)).toEqual([])
    expect(await getFacet('tag', query, 'reader')).toEqual(['after: 1', 'both: 1'])
  })
})

describe('facets', () => {
  test('are not there unless asked for', async () => {
    for (const query of ['', '?facets=']) {
      const answer = await service.call({ method: 'GET', path: `${listPath}${query}` })
      expect(Object.keys(parseFields(answer))).toEqual(['count', 'next', 'previous', 'results'])
    }
  })

  test('come together, named as asked, and are kept by next', async () => {
    const { facets, next } = await getPage(service, 'facets=year,%20category,speaker,tag,language,year&page_size=2')
    expect(Object.keys(facets).sort()).toEqual(['category', 'language', 'speaker', 'tag', 'year'])
    expect(next).toContain('facets=year')
  })
})
