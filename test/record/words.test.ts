import { describe, expect, test } from 'bun:test'
import { toFolded } from '../../src/record/text/fold.ts'
import { locateWords, toInitial, toQueryWords, toWordStartTest, toWords } from '../../src/record/text/words.ts'

describe('the words of a text', () => {
  const cases: readonly (readonly [text: string, words: string])[] = [
    ['Testing with pytest', 'testing with pytest'],
    ['C++ and C#', 'c c++ and c c#'],
    ['.NET, ASP.NET', 'net .net asp net asp.net aspnet .net'],
    ['3.12.1 v1.2.3', '3 12 1 3.12.1 3.12 v1 2 3 v1.2.3 v1.2'],
    ['node.js 3.12.', 'node js node.js nodejs .js 3 12 3.12'],
    ["full-text don't O'Reilly", 'full text fulltext don dont reilly oreilly'],
    ['Straße, İstanbul, ısı', 'strasse istanbul isi'],
    ['Python入門', 'python 入門 門'],
    ['機械学習', '機械 械学 学習 習'],
    ['ทำไม', 'ทํ ํา าไ ไม ม'],
    ['1½', '11 2'],
    ['ﾃﾞｰﾀ', 'デー ータ タ'],
    ['ﾊﾟﾊﾟとPython', 'パパ パと と python'],
    ['co\u00adop', 'coop'],
    ['!!!', ''],
  ]
  test.each(cases)('%s', (text, words) => {
    expect(toWords(text).join(' ')).toBe(words)
    expect(
      locateWords(text)
        .map((word) => word.text)
        .join(' '),
    ).toBe(words)
  })

  test('offsets point at what was written', () => {
    const text = 'Über C++ 機械学習'
    expect(locateWords(text).map(({ from, to }) => text.slice(from, to))).toEqual([
      ...['Über', 'C', 'C++', '機械', '械学', '学習', '習'],
    ])
  })
})

describe('the words of a query', () => {
  const cases: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['C++', ['=c++']],
    ['node.js', ['=node.js|nodejs']],
    ['3.12', ['=3.12']],
    ['full-text', ['full|fulltext', 'text|fulltext']],
    ['機械学習', ['機械', '械学', '学習']],
    ["don't", ['dont']],
    ["I'm", ['im']],
    ['O’Reilly', ['oreilly']],
    ["l'apprentissage", ['apprentissage|lapprentissage']],
    ["aujourd'hui", ['aujourd|aujourdhui', 'hui|aujourdhui']],
    ['Müller', ['muller|mueller']],
    ['mu\u0308ller', ['muller|mueller']],
    ['Smørrebrød', ['smorrebrod|smoerrebroed']],
    ['ﾃﾞｰﾀ', ['デー', 'ータ']],
    ['C++ C# .NET', ['=c++', '=c#', '=.net']],
    ['C++17', ['=c++', '17']],
    ['asp.net core', ['=asp.net|aspnet', 'core']],
    ['C', ['c']],
    ['!!! … -', []],
  ]
  test.each(cases)('%s', (text, words) => {
    expect(toQueryWords(text).map((each) => `${each.isLiteral ? '=' : ''}${each.words.join('|')}`)).toEqual([...words])
  })

  test.each(['C++', 'F#', '3.12', '.3'])('%s has no parts to fall back on', (text) => {
    expect(toQueryWords(text).flatMap(({ parts }) => parts)).toEqual([])
  })

  test('a literal word has its parts to fall back on', () => {
    expect(toQueryWords('foo.bar')[0]?.parts.map(({ words }) => words)).toEqual([['foo'], ['bar']])
  })
})

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
