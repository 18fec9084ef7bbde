import { describe, expect, test } from 'bun:test'
import { toFolded } from '../../src/record/text/fold.ts'
import { toInitial, toWordStartTest } from '../../src/record/text/word-start.ts'

describe('A word of a name begins with a text', () => {
  for (const [name, part, begins] of [
    ['Ada Lovelace', 'ada', true],
    ['Ada Lovelace', 'love', true],
    ['Ada Lovelace', 'ada l', true],
    ['Ada Lovelace', 'ace', false],
    ['Ada Lovelace', '', true],
    ['Adada Dada', 'da', true],
    ['Adada', 'da', false],
    ["Conan O'Brien", 'brien', true],
    ['Jean-Luc', 'luc', true],
    ['(Mc)Donald', 'mc', true],
    ['x_sure', 'sure', true],
    ['Zoë Ångström', 'ang', true],
    ['Zoë Ångström', 'strom', false],
    ['𝒜da 𐐀𐐁', toFolded('𐐁'), false],
    ['𝒜da 𐐀𐐁', toFolded('𐐀'), true],
    ['山田太郎', '太', true],
    ['Ada 2', '2', true],
    ['Ada', '\u0000', false],
  ] as const) {
    test(`${JSON.stringify(part)}: ${name} ${begins ? 'does' : 'does not'}`, () => {
      expect(toWordStartTest(part)(toFolded(name))).toBe(begins)
    })
  }
})

describe('The initial of', () => {
  for (const [name, initial] of [
    ['Ada', 'a'],
    ['Łukasz', 'l'],
    ['Ørsted', 'o'],
    ['Æsop', 'a'],
    ['Жанна', 'ж'],
    ['Ἀριστοτέλης', 'α'],
    ['אדה', 'א'],
    ['さくら', 'さ'],
    ['42nd Street', 'other'],
    ['(anonymous)', 'other'],
    ['山田太郎', 'other'],
    ['김민수', 'other'],
    ['\u{1f600}', 'other'],
  ] as const) {
    test(`${name} is ${initial}`, () => expect(toInitial(toFolded(name))).toBe(initial))
  }
})
