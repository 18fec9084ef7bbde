import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isLong, runs } from '../harness/runs.ts'
import { listModel } from './list-model.ts'
import { followIds, getPage } from './list-page.ts'
import { type Fields, useService } from './service.ts'
import { createMany } from './talks.ts'

// Runner: long, slow (thousands of records)

const service = useService()

/** More than the service sorts in memory, and more than it weighs one by one. */
const total = 5_200
let live: readonly Fields[] = []

function toTalk(index: number): Fields {
  const year = 1990 + (index % 35)
  return {
    title: index % 50 === 0 ? `Common ground ${index}` : `Talk ${index % 700}`,
    category: index % 3 === 0 ? 'Third' : 'Others',
    language: index % 4 === 0 ? 'German' : 'English',
    summary: 'What all have in common.',
    tags: [`tag ${index % 11}`],
    recorded: index % 6 === 0 ? null : `${year}-01-0${1 + (index % 9)}`,
    duration: index % 5 === 0 ? null : index % 400,
    state: index % 100 === 99 ? 2 : 1,
    whiteboard: index % 3 === 1 ? (index % 2 === 1 ? 'look' : '[parked] look') : '',
    source_url: index % 4 === 0 ? `https://www.example.org/${index}` : '',
    video_mp4_url: index % 2 === 0 ? 'https://files.example.org/a.mp4' : null,
  }
}

beforeAll(async () => {
  const wanted = Array.from({ length: total }, (_, index) => toTalk(index))
  live = (await createMany(service, wanted)).filter(({ state }) => state === 1)
}, 180_000)

const orderings = ['added', 'updated', 'recorded', 'title', 'duration', 'id'].flatMap((name) => [name, `-${name}`])
const filters = [
  '',
  'language=en',
  'has=mp4',
  'has_any=mp4,webm',
  'category=others&duration_min=0',
  'tag=tag',
  'q=common',
  'q=-nothing',
  'missing=recorded',
  'missing=duration,thumbnail',
  'finding=missing_media&language=en',
  'whiteboard=1',
  'parked=1',
  'parked=0&whiteboard=1',
  'whiteboard=0&missing=recorded',
  'host=www.example.org',
  'added_after=2020-01-01&updated_before=2099-01-01',
]

const idsOf = (records: readonly Fields[]) => records.map(({ id }) => Number(id))

function toWanted(filter: string, ordering: string): readonly number[] {
  const query = new URLSearchParams(filter)
  if (query.get('language') === 'en') query.set('language', 'English')
  query.set('ordering', ordering)
  return listModel(live, query)
}

describe('A long list', () => {
  for (const [number, filter] of filters.entries()) {
    // In `npm test` one of them, others from filter to filter.
    const some = orderings.filter((_, place) => isLong || place % 12 === number % 12)
    test(`with ${filter === '' ? 'no filter' : filter} is in order on its first, a middle and its last page`, async () => {
      for (const ordering of some) {
        const wanted = toWanted(filter, ordering)
        const query = `${filter}&ordering=${ordering}&fields=id&page_size=100`
        const [first, middle, last] = [
          await getPage(service, query),
          await getPage(service, `${query}&page=9`),
          await getPage(service, `${query}&page=last`),
        ]
        expect(first.count).toBe(wanted.length)
        expect(idsOf(first.results)).toEqual(wanted.slice(0, 100))
        expect(idsOf(middle.results)).toEqual(wanted.slice(800, 900))
        expect(idsOf(last.results)).toEqual(wanted.slice(Math.floor((wanted.length - 1) / 100) * 100))
      }
    })
  }

  for (const ordering of ['', 'recorded', '-duration', '-title', 'updated', '-recorded,duration']) {
    test(`is led through by cursors in the order ${ordering || 'that it has by itself'}, each record once`, async () => {
      const found = await followIds(service, `cursor=&ordering=${ordering}&fields=id&page_size=100&language=en`)
      expect(found).toEqual([...toWanted('language=English', ordering)])
    })
  }
})

/** What each search finds, told by the title; all records have the summary. */
const searches: Readonly<Record<string, (title: string) => boolean>> = {
  '': () => true,
  common: () => true,
  'common ground': (title) => title.startsWith('Common'),
  ground: (title) => title.startsWith('Common'),
  '-ground': (title) => title.startsWith('Talk'),
  'have -talk': (title) => title.startsWith('Common'),
  'talk 12': (title) => /^Talk 12/.test(title),
  '"talk 12"': (title) => title === 'Talk 12',
  nowhere: () => false,
}

const narrowing = [
  'language=English',
  'has=mp4',
  'has_any=mp4,flv',
  'category=third',
  'tag=tag',
  'tag=g%203',
  'duration_max=5',
  'tag=1',
]

const anyList = fc.record({
  search: fc.constantFrom(...Object.keys(searches)),
  narrowed: fc.subarray(narrowing, { maxLength: 3 }),
  ordering: fc.constantFrom(...orderings),
  page: fc.integer({ min: 1, max: 12 }),
})

describe('Searches, filters and orders together', () => {
  test('list what the model lists, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(anyList, async ({ search, narrowed, ordering, page }) => {
        const among = live.filter(({ title }) => searches[search]?.(String(title)))
        const query = new URLSearchParams([...narrowed, `ordering=${ordering}`].join('&'))
        const wanted = listModel(among, query)
        query.set('q', search)
        query.set('fields', 'id')
        query.set('page', String(Math.min(page, Math.ceil(wanted.length / 20) || 1)))
        const from = (Number(query.get('page')) - 1) * 20
        const { count, results } = await getPage(service, `${query}`)
        expect([count, ...idsOf(results)]).toEqual([wanted.length, ...wanted.slice(from, from + 20)])
        query.set('cursor', '')
        const first = await getPage(service, `${query}`)
        const next = first.next === null ? [] : (await getPage(service, new URL(first.next).search.slice(1))).results
        expect(idsOf([...first.results, ...next])).toEqual(wanted.slice(0, 40))
      }),
      { numRuns: runs(150) },
    )
  }, 180_000)
})

describe('A search that finds thousands', () => {
  for (const start of ['', '&cursor=']) {
    test(`shows each record once, by ${start === '' ? 'pages' : 'cursors'}, titles first`, async () => {
      const found = await followIds(service, `q=common&fields=id&page_size=100${start}`)
      expect(found.toSorted()).toEqual(idsOf(live).toSorted())
      const named = new Set(idsOf(live.filter(({ title }) => String(title).startsWith('Common'))))
      expect(found.findIndex((id) => !named.has(id))).toBe(named.size)
    })
  }

  test('is narrowed by filters and exclusions', async () => {
    const { count } = await getPage(service, 'q=common+-ground&fields=id&category=third')
    const wanted = live.filter(({ title, category }) => category === 'Third' && !String(title).startsWith('Common'))
    expect(count).toBe(wanted.length)
  })

  for (const query of ['q=common', 'q=common&category=others', 'q=common+-ground&language=en', 'q=common+what']) {
    test(`with ${query} takes no second`, async () => {
      const started = performance.now()
      await getPage(service, `${query}&has=mp4&fields=id`)
      expect(performance.now() - started).toBeLessThan(1_000)
    })
  }
})
