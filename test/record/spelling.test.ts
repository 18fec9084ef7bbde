import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createEditCount, toMaxEdits } from '../../src/record/text/spelling.ts'
import { runs } from '../harness/runs.ts'
import { countPlainly } from './plain-edits.ts'

const toEdits = (a: string, b: string, max: number) => createEditCount(a)(b, max)

describe('edits between two words', () => {
  const cases: readonly (readonly [a: string, b: string, max: number, edits: number])[] = [
    ['asyncio', 'asyncio', 2, 0],
    ['asyncio', 'asycnio', 2, 1],
    ['asyncio', 'asyncoi', 1, 1],
    ['asyncio', 'saycnio', 2, 2],
    ['asyncio', 'async', 2, 2],
    ['asyncio', 'asynci', 1, 1],
    ['asyncio', 'asynncio', 1, 1],
    ['asyncio', 'asynkio', 1, 1],
    ['asyncio', 'xsynkio', 1, 2],
    ['asyncio', 'threads', 2, 3],
    ['abc', 'ca', 2, 3],
    ['тест', 'тетс', 1, 1],
    [`a${'x'.repeat(31)}`, `b${'x'.repeat(31)}`, 2, 1],
    [`${'x'.repeat(31)}a`, 'x'.repeat(31), 2, 1],
    // Longer words have no other spellings.
    [`a${'x'.repeat(32)}`, `b${'x'.repeat(32)}`, 2, 3],
    ['x'.repeat(64), 'x'.repeat(64), 2, 0],
  ]
  test.each(cases)('%s, %s within %i: %i', (a, b, max, edits) => {
    expect([toEdits(a, b, max), toEdits(b, a, max)]).toEqual([edits, edits])
  })

  test('are those of the plain algorithm', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ж'), minLength: 1, maxLength: 9 })
    const agree = fc.property(word, word, fc.integer({ min: 0, max: 2 }), (a, b, max) => {
      expect(toEdits(a, b, max)).toBe(Math.min(countPlainly(a, b), max + 1))
    })
    fc.assert(agree, { numRuns: runs(20_000) })
  })
})

describe('edits to the beginning of a word', () => {
  const toBegun = (a: string, b: string, max: number) => createEditCount(a, 'beginning')(b, max)

  const cases: readonly (readonly [typed: string, word: string, max: number, edits: number])[] = [
    ['async', 'asyncio', 1, 0],
    ['asnyc', 'asyncio', 1, 1],
    ['asyncio', 'async', 2, 2],
    ['asyncio', 'async', 1, 2],
    ['pyhton', 'python', 1, 1],
    ['rosum', 'rossum', 1, 1],
    ['tset', 'testing', 1, 1],
    ['tset', 'threads', 1, 2],
  ]
  test.each(cases)('%s, %s within %i: %i', (typed, word, max, edits) => {
    expect(toBegun(typed, word, max)).toBe(edits)
  })

  test('are the least of all beginnings', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ж'), minLength: 1, maxLength: 8 })
    const agree = fc.property(word, word, fc.integer({ min: 0, max: 2 }), (a, b, max) => {
      const beginnings = Array.from({ length: b.length + 1 }, (_, length) => countPlainly(a, b.slice(0, length)))
      expect(toBegun(a, b, max)).toBe(Math.min(...beginnings, max + 1))
    })
    fc.assert(agree, { numRuns: runs(2_000) })
  })
})

describe('edits that a word may have', () => {
  const cases: readonly (readonly [word: string, edits: number])[] = [
    ['', 0],
    ['api', 0],
    ['test', 1],
    ['asyncio', 1],
    ['database', 2],
    ['datenbanksysteme', 2],
    ['ipv6', 0],
    ['2023', 0],
    ['python312', 0],
    ['тест', 1],
  ]
  test.each(cases)('%s: %i', (word, edits) => {
    expect(toMaxEdits(word)).toBe(edits)
  })
})
