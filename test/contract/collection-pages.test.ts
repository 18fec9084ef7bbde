import { beforeAll, describe, expect, test } from 'bun:test'
import { resultsOf } from './every-answer.ts'
import { type Fields, fail, listPath, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const total = 105
const ordered: Fields[] = []
const drafts: Fields[] = []

const days = [null, '2012-03-09', '1999-12-31', '2024-02-29', '2012-03-08']
const titles = ['beta', 'alpha', 'gamma', 'alpha']

/** Newest day first, unknown days last, then by title, then by id. */
function compare(one: Fields, other: Fields): number {
  const [oneDay, otherDay] = [String(one.recorded ?? ''), String(other.recorded ?? '')]
  if (oneDay !== otherDay) return oneDay < otherDay ? 1 : -1
  if (one.title !== other.title) return String(one.title) < String(other.title) ? -1 : 1
  return Number(one.id) - Number(other.id)
}

beforeAll(async () => {
  for (let index = 0; index < total; index += 1) {
    ordered.push(await service.create({ title: titles[index % 4], recorded: days[index % 5] }))
  }
  ordered.sort(compare)
  drafts.push(await service.create({ state: 2, title: 'draft', recorded: '2030-01-01' }))
}, 180_000)

async function getPage(query: string, as: Role = 'none') {
  const answer = await service.call({ method: 'GET', path: `${listPath}${query}`, as })
  if (answer.status !== 200) fail(`${query} got ${answer.status}: ${answer.body}`)
  const { count, next, previous } = parseFields(answer)
  return { count, next, previous, results: resultsOf(answer) }
}

const idsOf = (records: readonly Fields[]) => records.map(({ id }) => id)

function paramsOf(link: unknown): Record<string, string> {
  return Object.fromEntries(new URL(String(link)).searchParams)
}

describe('A page', () => {
  test('has the envelope’s four names', async () => {
    const answer = await service.call({ method: 'GET', path: listPath })
    expect(Object.keys(parseFields(answer))).toEqual(['count', 'next', 'previous', 'results'])
  })

  test('has 20 records by default', async () => {
    const { count, results, previous } = await getPage('')
    expect([count, results.length, previous]).toEqual([total, 20, null])
  })

  for (const [size, length] of [
    [1, 1],
    [99, 99],
    [100, 100],
    [101, 100],
    [1_000_000, 100],
  ]) {
    test(`of page_size=${size} has ${length} records`, async () => {
      expect((await getPage(`?page_size=${size}`)).results).toHaveLength(length ?? 0)
    })
  }

  test('is in the default order', async () => {
    const [first, second] = [await getPage('?page_size=100'), await getPage('?page_size=100&page=2')]
    expect(idsOf([...first.results, ...second.results])).toEqual(idsOf(ordered))
  })

  test('has the same records as their own URLs', async () => {
    const { results } = await getPage('?page_size=3&page=2')
    expect(results).toEqual(ordered.slice(3, 6))
  })
})

describe('The last page', () => {
  test('is available as page=last', async () => {
    const { results, next, previous } = await getPage('?page_size=100&page=last')
    expect(idsOf(results)).toEqual(idsOf(ordered.slice(100)))
    expect([next, paramsOf(previous).page_size]).toEqual([null, '100'])
  })

  test('has no page after it', async () => {
    const answer = await service.call({ method: 'GET', path: `${listPath}?page_size=100&page=3` })
    expect(answer.status).toBe(404)
  })
})

describe('The links of a page', () => {
  test('are absolute, on the host of the request', async () => {
    const headers = { Host: 'videos.example.org:8080' }
    const answer = await service.call({ method: 'GET', path: `${listPath}?page=2`, headers })
    const { next, previous } = parseFields(answer)
    for (const link of [next, previous]) expect(link).toStartWith('http://videos.example.org:8080/api/v2/video')
    expect(paramsOf(next).page).toBe('3')
    expect(paramsOf(previous).page ?? '1').toBe('1')
  })

  test('keep the other parameters', async () => {
    const { next, previous } = await getPage('?page_size=7&page=3&other=a%20b%26c')
    for (const link of [next, previous]) expect(paramsOf(link)).toMatchObject({ page_size: '7', other: 'a b&c' })
  })

  test('go through the whole list, each record once', async () => {
    const seen: unknown[] = []
    let query: string | null = '?page_size=25'
    while (query !== null) {
      const { results, next } = await getPage(query)
      seen.push(...idsOf(results))
      query = next === null ? null : new URL(String(next)).search
    }
    expect(seen).toEqual(idsOf(ordered))
  })

  test('lead back to the first page', async () => {
    const { previous } = await getPage('?page_size=25&page=2')
    const { results } = await getPage(new URL(String(previous)).search)
    expect(idsOf(results)).toEqual(idsOf(ordered.slice(0, 25)))
  })
})

describe('Drafts in the list', () => {
  test('are counted for token holders', async () => {
    const { count, results } = await getPage('?page_size=1', 'admin')
    expect([count, idsOf(results)]).toEqual([total + 1, idsOf(drafts)])
  })

  test('are not counted for the public', async () => {
    expect((await getPage('?page_size=1')).count).toBe(total)
  })
})
