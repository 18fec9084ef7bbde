import { expect, test } from 'bun:test'
import { isPlaylist, toHost } from '../../src/record/quality/quality.ts'

const playlists: readonly [address: string, isOne: boolean][] = [
  ['https://www.youtube.com/playlist?list=PL1', true],
  ['https://youtube.com/playlist?list=PL1', true],
  ['https://m.youtube.com/watch?list=PL1', true],
  ['https://www.youtube.com/embed/videoseries?list=PL1', true],
  ['https://www.youtube.com/channel/UC1', true],
  ['https://www.youtube.com/@somebody/videos', true],
  ['https://www.youtube.com/user/somebody', true],
  ['https://vimeo.com/album/123', true],
  ['https://vimeo.com/showcase/123', true],
  ['https://vimeo.com/channels/staffpicks', true],
  ['https://www.dailymotion.com/playlist/x1', true],
  ['https://tube.example.org/w/p/abc', true],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1', false],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', false],
  ['https://youtu.be/dQw4w9WgXcQ?list=PL1', false],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ?list=PL1', false],
  ['https://vimeo.com/channels/staffpicks/123', false],
  ['https://vimeo.com/album/123/video/456', false],
  ['https://vimeo.com/123', false],
  ['https://www.dailymotion.com/video/x1', false],
  ['https://tube.example.org/w/abc', false],
  ['https://example.org/playlist?list=1', false],
  ['', false],
]
test.each(playlists)('%s is a playlist: %p', (address, isOne) => {
  expect(isPlaylist(address)).toBe(isOne)
})

test.each([
  ['https://www.youtube.com/watch?v=x', 'youtube.com'],
  ['http://WWW.Example.ORG:8080/a', 'example.org'],
  ['https://youtu.be/x', 'youtu.be'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['', ''],
])('the host of %p is %p', (address, host) => expect(toHost(address)).toBe(host))
