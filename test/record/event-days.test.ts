import { describe, expect, test } from 'bun:test'
import { findMainDays } from '../../src/record/quality/event-days.ts'

/** `40 41x20`: a talk on day 40, and twenty on the next. */
const find = (days: string) =>
  findMainDays(
    days.split(' ').map((text) => {
      const [day, count = 1] = text.split('x').map(Number)
      return [day ?? 0, count] as const
    }),
  )

describe('The days of an event', () => {
  test('are those of its talks', () => {
    expect(findMainDays([])).toBeNull()
    expect(find('40')).toEqual([40, 40])
    expect(find('40 42x9 43')).toEqual([40, 43])
  })

  test('leave out a few that are far from all others', () => {
    expect(find('-900 40x20 41x20 42x9')).toEqual([40, 42])
    expect(find('40x2 41 440')).toEqual([40, 41])
    expect(find('0 40x30 41x29 440 900')).toEqual([40, 41])
  })

  test('are all of them where it cannot be told which are wrong', () => {
    expect(find('40 440')).toEqual([40, 440])
    expect(find('40x2 440')).toEqual([40, 440])
    expect(find('40x10 440x10')).toEqual([40, 440])
    const monthly = Array.from({ length: 24 }, (_, i) => [30 * i, 2] as const)
    expect(findMainDays(monthly)).toEqual([0, 690])
  })
})
