import { expect, test } from 'bun:test'
import { mediaAddress } from '../../src/record/address.ts'
import { parsePatch } from '../../src/record/json-patch.ts'
import { name, names } from '../../src/record/kind.ts'
import { language } from '../../src/record/language.ts'

test.each(['a\u000b', '\u000ca', '\u0000a', 'a\u001f'])(
  '%j is refused, though trimming would hide its control character',
  (value) => {
    expect(name(255).parse(value).ok).toBe(false)
    expect(names(10, 255).parse([value]).ok).toBe(false)
    expect(language().parse(value.replace('a', 'en')).ok).toBe(false)
  },
)

test('the limit counts characters after trimming', () => {
  expect(name(3).parse('  💡💡💡  ')).toEqual({ ok: true, value: '💡💡💡' })
  expect(name(3).parse('  💡💡💡💡  ').ok).toBe(false)
})

test('a media address may be long', () => {
  const address = `https://media.example.org/${'x'.repeat(9000)}`
  expect(mediaAddress().parse(address)).toEqual({ ok: true, value: address })
  expect(mediaAddress().parse(`${address}${'x'.repeat(1000)}`).ok).toBe(false)
})

test('a patch has a bounded number of operations', () => {
  const operation = { op: 'add', path: '/tags/0', value: 'x' }
  expect(parsePatch(Array.from({ length: 1000 }, () => operation)).ok).toBe(true)
  expect(parsePatch(Array.from({ length: 1001 }, () => operation)).ok).toBe(false)
})
