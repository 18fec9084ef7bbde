import { expect, test } from 'bun:test'
import { stripMarkup } from '../../src/site/text/plain-text.ts'

test.each([
  ['**Bold** and *lean* `code`', 'Bold and lean code'],
  ['See [the docs](https://example.org/a_b) now', 'See the docs now'],
  ['![A picture](a.png)', 'A picture'],
  ['Use `CVXOpt <https://example.org>`_ or ``PuLP``', 'Use CVXOpt or PuLP'],
  ['Slides: <https://example.org/a>, a < b', 'Slides: https://example.org/a, a < b'],
  ['Abstract\n========\nText', 'Abstract\n\nText'],
  ['## Abstract\n> quoted', 'Abstract\nquoted'],
  ['* one\n- two', '• one\n• two'],
  ['C# and C++ in snake_case, __init__, 3 * 4, a > b, [1], f(x)', null],
  ['', null],
])('%p is %p', (text, plain) => {
  expect(stripMarkup(text)).toBe(plain ?? text)
})

test('hostile texts take no time', () => {
  const started = performance.now()
  for (const sign of ['[', '![', '`', '` <', '<https://a', '=', '\n=', '*', '[]('])
    expect(stripMarkup(sign.repeat(100_000)).length).toBeLessThanOrEqual(12_000)
  expect(performance.now() - started).toBeLessThan(2_000)
})
