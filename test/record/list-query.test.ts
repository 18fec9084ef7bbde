import { expect, test } from 'bun:test'
import { parseListQuery } from '../../src/record/query/query.ts'

function parse(text: string) {
  const parsed = parseListQuery(new URLSearchParams(text), 'live')
  if (parsed.ok) return parsed.query
  throw new Error(parsed.problem === 'bad_parameter' ? [...parsed.errors.values()].flat().join(' ') : parsed.problem)
}

test.each([
  ['', 'all', false],
  ['match=&highlight=', 'all', false],
  ['match=all&highlight=0', 'all', false],
  ['match=best', 'best', false],
  ['q=a&match=best&highlight=1', 'best', true],
  ['highlight=1', 'all', true],
  ['match=best&match=all', 'best', false],
] as const)('%p means match=%s, highlighted: %p', (text, match, hasHighlight) => {
  expect(parse(text)).toMatchObject({ match, hasHighlight })
})

test.each([
  ['match=some', 'match must be all or best.'],
  ['highlight=yes', 'highlight must be 0 or 1.'],
  ['match=Best&highlight=2', 'match must be all or best. highlight must be 0 or 1.'],
])('%p is refused: %s', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test('an order can be given with match=best', () => {
  expect(parse('q=a&match=best&ordering=-added')).toMatchObject({ order: [{ field: 'added' }, { field: 'id' }] })
  expect(parse('q=a&match=best').order).toBeNull()
})
