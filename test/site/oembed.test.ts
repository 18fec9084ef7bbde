import { expect, test } from 'bun:test'
import { findTalkId, toFrameSize } from '../../src/site/machine/oembed.ts'
import { createUrls } from '../../src/site/urls.ts'

const site = { base: 'https://talks.example.org/archive', urls: createUrls('/archive') }

const ids: readonly (readonly [string, number | null])[] = [
  ['https://talks.example.org/archive/video/7/a-talk', 7],
  ['https://talks.example.org/archive/video/7', 7],
  ['https://talks.example.org/archive/video/7/', 7],
  ['http://talks.example.org/archive/video/7/a-talk?t=90#x', 7],
  ['https://talks.example.org/video/7/a-talk', null],
  ['https://talks.example.org/archive/video/7x', null],
  ['https://talks.example.org/archive/video/0', null],
  ['https://talks.example.org/archive/speaker/7/ann', null],
  ['https://other.example.org/archive/video/7/a-talk', null],
  ['https://talks.example.org:8443/archive/video/7/a-talk', null],
  ['ftp://talks.example.org/archive/video/7/a-talk', null],
  ['/archive/video/7/a-talk', null],
  ['', null],
]

for (const [address, id] of ids) {
  test(`${address || 'An empty address'} is ${id === null ? 'no talk of ours' : `talk ${id}`}`, () => {
    expect(findTalkId(site, address)).toBe(id)
  })
}

const sizes: readonly (readonly [number | null, number | null, number, number])[] = [
  [null, null, 640, 360],
  [320, null, 320, 180],
  [null, 90, 160, 90],
  [320, 90, 160, 90],
  [1920, 1080, 1920, 1080],
  [1920, null, 640, 360],
]

for (const [maxWidth, maxHeight, width, height] of sizes) {
  test(`in ${maxWidth} × ${maxHeight} the player is ${width} × ${height}`, () => {
    expect(toFrameSize(maxWidth, maxHeight)).toEqual({ width, height })
  })
}
