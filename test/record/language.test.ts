import { expect, test } from 'bun:test'
import { collectLanguageNames } from '../../scripts/language-names.ts'
import { language } from '../../src/record/language.ts'
import languageNames from '../../src/record/language-names.json'

test('the stored names are those of the Intl that we run on', () => {
  expect(collectLanguageNames()).toEqual(languageNames)
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
