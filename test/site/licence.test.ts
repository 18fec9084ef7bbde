import { expect, test } from 'bun:test'
import { findLicence } from '../../src/site/talk/licence.ts'

const licences: readonly (readonly [text: string, name: string | null, path?: string])[] = [
  ['CC BY', 'CC BY', 'creativecommons.org/licenses/by/4.0/'],
  ['CC-BY-SA 4.0', 'CC BY-SA 4.0', 'creativecommons.org/licenses/by-sa/4.0/'],
  ['CC BY-NC-SA 3.0', 'CC BY-NC-SA 3.0', 'creativecommons.org/licenses/by-nc-sa/3.0/'],
  ['CC BY-ND 2.5', 'CC BY-ND 2.5', 'creativecommons.org/licenses/by-nd/2.5/'],
  ['Creative Commons Attribution license (reuse allowed)', 'CC BY', 'creativecommons.org/licenses/by/4.0/'],
  [
    'Creative Commons Attribution-NonCommercial-ShareAlike 3.0',
    'CC BY-NC-SA 3.0',
    'creativecommons.org/licenses/by-nc-sa/3.0/',
  ],
  ['https://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0', 'creativecommons.org/licenses/by-sa/4.0/'],
  ['CC0', 'CC0 1.0', 'creativecommons.org/publicdomain/zero/1.0/'],
  ['Standard YouTube License', 'Standard YouTube License', 'www.youtube.com/t/terms'],
  ['https://www.youtube.com/t/terms', 'Standard YouTube License', 'www.youtube.com/t/terms'],
  ['', null],
  ['All rights reserved', null],
  ['Not CC BY', null],
  ['Creative Commons', null],
]

for (const [text, name, path] of licences) {
  test(`"${text}" is ${name ?? 'no licence that we know'}`, () => {
    const found = findLicence(text)
    expect(found).toEqual(name === null ? null : { name, url: `https://${path}` })
  })
}
