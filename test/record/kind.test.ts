import { expect, test } from 'bun:test'
import { name, names } from '../../src/record/field-kind.ts'
import { applyPatch, parsePatch } from '../../src/record/json-patch.ts'
import { parseFields } from '../../src/record/record.ts'
import { mediaAddress } from '../../src/record/text/address.ts'
import { language } from '../../src/record/text/language.ts'

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

test('a patch may not copy without end', () => {
  const huge = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 0]))
  const step = { op: 'add', path: ['z'], value: 0 } as const
  const patched = applyPatch(
    huge,
    Array.from({ length: 10 }, () => step),
  )
  expect(patched).toMatchObject({ is: 'impossible', problem: expect.stringContaining('copies too much') })
})

test('of a body with endless wrong fields a hundred are named', () => {
  const body = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 0]))
  const parsed = parseFields(body, 'part', null)
  expect(parsed.ok ? 0 : parsed.errors.size).toBe(100)
})
