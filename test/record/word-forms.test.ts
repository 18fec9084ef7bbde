import { describe, expect, test } from 'bun:test'
import { toFolded } from '../../src/record/text/fold.ts'
import { toSpellings, toWordForms } from '../../src/record/text/words.ts'

const isForm = (word: string, other: string) => toWordForms(toFolded(word))?.isForm(toFolded(other)) ?? false

describe('two forms of one word', () => {
  const pairs: readonly (readonly [word: string, other: string])[] = [
    ['test', 'testing'],
    ['tests', 'tested'],
    ['library', 'libraries'],
    ['optimize', 'optimization'],
    ['Entwicklung', 'Entwicklungen'],
    ['Datenbank', 'Datenbanken'],
    ['aplicación', 'aplicaciones'],
    ['programar', 'programación'],
    ['computação', 'computações'],
    ['język', 'języków'],
    ['veritabanı', 'veritabanlarının'],
    ['çeviri', 'çeviriler'],
    ['тестирование', 'тестирования'],
    ['базы', 'базами'],
    ['кодом', 'код'],
    ['λόγος', 'λόγοι'],
    ['βάση', 'βάσεις'],
    ['데이터', '데이터를'],
    ['커뮤니티', '커뮤니티는'],
    ['برمجة', 'برمجات'],
    ['רשת', 'רשתות'],
  ]
  test.each(pairs)('%s, %s', (one, other) => {
    expect({ one: isForm(one, other), other: isForm(other, one) }).toEqual({ one: true, other: true })
    expect(toFolded(other)).toStartWith(toWordForms(toFolded(one))?.beginning ?? 'nothing')
  })
})

describe('no forms of one word', () => {
  const pairs: readonly (readonly [word: string, other: string])[] = [
    ['test', 'text'],
    ['test', 'testament'],
    ['go', 'going'],
    ['car', 'care'],
    ['java', 'javascript'],
    ['wind', 'window'],
    ['кот', 'который'],
    ['機械', '機械学習'],
    ['3', '30'],
  ]
  test.each(pairs)('%s, %s', (one, other) => {
    expect({ one: isForm(one, other), other: isForm(other, one) }).toEqual({ one: false, other: false })
  })
})

describe('other spellings of a word', () => {
  const pairs: readonly (readonly [word: string, other: string])[] = [
    ['mueller', 'muller'],
    ['smoerrebroed', 'smorrebrod'],
    ['كتاب', 'الكتاب'],
    ['الكتاب', 'كتاب'],
    ['والشبكات', 'شبكات'],
    ['תכנות', 'התכנות'],
    ['התכנות', 'תכנות'],
    ['שפה', 'שפת'],
    ['שפה', 'לשפת'],
    ['हिंदी', 'हिन्दी'],
    ['हिन्दी', 'हिंदी'],
    ['संबंध', 'सम्बन्ध'],
  ]
  test.each(pairs)('%s, %s', (word, other) => {
    expect(toSpellings(word)).toContain(other)
  })

  test('a word in plain letters has none', () => {
    expect(toSpellings('python')).toEqual([])
  })

  test('no article is taken off a word that would be too short', () => {
    expect(toSpellings('הכל')).not.toContain('כל')
    expect(toSpellings('الله')).not.toContain('له')
  })
})
