import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { collectLanguages } from '../../scripts/languages.ts'
import { toFolded } from '../../src/record/text/fold.ts'
import {
  language,
  parseLanguageCode,
  parseLanguageName,
  toIsoCode,
  toLanguageCode,
} from '../../src/record/text/language.ts'
import languages from '../../src/record/text/languages.json'
import { runs } from '../harness/runs.ts'
import { countPlainly } from './plain-edits.ts'

test('the stored names and codes are those of the Intl that we run on', () => {
  expect(collectLanguages()).toEqual(languages)
})

test.each([
  ['en', 'English'],
  ['ENG', 'English'],
  ['english', 'English'],
  [' German ', 'German'],
  ['ger', 'German'],
  ['deu', 'German'],
  ['zh', 'Chinese'],
  ['cmn', 'Chinese'],
  ['norwegian bokmal', 'Norwegian Bokmål'],
  ['', ''],
])('%p is %p', (word, name) => {
  expect(language().parse(word)).toEqual({ ok: true, value: name })
})

test.each([
  ['Englsh', 'English'],
  ['lolcats', ''],
  ['en-US', 'English'],
  ['Germna', 'German'],
  ['constructor', ''],
  ['__proto__', ''],
])('%p is no language, and %p is suggested', (word, suggestion) => {
  const parsed = language().parse(word)
  expect(parsed.ok).toBe(false)
  if (!parsed.ok) expect(parsed.problems.join()).toContain(suggestion)
})

const names = Object.keys(languages).map((name) => [toFolded(name), name] as const)

function suggestFor(word: string): string | undefined {
  const parsed = language().parse(word)
  return parsed.ok ? undefined : /Did you mean (.*)\?$/.exec(parsed.problems.join())?.[1]
}

test('what is suggested for a typo are the three nearest names', () => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz ')
  const typo = fc.tuple(fc.constantFrom(...names), fc.nat(), fc.constantFrom(0, 1), fc.array(letter, { maxLength: 2 }))
  fc.assert(
    fc.property(typo, ([[name], at, cut, put]) => {
      const from = at % (name.length + 1)
      const word = (name.slice(0, from) + put.join('') + name.slice(from + cut)).trim()
      // As in en-US, the language of a code before a hyphen comes first.
      const hasCode = word.includes('-') && language().parse(word.split('-')[0] ?? '').ok
      fc.pre(word.length > 3 && !hasCode && suggestFor(word) !== undefined)
      const distances = names.map(([each, shown]) => ({ shown, distance: countPlainly(toFolded(word), each) }))
      const nearest = distances.sort((one, other) => one.distance - other.distance).map(({ shown }) => shown)
      expect(suggestFor(word)).toBe([...new Set(nearest)].slice(0, 3).join(', '))
    }),
    { numRuns: runs(60) },
  )
})

test('a long word that is no language holds up nobody', () => {
  const words = Array.from({ length: 100 }, (_, i) => `${i}${(i % 2 === 0 ? 'wxyz' : 'ﷺﷺﷺﷺ').repeat(24)}`)
  const started = process.cpuUsage()
  for (const word of words) expect(suggestFor(word)).toBeDefined()
  const { user, system } = process.cpuUsage(started)
  // 20 to 110 ms each, where all of it was compared with every name.
  expect((user + system) / 1_000).toBeLessThan(1_000)
})

test.each([
  ['English', 'en'],
  ['German', 'de'],
  ['French', 'fr'],
  ['Czech', 'cs'],
  ['Persian', 'fa'],
  ['Cantonese', 'yue'],
])('the code of %p is %p, as in the attribute lang', (name, code) => {
  expect(toLanguageCode(name)).toBe(code)
})

test('a code of each name is that of the language', () => {
  for (const [, name] of names) expect(parseLanguageCode(toLanguageCode(name) ?? '')).toBe(name)
  expect(toLanguageCode('')).toBe(null)
})

test.each([
  ['English', 'eng'],
  ['Chinese', 'zho'],
  ['German', 'deu'],
  ['Dari', 'prs'],
  ['Komi', 'kpv'],
  ['constructor', null],
  ['', null],
])('the ISO 639-3 code of %p is %p', (name, code) => {
  expect(toIsoCode(name)).toBe(code)
})

test('an ISO 639-3 code is read as the language that it was written for', () => {
  for (const [, name] of names) expect(parseLanguageName(toIsoCode(name) ?? name)).toBe(name)
})
