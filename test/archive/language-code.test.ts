import { expect, test } from 'bun:test'
import { collectLanguageCodes } from '../../scripts/language-codes.ts'
import languageCodes from '../../src/archive/language-codes.json'
import { toLanguageCode } from '../../src/archive/pyvideo.ts'

test('the stored codes are those of the Intl that we run on', () => {
  expect(collectLanguageCodes()).toEqual(languageCodes)
})

test.each([
  ['English', 'eng'],
  ['Chinese', 'zho'],
  ['German', 'deu'],
  ['constructor', null],
  ['', null],
])('the code of %p is %p', (name, code) => {
  expect(toLanguageCode(name)).toBe(code)
})
