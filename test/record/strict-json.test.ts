import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseJson } from '../../src/record/json.ts'
import { runs } from '../harness/runs.ts'

const parse = (text: string) => parseJson(new TextEncoder().encode(text))

test('reads what JSON.parse reads, for any value without repeated names', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value, null, 1)
      const parsed = parse(text)
      expect(parsed.ok && JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: runs(2000) },
  )
})

test('refuses what JSON.parse refuses, for any mangled text', () => {
  const mangled = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', ',', '}', ']', '"', '\\', ' ', '0', '-', 'e', '\u0000'),
  )
  fc.assert(
    fc.property(mangled, ([text, at, mark]) => {
      const place = at % (text.length + 1)
      const broken = `${text.slice(0, place)}${mark}${text.slice(place + 1)}`.toWellFormed()
      const expected = attempt(() => JSON.parse(broken))
      const isStricter = (problem: string) => /Duplicate|too large|deeper|more digits|more than 400/.test(problem)
      const parsed = parse(broken)
      if (parsed.ok) expect(expected).toBe(true)
      else if (!isStricter(parsed.problem)) expect(expected).toBe(false)
    }),
    { numRuns: runs(5000) },
  )
})

function attempt(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

test.each([
  ['{"a":1,"a":2}', /Duplicate name "a", at line 1, column 8/],
  ['{"a":1,"\\u0061":2}', /Duplicate name/],
  ['{"__proto__":1,"__proto__":2}', /Duplicate name/],
  ['[1e999]', /too large/],
  [`${'['.repeat(33)}${']'.repeat(33)}`, /deeper than 32/],
  ['[4.99999999999999999999]', /more digits/],
  ['[1e-400]', /more digits/],
  ['[9007199254740991.4]', /more digits/],
  [`[0.${'0'.repeat(400)}1]`, /more than 400 characters, at line 1, column 2/],
  ['\ufeff{}', /byte order mark/],
  ['{"a":"\n"}', /control character/],
  ['{"a":"\\x"}', /Invalid escape/],
  ['{"a":"b', /Unterminated/],
  ['{"a":1}x', /Unexpected text after/],
  ['{"a":1,}', /name in double quotes/],
  ['[01]', /Expected "\]"/],
  ['', /Unexpected end/],
])('%p is refused: %p', (text, problem) => {
  const parsed = parse(text)
  expect(parsed.ok).toBe(false)
  if (!parsed.ok) expect(parsed.problem).toMatch(problem)
})

test.each(['5.0', '1.50e1', '0.000', '1e2', '-0.0e5', '12.5', '0.1'])('%s is a number like any other', (text) => {
  expect(parse(text)).toEqual({ ok: true, value: Number(text) + 0 })
})

test('no body of a megabyte full of digits takes longer than any other', () => {
  const long = `[0.${'0'.repeat(1_000_000)}1]`
  const many = `[${Array(2_600).fill(`0.${'0'.repeat(390)}1`)}]`
  for (const body of [long, many, long.replace('0.', '1.').replace('1]', 'x]')]) {
    const startedMs = performance.now()
    expect(parse(body).ok).toBe(false)
    expect(performance.now() - startedMs).toBeLessThan(500)
  }
}, 10_000)

test('32 levels are allowed, and a megabyte of string', () => {
  expect(parse(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true)
  expect(parse(`"${'é'.repeat(500_000)}"`).ok).toBe(true)
})

test('invalid UTF-8 is refused', () => {
  expect(parseJson(new Uint8Array([0x22, 0xff, 0x22])).ok).toBe(false)
  expect(parseJson(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])).ok).toBe(false)
})

test('a name like __proto__ is a name like any other, and minus zero is zero', () => {
  const parsed = parse('{"__proto__":{"x":1},"n":-0}')
  if (!parsed.ok) throw new Error(parsed.problem)
  expect(Object.keys(parsed.value ?? {})).toEqual(['__proto__', 'n'])
  expect(Object.is((parsed.value as { n: number }).n, 0)).toBe(true)
})
