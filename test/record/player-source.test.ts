import { describe, expect, test } from 'bun:test'
import { toFrameUrl } from '../../src/record/player/frame-url.ts'
import { findHostedVideo } from '../../src/record/player/hosted-video.ts'
import { toPlayerSource } from '../../src/record/player/player-source.ts'
import { createRecord } from '../site/talk-record.ts'

const playerHosts = ['tube.example.org', 'video.example.net:9000']

describe('The player of a known host', () => {
  const frames: readonly (readonly [source: string, frame: string, atNinety: string])[] = [
    [
      'http://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=90',
    ],
    [
      'https://youtu.be/dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=90',
    ],
    [
      'https://vimeo.com/76979871',
      'https://player.vimeo.com/video/76979871',
      'https://player.vimeo.com/video/76979871?autoplay=1#t=90s',
    ],
    [
      'https://vimeo.com/76979871/8272103f6e',
      'https://player.vimeo.com/video/76979871?h=8272103f6e',
      'https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1#t=90s',
    ],
    [
      'https://player.vimeo.com/video/76979871?h=8272103f6e',
      'https://player.vimeo.com/video/76979871?h=8272103f6e',
      'https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1#t=90s',
    ],
    [
      'https://archive.org/details/some-talk_2009.05',
      'https://archive.org/embed/some-talk_2009.05',
      'https://archive.org/embed/some-talk_2009.05?autoplay=1&start=90',
    ],
    [
      'http://www.archive.org/details/some-talk/file.mp4',
      'https://archive.org/embed/some-talk',
      'https://archive.org/embed/some-talk?autoplay=1&start=90',
    ],
    [
      'https://media.ccc.de/v/37c3-12345-a_talk',
      'https://media.ccc.de/v/37c3-12345-a_talk/oembed',
      'https://media.ccc.de/v/37c3-12345-a_talk/oembed?autoplay=1#t=90',
    ],
    [
      'https://tube.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
      'https://tube.example.org/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv',
      'https://tube.example.org/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv?autoplay=1&start=90s',
    ],
    [
      'https://video.example.net:9000/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d',
      'https://video.example.net:9000/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d',
      'https://video.example.net:9000/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d?autoplay=1&start=90s',
    ],
  ]
  for (const [source, frame, atNinety] of frames) {
    test(`is framed for ${source}`, () => {
      const found = findHostedVideo(source, playerHosts)
      expect(found?.frame).toBe(frame)
      expect(found && toFrameUrl(found.kind, found.frame, 90)).toBe(atNinety)
    })
  }

  const others = [
    '',
    'not an address',
    'javascript:alert(1)',
    'https://example.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/watch?v="><script>',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://vimeo.com/channels/staffpicks',
    'https://archive.org/search?query=x',
    'https://archive.org/details/%22%3E',
    'https://media.ccc.de/c/37c3',
    'https://tube.example.org/c/channel',
    'https://tube.example.org:444/w/kkGMgK9ZtnKfYAgnEtQxbv',
    'http://blip.tv/file/123',
  ]
  for (const source of others) {
    test(`does not exist for ${source === '' ? 'an empty address' : source}`, () => {
      expect(findHostedVideo(source, playerHosts)).toBeNull()
    })
  }

  test('starts where the address of the video says', () => {
    expect(findHostedVideo('https://youtu.be/dQw4w9WgXcQ?t=1m30s', [])?.start).toBe(90)
    expect(findHostedVideo('https://vimeo.com/76979871#t=45s', [])?.start).toBe(45)
  })
})

describe('Files', () => {
  const record = createRecord({
    video_webm_url: 'https://media.example.org/a.webm',
    video_mp4_url: 'http://media.example.org/a.mp4',
    video_mp4_length: 1000,
    video_ogv_url: 'https://media.example.org/a.ogv',
    video_ogv_download_only: true,
    video_flv_url: 'https://media.example.org/a.flv',
    source_url: 'https://youtu.be/dQw4w9WgXcQ',
  })

  test('play in every format that browsers support, except those for download only', () => {
    const { files } = toPlayerSource(record, { playerHosts, isSecure: false })
    expect(files).toEqual([
      { url: 'http://media.example.org/a.mp4', type: 'video/mp4' },
      { url: 'https://media.example.org/a.webm', type: 'video/webm' },
    ])
  })

  test('over http do not play on a page served by https', () => {
    const { files, downloads } = toPlayerSource(record, { playerHosts, isSecure: true })
    expect(files.map(({ url }) => url)).toEqual(['https://media.example.org/a.webm'])
    expect(downloads.map(({ url }) => url)).toContain('http://media.example.org/a.mp4')
  })

  test('can be downloaded in every format, with sizes where they are known', () => {
    const { downloads } = toPlayerSource(record, { playerHosts, isSecure: true })
    expect(downloads.map(({ format, bytes }) => [format, bytes])).toEqual([
      ['mp4', 1000],
      ['webm', null],
      ['ogv', null],
      ['flv', null],
    ])
  })

  test('leave the host as an alternative', () => {
    const { original, hosted } = toPlayerSource(record, { playerHosts, isSecure: false })
    expect(original).toEqual({ url: 'https://youtu.be/dQw4w9WgXcQ', host: 'YouTube' })
    expect(hosted?.kind).toBe('youtube')
  })

  test('may be missing, like everything else', () => {
    expect(toPlayerSource(createRecord(), { playerHosts, isSecure: true })).toEqual({
      files: [],
      downloads: [],
      hosted: null,
      original: null,
      watchable: null,
    })
  })
})

describe('A talk that the page cannot play is watched', () => {
  const file = { video_mp4_url: 'http://media.example.org/a.mp4' }
  const watchables: readonly (readonly [string, Parameters<typeof createRecord>[0], string, string])[] = [
    ['at its host', { ...file, source_url: 'https://youtu.be/dQw4w9WgXcQ' }, 'https://youtu.be/dQw4w9WgXcQ', 'YouTube'],
    ['as a file', { ...file, source_url: 'http://blip.tv/1' }, 'http://media.example.org/a.mp4', 'media.example.org'],
    ['on the page of the original', { source_url: 'http://www.blip.tv/1' }, 'http://www.blip.tv/1', 'blip.tv'],
  ]
  for (const [where, fields, url, host] of watchables) {
    test(where, () => {
      expect(toPlayerSource(createRecord(fields), { playerHosts, isSecure: true }).watchable).toEqual({ url, host })
    })
  }
})

test('the original at an unknown host is named by that host', () => {
  const record = createRecord({ source_url: 'http://www.blip.tv/file/123' })
  const { original, hosted } = toPlayerSource(record, { playerHosts, isSecure: true })
  expect({ original, hosted }).toEqual({
    original: { url: 'http://www.blip.tv/file/123', host: 'blip.tv' },
    hosted: null,
  })
})

test('a size that is too small for the length of a talk is unknown', () => {
  const record = createRecord({ duration: 3033, video_mp4_url: 'https://example.org/a.mp4' })
  const sizeOf = (video_mp4_length: number | null) =>
    toPlayerSource({ ...record, video_mp4_length }, { playerHosts: [], isSecure: false }).downloads[0]?.bytes
  expect([sizeOf(3033), sizeOf(null), sizeOf(400_000_000)]).toEqual([null, null, 400_000_000])
})

describe('With a start time', () => {
  const pages: readonly (readonly [source: string, atNinety: string])[] = [
    ['http://www.youtube.com/watch?v=dQw4w9WgXcQ', 'http://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s'],
    ['https://youtu.be/dQw4w9WgXcQ?t=5#t=7', 'https://youtu.be/dQw4w9WgXcQ?t=90s'],
    ['https://vimeo.com/76979871', 'https://vimeo.com/76979871#t=90s'],
    ['https://archive.org/details/a-talk', 'https://archive.org/details/a-talk?start=90'],
    ['https://media.ccc.de/v/37c3-1-a_talk', 'https://media.ccc.de/v/37c3-1-a_talk#t=90'],
    ['https://tube.example.org/w/kkGMgK9Z', 'https://tube.example.org/w/kkGMgK9Z?start=90s'],
    ['https://example.org/talk', 'https://example.org/talk'],
  ]
  for (const [source, atNinety] of pages) {
    test(`${source} is linked from that time on`, () => {
      const options = { playerHosts, isSecure: true, start: 90 }
      const { watchable, original } = toPlayerSource(createRecord({ source_url: source }), options)
      expect([watchable?.url, original?.url]).toEqual([atNinety, atNinety])
    })
  }

  test('a file that the page cannot play begins there, too', () => {
    const record = createRecord({ video_mp4_url: 'http://media.example.org/a.mp4#x' })
    const { watchable, downloads } = toPlayerSource(record, { playerHosts, isSecure: true, start: 90 })
    expect(watchable?.url).toBe('http://media.example.org/a.mp4#t=90')
    expect(downloads[0]?.url).toBe('http://media.example.org/a.mp4#x')
  })
})
