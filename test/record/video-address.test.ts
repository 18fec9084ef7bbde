import { expect, test } from 'bun:test'
import { toVideoUrl } from '../../src/record/embed.ts'

const same: readonly (readonly [address: string, others: readonly string[]])[] = [
  [
    'https://www.youtube.com/watch?v=abcDEF_-123',
    [
      'http://www.youtube.com/watch?v=abcDEF_-123',
      'https://youtu.be/abcDEF_-123',
      'https://youtu.be/abcDEF_-123?si=x',
      'HTTPS://YOUTU.BE/abcDEF_-123',
      'https://m.youtube.com/watch?list=PL1&v=abcDEF_-123&index=3',
      'https://www.youtube.com/embed/abcDEF_-123?start=0',
      'https://www.youtube-nocookie.com/embed/abcDEF_-123',
      'https://www.youtube.com/v/abcDEF_-123',
      'https://www.youtube.com/live/abcDEF_-123?t=0s',
    ],
  ],
  [
    'https://www.youtube.com/watch?v=abc&t=90',
    [
      'https://youtu.be/abc?t=90',
      'https://youtu.be/abc?t=90s',
      'https://youtu.be/abc?t=1m30s',
      'https://www.youtube.com/embed/abc?start=90',
      'http://www.youtube.com/watch?v=abc#t=1m30',
    ],
  ],
  [
    'https://vimeo.com/123',
    ['http://www.vimeo.com/123/', 'https://player.vimeo.com/video/123', 'https://vimeo.com/123/ab9'],
  ],
  ['https://vimeo.com/123#t=30', ['https://player.vimeo.com/video/123#t=30s']],
]

test.each(same)('%s is one video at one time, however it is written', (address, others) => {
  expect([address, ...others].map(toVideoUrl)).toEqual([address, ...others.map(() => address)])
})

test.each([
  '',
  'https://example.org/watch?v=abc',
  'https://example.org/watch?v=abc#t=1',
  'http://example.org/A',
  'https://www.youtube.com/playlist?list=PL1',
  'https://www.youtube.com/watch?v=',
  'https://vimeo.com/channels/staff',
  'no address',
])('%j stays as it is', (address) => {
  expect(toVideoUrl(address)).toBe(address)
})
