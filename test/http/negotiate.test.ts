import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { negotiate } from '../../src/http/negotiate.ts'
import { runs } from '../harness/runs.ts'

test.each([
  [undefined, 'html'],
  ['', 'html'],
  ['*/*', 'html'],
  ['text/*', 'html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['application/json, text/html', 'json'],
  ['application/json;q=0.5, */*', 'html'],
  ['text/html;q=0, */*', 'json'],
  ['text/plain;x="a,b", application/json', 'json'],
  ['text/plain;x="a\\",b", application/json', 'json'],
  ['text/plain;x="unclosed, application/json', 'html'],
  ['application/json;q=2', 'html'],
  ['image/png', null],
  ['text/html;q=0', null],
  [`application/json${', image/png'.repeat(180)}`, 'json'],
] as const)('%p gets %p', (accept, representation) => {
  expect(negotiate(accept)).toBe(representation)
})

test('any text is decided, and decided alike the second time', () => {
  const piece = fc.constantFrom('"', '\\"', ',', ';', 'q=', '0.5', '*/*', 'text/html', 'application/json', ' ', '=')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const accept = pieces.join('')
      expect(negotiate(accept)).toBe(negotiate(accept))
    }),
    { numRuns: runs(3000) },
  )
})

test('a header of thousands of ranges counts as unreadable, since reading it would hold up others', () => {
  expect(negotiate(`application/json${', image/png'.repeat(1_400)}`)).toBe('html')
})

test('a header full of open quotes is read in one pass', () => {
  // Quadratic reading would take minutes here, and the test would run into its time limit.
  expect(negotiate(`"${'\\"'.repeat(500_000)}`)).toBe('html')
  expect(negotiate(`"${'\\"'.repeat(900)}`)).toBe('html')
})
