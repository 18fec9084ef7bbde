import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '../harness/runs.ts'
import { listModel } from './list-model.ts'
import { followIds, followPages, getPage, paramsOf } from './list-page.ts'
import { type Fields, listPath, useService } from './service.ts'
import { createMany } from './talks.ts'

const service = useService()

const total = 240
let live: readonly Fields[] = []
let all: readonly Fields[] = []

const pick = <T>(values: readonly T[], index: number): T | undefined => values[index % values.length]

/** Few different values, so that every filter finds something and every order has ties. */
function toTalk(index: number): Fields {
  const media = pick(['mp4', 'webm', 'ogv', 'flv'], index)
  return {
    title: pick(['Éclair', 'eclair', 'Zebra', 'zebra 2', '猫', '😀 smile', '\ufffd odd', 'a', 'A'], index * 7),
    category: pick(['One', 'Two', 'Three'], index),
    language: pick(['English', 'German', '', 'Japanese'], index * 3),
    speakers: [pick(['Ada Lovelace', 'Grace Hopper', 'José Núñez', 'Łukasz'], index), `Guest ${index % 9}`],
    tags: index % 3 === 0 ? [] : [pick(['web', 'Webapps', 'data', 'naïve'], index)],
    recorded: pick([null, '2012-03-09', '2012-03-10', '1999-12-31', '2024-02-29'], index),
    duration: pick([null, 0, 60, 61, 3600, null, 1800], index),
    state: index % 10 === 9 ? 2 : 1,
    [`video_${media}_url`]: index % 5 === 0 ? null : `https://files.example.org/${index}`,
    video_mp4_url: index % 4 === 1 ? 'https://files.example.org/a.mp4' : '',
    thumbnail_url: index % 6 === 0 ? 'https://files.example.org/a.png' : '',
  }
}

beforeAll(async () => {
  all = await createMany(
    service,
    Array.from({ length: total }, (_, index) => toTalk(index)),
  )
  live = all.filter(({ state }) => state === 1)
}, 180_000)

const names = ['added', 'updated', 'recorded', 'title', 'duration', 'id']
const orderings = fc
  .shuffledSubarray(names, { minLength: 1, maxLength: 4 })
  .chain((some) => fc.tuple(...some.map((name) => fc.constantFrom(name, `-${name}`))))
  .map((some) => some.join(','))

const filters = fc.record({
  category: fc.constantFrom('one', 'Two', 'three', 'none'),
  language: fc.constantFrom('English', 'German', 'Japanese'),
  speaker: fc.constantFrom('ada', 'HOPPER', 'nunez', 'guest 3', 'l', 'nobody'),
  tag: fc.constantFrom('web', 'WEBA', 'naive', 'a'),
  recorded_after: fc.constantFrom('2000-01-01', '2012-03-10'),
  recorded_before: fc.constantFrom('2012-03-10', '1999-12-31'),
  duration_min: fc.constantFrom('0', '61'),
  duration_max: fc.constantFrom('60', '3600'),
  has: fc.constantFrom('mp4', 'webm', 'thumbnail,mp4', 'flv'),
  state: fc.constantFrom('1', '2'),
})

/** At most two filters, since more find hardly anything. */
const parameters = fc
  .tuple(filters, fc.array(fc.nat(9), { maxLength: 2 }), fc.option(orderings))
  .map(([given, places, ordering]) => {
    const some = Object.entries(given).filter((_, place) => places.includes(place))
    return Object.fromEntries([...some, ...(ordering === null ? [] : [['ordering', ordering]])])
  })

const sizes = fc.constantFrom(7, 20, 33, 100)

describe('Any filters in any order', () => {
  test('return the records of the model page by page, each once', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, sizes, fc.boolean(), async (given, size, isPublic) => {
        const query = new URLSearchParams(given)
        const wanted = listModel(isPublic ? live : all, query)
        query.set('page_size', String(size))
        expect(await followIds(service, `${query}`, isPublic ? 'none' : 'admin')).toEqual([...wanted])
      }),
      { numRuns: runs(60) },
    )
  }, 180_000)

  test('return the records of the model cursor by cursor, each once', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, sizes, fc.boolean(), async (given, size, isPublic) => {
        const query = new URLSearchParams(given)
        const wanted = listModel(isPublic ? live : all, query)
        query.set('page_size', String(size))
        query.set('cursor', '')
        const pages = await followPages(service, `${query}`, isPublic ? 'none' : 'admin')
        expect(pages.flatMap(({ results }) => results.map(({ id }) => Number(id)))).toEqual([...wanted])
        for (const { count, previous } of pages) expect([count, previous]).toEqual([wanted.length, null])
      }),
      { numRuns: runs(60) },
    )
  }, 180_000)
})

describe('A cursor', () => {
  test('starts empty, and next carries it with the other parameters', async () => {
    const { next, previous, results } = await getPage(service, 'cursor=&page_size=5&ordering=-title&tag=web')
    expect([previous, results.length]).toEqual([null, 5])
    const { cursor, ...others } = Object.fromEntries(paramsOf(next))
    expect(others).toEqual({ page_size: '5', ordering: '-title', tag: 'web' })
    expect(cursor).toMatch(/^[\w-]+$/)
  })

  test('ends with a next that is null', async () => {
    const pages = await followPages(service, 'cursor=&page_size=100')
    expect(pages.map(({ next }) => next === null)).toEqual([false, false, true])
  })

  test('of a list that one page holds has no next', async () => {
    expect((await getPage(service, `cursor=&page_size=5&id=${live[0]?.id}`)).next).toBeNull()
  })

  test('of an empty list is one empty page', async () => {
    const { count, next, previous, results } = await getPage(service, 'cursor=&category=none')
    expect({ count, next, previous, results }).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  test('pages through a search, each record once', async () => {
    const found = await followIds(service, 'q=ada&cursor=&page_size=9')
    expect(found).toEqual(await followIds(service, 'q=ada&page_size=9'))
    expect(new Set(found).size).toBe(live.filter(({ speakers }) => String(speakers).includes('Ada')).length)
  })

  test('of another order is refused', async () => {
    const { next } = await getPage(service, 'cursor=&page_size=5&ordering=title')
    const query = paramsOf(next)
    query.set('ordering', '-title')
    const answer = await service.call({ method: 'GET', path: `${listPath}?${query}` })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('cursor')
  })

  test('shows no record twice and misses none of the old ones while others are added', async () => {
    const query = 'cursor=&page_size=20&ordering=added'
    const before = listModel(live, new URLSearchParams('ordering=added'))
    const first = await getPage(service, query)
    const added = await service.create({ title: 'While somebody reads', recorded: '2050-01-01' })
    const rest = await followIds(service, new URL(first.next ?? '').search.slice(1))
    const seen = [...first.results.map(({ id }) => Number(id)), ...rest]
    expect(seen).toEqual([...before, Number(added.id)])
  })
})
