import { expect, test } from 'bun:test'
import { toPublicAddress, withoutUserInfo } from '../../src/record/text/address.ts'

test.each([
  ['http://ann:secret@host/a', 'http://host/a'],
  ['https://ann@host', 'https://host'],
  ['https://a@b:c@d@host:8000', 'https://host:8000'],
  ['http://host/a@b', 'http://host/a@b'],
  ['http://host?q=a@b', 'http://host?q=a@b'],
  ['see http://ann:x@one and http://bob:y@two/z', 'see http://one and http://two/z'],
  ['ann@home', 'ann@home'],
  ['a folder', 'a folder'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(withoutUserInfo(text)).toBe(shown)
})

test('an address that is none is shown without anything that could be a password', () => {
  expect(toPublicAddress('htp://ann:se/cr et@host/x')).toBe('htp://host/x')
  expect(toPublicAddress('/a/folder@home')).toBe('/a/folder@home')
})

test('a long text takes no longer than it has to', () => {
  for (const text of ['://'.repeat(400_000), `://${'a'.repeat(1_000_000)}`, '://@'.repeat(300_000)]) {
    const startedMs = performance.now()
    withoutUserInfo(text)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  }
})
