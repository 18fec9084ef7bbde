import { expect, test } from 'bun:test'
import { isParked, toParked, toUnparked } from '../../src/record/quality/quality.ts'

test.each(['', 'Ask her', ' two  spaces', 'line\r\nline', 'see [parked]'])(
  'Parking a draft and taking it back keeps its note: %j',
  (note) => {
    const parked = toParked(note)
    expect([isParked(note), isParked(parked)]).toEqual([false, true])
    expect(toUnparked(parked)).toBe(note)
    expect(toParked(parked)).toBe(parked)
    expect(toUnparked(note)).toBe(note)
  },
)

test('The mark may be typed by hand', () => {
  expect(toUnparked('[Parked]no recording')).toBe('no recording')
  expect(toUnparked('  [parked] lost')).toBe('lost')
})
