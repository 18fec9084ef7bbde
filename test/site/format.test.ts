import { expect, test } from 'bun:test'
import { toDayOfYear, toDays, toLongDay, toMoment, toShortDay } from '../../src/site/text/format.ts'

test('a day has one form for viewers, and a short one for the tables of curators', () => {
  expect(toLongDay('2023-06-04')).toBe('4 June 2023')
  expect(toDayOfYear('2023-06-04')).toBe('4 June')
  expect(toShortDay('2023-09-14')).toBe('14 Sep 2023')
  expect(toMoment('2023-06-14T13:05:09.000')).toBe('14 Jun 2023, 13:05 UTC')
})

test.each([
  ['2019-05-03', '2019-05-09', '3–9 May 2019'],
  ['2019-05-30', '2019-06-02', '30 May – 2 June 2019'],
  ['2019-12-30', '2020-01-02', '30 December 2019 – 2 January 2020'],
  ['2019-05-03', '2019-05-03', '3 May 2019'],
  ['2019-05-03', null, '3 May 2019'],
  [null, '2019-05-03', '3 May 2019'],
  ['2019-05-03', '2018-05-03', '3 May 2019'],
  ['2019-05-03', '2019-08-09', 'May – August 2019'],
  ['2019-05-03', '2021-02-09', 'May 2019 – February 2021'],
  [null, null, ''],
])('the days from %s to %s are said once: %s', (first, last, text) => {
  expect(toDays(first, last)).toBe(text)
})
