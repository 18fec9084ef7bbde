import { expect, test } from 'bun:test'
import {
  findPosition,
  type Positions,
  parsePositions,
  withPosition,
} from '../../src/site/asset/script/remembered-positions.ts'

test('the position of a talk is found again', () => {
  const positions = withPosition(withPosition([], '/video/1/a', 90.7, 2000), '/video/2/b', 30, 2000)
  expect(findPosition(positions, '/video/1/a')).toBe(90)
  expect(findPosition(positions, '/video/2/b')).toBe(30)
  expect(findPosition(positions, '/video/3/c')).toBe(0)
})

test('a position near the beginning or the end is not stored', () => {
  const positions = withPosition([], '/video/1/a', 90, 2000)
  expect(withPosition(positions, '/video/1/a', 5, 2000)).toEqual([])
  expect(withPosition(positions, '/video/1/a', 1990, 2000)).toEqual([])
  expect(withPosition(positions, '/video/1/a', 0, Number.NaN)).toEqual([])
})

test('a clip of 20 seconds is remembered as well', () => {
  expect(withPosition([], '/video/1/a', 5, 20)).toEqual([['/video/1/a', 5]])
  expect(withPosition([], '/video/1/a', 0.5, 20)).toEqual([])
  expect(withPosition([], '/video/1/a', 19.5, 20)).toEqual([])
})

test('a stream without a known length is remembered', () => {
  expect(withPosition([], '/video/1/a', 90, Number.POSITIVE_INFINITY)).toEqual([['/video/1/a', 90]])
})

test('the oldest of more than 300 talks are forgotten', () => {
  let positions: Positions = []
  for (let talk = 1; talk <= 400; talk++) positions = withPosition(positions, `/video/${talk}/a`, 60, 2000)
  expect(positions.length).toBe(300)
  expect(positions[0]?.[0]).toBe('/video/101/a')
})

for (const stored of [null, '', '{', '{}', '"x"', '[1,[2],["a"],["a","b"],["a",null]]']) {
  test(`${stored} in the storage means that nothing is remembered`, () => {
    expect(parsePositions(stored)).toEqual([])
  })
}
