import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseSearch, type Term, toQueryTokens, toTokens, toTokenText } from '../../src/record/text/search-text.ts'
import { runs } from '../harness/runs.ts'

test.each([
  ['Ødegård in ŁÓDŹ', ['odegard', 'in', 'lodz']],
  ['STRAẞE Straße', ['strasse', 'strasse']],
  ['İstanbul Νίκος ΝΊΚΟΣ', ['istanbul', 'νικοσ', 'νικοσ']],
  ['Ёлка ёлка', ['елка', 'елка']],
  ['node.js & C++', ['node', 'js', 'c']],
  ['東京都', ['東京', '京都', '都']],
  ['Python入門', ['python', '入門', '門']],
  ['ガイド', ['ガイ', 'イド', 'ド']],
  ['한국어 강연', ['한국어', '강연']],
  ['', []],
  ['!!! 🎉', []],
])('%p has the tokens %p', (text, tokens) => {
  expect(toTokens(text)).toEqual(tokens)
})

test('tokens are letters, marks and digits alone, so no engine can take them for syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const token of toTokens(text)) expect(token).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
    }),
    { numRuns: runs(3000) },
  )
})

test('what the index is given are the tokens, one space between two, whatever the text is', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...'aZ09 _-\t\n'), maxLength: 300 })
  fc.assert(
    fc.property(fc.oneof(ascii, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      expect(toTokenText(text)).toBe(toTokens(text).join(' '))
    }),
    { numRuns: runs(3000) },
  )
  expect(toTokenText(`It ${'Long'.repeat(30)} is.`)).toBe(`it ${'long'.repeat(16)} is`)
})

test('a piece of a text without spaces is found as a phrase of its tokens', () => {
  const characters = fc.array(fc.constantFrom(...'東京都庁入門ガイドไทยแลนด์'), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(characters, fc.nat(), fc.nat(), (text, a, b) => {
      const from = a % text.length
      const piece = text.slice(from, from + 1 + (b % (text.length - from))).join('')
      const tokens = ` ${toTokens(text.join('')).join(' ')}`
      expect(tokens).toContain(` ${toQueryTokens(piece).join(' ')}`)
    }),
  )
})

test.each([
  ['a "b c" -d -"e f"', [['a'], ['b', 'c']], [['d'], ['e', 'f']]],
  ['"unclosed phrase', [['unclosed', 'phrase']], []],
  ['-- ( ) * ^ :', [], []],
  ['{a} AND "', [['a'], ['and']], []],
  ['"very very very very good" -a-a-a-a', [['very', 'very', 'good']], [['a', 'a']]],
  ['ああああああ', [['ああ', 'ああ']], []],
])('%p asks for %p and excludes %p', (text, all, none) => {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  expect(parsed.search.all.map((term) => [...term.tokens])).toEqual(all)
  expect(parsed.search.none.map((term) => [...term.tokens])).toEqual(none)
})

test.each([
  ['C++ "The Matrix" -.NET -"C# or', ['C++', '“The Matrix”', '-.NET', '-“C# or”']],
  ['Über-Uns --x -" a "', ['Über-Uns', '--x', '-“ a ”']],
  ['💡 日本 "日本"', ['日本', '“日本”']],
])('%p keeps its terms as typed: %p', (text, terms) => {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  const show = (term: Term) => (term.isPhrase ? `“${term.text}”` : term.text)
  const { all, none } = parsed.search
  expect([...all.map(show), ...none.map((term) => `-${show(term)}`)]).toEqual(terms)
})

test('a search has at most 200 characters and 16 words', () => {
  expect(parseSearch('💡'.repeat(200)).ok).toBe(true)
  expect(parseSearch('💡'.repeat(201)).ok).toBe(false)
  expect(parseSearch('a '.repeat(16)).ok).toBe(true)
  expect(parseSearch('a '.repeat(17)).ok).toBe(false)
})

test.each(['"', '-"', '', '-'])('words of %sa phrase" and parts of a word count as words', (before) => {
  const after = before.endsWith('"') ? '"' : ''
  const join = (words: number) => Array.from({ length: words }, (_, i) => `${i}x`).join(after === '' ? '-' : ' ')
  expect(parseSearch(`${before}${join(16)}${after}`).ok).toBe(true)
  expect(parseSearch(`${before}${join(17)}${after}`).ok).toBe(false)
  expect(parseSearch(`${before}${join(14)}${after} two -more`).ok).toBe(true)
  expect(parseSearch(`${before}${join(14)}${after} two -more words`).ok).toBe(false)
})

test('four characters of a script without spaces count as a word', () => {
  const run = [...Array(70).keys()].map((i) => String.fromCharCode(0x4e00 + i)).join('')
  expect(parseSearch(run.slice(0, 65)).ok).toBe(true)
  expect(parseSearch(run.slice(0, 66)).ok).toBe(false)
  expect(parseSearch('京都 '.repeat(16)).ok).toBe(true)
  expect(parseSearch('京都 '.repeat(17)).ok).toBe(false)
})
