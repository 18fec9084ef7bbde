import { describe, expect, test } from 'bun:test'
import { parseKeptIds, parseTalkPath, withIds } from '../../src/site/asset/script/kept-ids.ts'

describe('Ids that a browser keeps', () => {
  test.each([
    [null, []],
    ['', []],
    ['not JSON', []],
    ['{"1":2}', []],
    ['[3,1,3,2]', [3, 1, 2]],
    ['[0,-1,1.5,"4",null,1e99,5]', [5]],
  ])('are read from %p as %p', (text, ids) => {
    expect(parseKeptIds(text)).toEqual(ids)
  })

  test('are added in front, and stay where they are if they are there', () => {
    expect(withIds([3, 1], [2])).toEqual([2, 3, 1])
    expect(withIds([3, 1], [1, 5, 4])).toEqual([5, 4, 3, 1])
  })

  test('come from the paths of talks', () => {
    expect(['/video/12/a-talk', '/prefix/video/7/b'].map(parseTalkPath)).toEqual([12, 7])
    expect(['/video/12', '/speaker/1/x', '/video/x/y', '/video/0/y', ''].map(parseTalkPath)).toEqual(
      Array(5).fill(null),
    )
  })
})
