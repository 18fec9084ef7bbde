import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type countedFacets, parseListQuery } from '../../src/record/query/query.ts'
import { parseSearch } from '../../src/record/text/search-text.ts'
import { toShownPages } from '../../src/site/part/list-controls.tsx'
import {
  parseSearchQuery,
  searchParameters,
  toApiParameters,
  toggleValue,
  toListQuery,
  toSearchParameters,
} from '../../src/site/search/search-query.ts'
import { toCorrection } from '../../src/site/search/understood.tsx'
import { withParameters } from '../../src/site/urls.ts'

const parse = (text: string) => parseSearchQuery(new URLSearchParams(text))
const toLink = (text: string) => withParameters('', toSearchParameters(parse(text)))

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'yes', 'en', 'English', '2014', '0000', '10-30', '60+', 'best', 'title', '1', '99999', 'last'),
  fc.constantFrom('-1', '1e3', '9007199254740993', '0x10', 'null', '__proto__', '"', "' OR 1=1 --", '\0', '%00', '1,2'),
  fc.string({ minLength: 250, maxLength: 300 }),
)
const parameters = fc.array(fc.tuple(fc.constantFrom<string>(...searchParameters, 'utm_source', '__proto__'), value), {
  maxLength: 12,
})

describe('Parameters of a search', () => {
  test('always give a valid store query, and a link with the same meaning', () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const query = parseSearchQuery(new URLSearchParams(given))
        const link = withParameters('', toSearchParameters(query))
        expect(parseSearchQuery(new URLSearchParams(link))).toEqual(query)
        const names = [...new URLSearchParams(link).keys()]
        expect(names.filter((name) => !searchParameters.some((each) => each === name))).toEqual([])
        const { filters, page, pageSize } = toListQuery(query, null)
        expect([filters.visibility, pageSize]).toEqual(['live', 20])
        expect(page).toBeGreaterThanOrEqual(1)
        expect(filters.speakerIds?.every(Number.isSafeInteger)).not.toBe(false)
      }),
    )
  })

  test('select the same records in the API', () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const query = parseSearchQuery(new URLSearchParams(given))
        const parsed = query.q === '' ? null : parseSearch(query.q)
        if (parsed?.ok === false) return
        const wanted = toListQuery(query, parsed?.search ?? null)
        const text = withParameters('', toApiParameters(query))
        const api = parseListQuery(new URLSearchParams(text), 'live')
        if (!api.ok) expect.unreachable()
        // `match` has no effect without a search.
        expect(api.query).toEqual({ ...wanted, match: query.q === '' ? 'all' : 'best' })
      }),
    )
  })

  test.each([
    ['q=a&page=2&sort=newest&utm_source=x', '?q=a&sort=newest&page=2'],
    ['sort=best&q=%20a%20', '?q=a'],
    ['sort=best', ''],
    ['sort=newest', ''],
    ['language=German&year=2014', '?language=de&year=2014'],
    ['language=deu', '?language=de'],
    ['language=ga', '?language=ga'],
    ['language=mars&year=14&length=5&download=no&speaker=x&tag=0&page=-1&sort=worst', ''],
    ['tag=2&tag=1&tag=2', '?tag=2&tag=1'],
    ['tag=1&tag=2&tag=3&tag=4&tag=5', '?tag=1&tag=2&tag=3&tag=4'],
    ['category=a&category=b', '?category=a'],
    ['length=60%2B&download=yes', '?length=60%2B&download=yes'],
  ])('%p are the same as %p', (given, link) => {
    expect(toLink(given)).toBe(link)
  })

  test('toggle a value, and return to the first page', () => {
    const query = parse('q=a&tag=1&year=2014&page=3')
    const linkOf = (facet: (typeof countedFacets)[number], each: string) =>
      withParameters('', toSearchParameters(toggleValue(query, facet, each)))
    expect(linkOf('tag', '1')).toBe('?q=a&year=2014')
    expect(linkOf('tag', '2')).toBe('?q=a&tag=1&tag=2&year=2014')
    expect(linkOf('year', '2015')).toBe('?q=a&tag=1&year=2015')
  })
})

describe('A corrected search', () => {
  test.each([
    ['asycnio', 'asyncio', '"asycnio"'],
    ['python  asycnio tips', 'python asyncio tips', 'python "asycnio" tips'],
    ['(asycnio)', '(asyncio)', '"(asycnio)"'],
    ['"asycnio" asycnio', '"asycnio" asyncio', '"asycnio" "asycnio"'],
  ])('%p is %p, and strictly %p', (q, corrected, strict) => {
    expect(toCorrection(q, { asycnio: ['asyncio', 'asynchat'] })).toEqual({ corrected, strict })
  })

  test('is null if no word was corrected', () => {
    expect(toCorrection('a', {})).toBe(null)
    expect(toCorrection('a')).toBe(null)
    expect(toCorrection('a', { a: [] })).toBe(null)
  })
})

describe('Numbers of pages', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 40, [1, 2, 3, null, 40]],
    [5, 40, [1, 2, 3, 4, 5, 6, 7, null, 40]],
    [6, 40, [1, null, 4, 5, 6, 7, 8, null, 40]],
    [36, 40, [1, null, 34, 35, 36, 37, 38, 39, 40]],
    [40, 40, [1, null, 38, 39, 40]],
  ])('around page %p of %p are %p', (page, last, shown) => {
    expect(toShownPages(page, last)).toEqual(shown)
  })

  test('never hide a single page behind a gap, and are in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (last, at) => {
        const shown = toShownPages(Math.min(last, at + 1), last)
        for (const [i, each] of shown.entries()) {
          if (each !== null) continue
          expect((shown[i + 1] ?? 0) - (shown[i - 1] ?? 0)).toBeGreaterThan(2)
        }
        const numbers = shown.filter((each) => each !== null)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        expect([numbers[0], numbers.at(-1)]).toEqual([1, last])
      }),
    )
  })
})
