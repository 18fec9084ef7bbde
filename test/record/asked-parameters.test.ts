import { expect, test } from 'bun:test'
import { QueryParameters } from '../../src/http/route.ts'

test('a parameter was ignored unless somebody asked for it, in whatever way', () => {
  const parameters = new QueryParameters('a=1&b=2&c=3&d=4&d=5&e=6&format=json&__proto__=7')
  expect([parameters.get('a'), parameters.getAll('d'), parameters.has('e')]).toEqual(['1', ['4', '5'], true])
  expect(parameters.listIgnored()).toEqual(['b', 'c', '__proto__'])
  expect(new QueryParameters(parameters).get('a')).toBe('1')
})
