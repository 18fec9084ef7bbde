import { expect, test } from 'bun:test'
import { findTitleYear, guessSeries, toSeriesKey } from '../../src/record/text/series.ts'

test.each([
  ['EuroPython 2016', 'EuroPython', '2016'],
  ['PyCon US 2019', 'PyCon US', '2019'],
  ['2014 Lamp Summit', 'Lamp Summit', '2014'],
  ['Lamp Summit (2014)', 'Lamp Summit', '2014'],
  ['Lamp Summit, 2014', 'Lamp Summit', '2014'],
  ['Lamp 2014 – Lisbon', 'Lamp – Lisbon', '2014'],
  ['LampConf2011', 'LampConf', '2011'],
  ['Lamp Winter 2019/20', 'Lamp Winter', '2019'],
  ['Lamp ’14', 'Lamp', null],
  ['Лампа 2021', 'Лампа', '2021'],
  ['Lamplighters’ Guild', null, null],
  ['Room 2400', null, null],
  ['Lamp 12019', null, null],
  ['2016', null, '2016'],
  ['', null, null],
])('of %j the series is %j, the year %j', (title, series, year) => {
  expect(guessSeries(title)).toBe(series)
  expect(findTitleYear(title)).toBe(year)
})

test('a series that people gave and one that is guessed are the same, apart from case and accents', () => {
  const keys = [
    { series: ' LAMPÉ ', title: 'Something else' },
    { series: '', title: 'Lampe 2020' },
  ].map(toSeriesKey)
  expect(keys[0]).toBe(keys[1] ?? '')
  expect(toSeriesKey({ series: '', title: 'Lamp' })).toBeNull()
})

test('a long title takes no time', () => {
  const startMs = performance.now()
  guessSeries(`${'2016-'.repeat(50_000)}x`)
  guessSeries(' '.repeat(200_000))
  expect(performance.now() - startMs).toBeLessThan(1_000)
})
