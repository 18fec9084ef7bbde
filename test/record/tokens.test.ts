import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { locateTokens, toTokens } from '../../src/record/text/search-text.ts'
import { runs } from '../harness/runs.ts'

/** The tokens and the parts of the text that they were found in. */
const show = (text: string) => locateTokens(text).map(({ text: token, from, to }) => [token, text.slice(from, to)])

test.each([
  [
    'Ødegård in ŁÓDŹ',
    [
      ['odegard', 'Ødegård'],
      ['in', 'in'],
      ['lodz', 'ŁÓDŹ'],
    ],
  ],
  [
    'e\u0301te\u0301, soft\u00adware',
    [
      ['ete', 'e\u0301te\u0301'],
      ['software', 'soft\u00adware'],
    ],
  ],
  ['STRAẞE!', [['strasse', 'STRAẞE']]],
  [
    '𝐁old 💡 ①',
    [
      ['bold', '𝐁old'],
      ['1', '①'],
    ],
  ],
  [
    'Python入門',
    [
      ['python', 'Python'],
      ['入門', '入門'],
      ['門', '門'],
    ],
  ],
  [
    'ﾃﾞｰﾀ',
    [
      ['デー', 'ﾃﾞｰ'],
      ['ータ', 'ｰﾀ'],
      ['タ', 'ﾀ'],
    ],
  ],
  ['\u1112\u1161\u11ab\u1100\u116e\u11a8', [['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8']]],
  [
    'مُقَدِّمَة، شَيْء',
    [
      ['مقدمة', 'مُقَدِّمَة'],
      ['شيء', 'شَيْء'],
    ],
  ],
  ['שָׁלוֹם', [['שלום', 'שָׁלוֹם']]],
  [`«${'x'.repeat(70)}»`, [['x'.repeat(64), 'x'.repeat(70)]]],
  [`«${'é'.repeat(70)}»`, [['e'.repeat(64), 'é'.repeat(70)]]],
  ['', []],
])('%p has the tokens %p', (text, tokens) => {
  expect(show(text)).toEqual(tokens)
})

const scripts = [
  ..."aé\u0301ßΣςİıл日本ガカ\u3099ﾞﾊタㅏᄒ\u1161\u11ab한ไทำ\u0e33ກຳក្ខမြभाষ\u09c7\u09beمُשָ𝐁😀½™ﷺ℃\u00ad\u200d-.'’ \t\u00a0",
]
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...scripts), maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)

test('the tokens are those of the index, in order and inside the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = locateTokens(text)
      expect(words.map((word) => word.text)).toEqual(toTokens(text))
      let before = 0
      for (const { from, to } of words) {
        expect(from).toBeGreaterThanOrEqual(before)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(text.length)
        before = from
      }
    }),
    { numRuns: runs(20_000) },
  )
})

test('the part of the text that a token was found in has that token', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const { text: token, from, to } of locateTokens(text)) {
        expect(toTokens(text.slice(from, to))).toContain(token)
      }
    }),
    { numRuns: runs(20_000) },
  )
})
