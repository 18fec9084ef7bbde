import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { withParameters } from '../../src/site/urls.ts'

describe('The URL of a page with parameters', () => {
  test('is encoded like a form', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(..." !'()~*-._+&=%\ud800ä") }),
    )
    fc.assert(
      fc.property(anything, anything, (q, tag) => {
        const given = [['q', q] as const, ['tag', tag] as const].filter(([, value]) => value !== '')
        const encoded = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])).toString()
        expect(withParameters('/search', { q, tag })).toBe(encoded === '' ? '/search' : `/search?${encoded}`)
      }),
    )
  })

  test('leaves out those without a value, and repeats lists', () => {
    expect(withParameters('/search', { q: '', page: null, sort: undefined, tag: [] })).toBe('/search')
    expect(withParameters('/search', { tag: [3, 4], page: 2 })).toBe('/search?tag=3&tag=4&page=2')
  })
})
