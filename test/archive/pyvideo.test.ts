import { describe, expect, test } from 'bun:test'
import { parseFile, toCategoryFile, toFile, toFilePath, toFileText } from '../../src/archive/pyvideo.ts'
import type { JsonObject, JsonValue } from '../../src/record/json.ts'
import { mapFile, toRecord } from './mapped.ts'

const youtube = 'https://www.youtube.com/watch?v=tidesTides1'
const page = 'https://archive.example.org/details/tides'
const mp4 = 'https://media.example.org/tides.mp4'
const webm = 'https://media.example.org/tides.webm'

type Case = readonly [what: string, file: JsonObject, wanted: JsonObject]

const fromFile: readonly Case[] = [
  ['a code of three letters', { language: 'jpn' }, { language: 'Japanese' }],
  ['a code that is no language', { language: 'qqq' }, { language: '' }],
  ['no language', { language: null }, { language: '' }],
  ['a day with a time', { recorded: '2014-05-04T09:30:00+02:00' }, { recorded: '2014-05-04' }],
  ['a day with a time behind a space', { recorded: '2014-05-04 23:59:59' }, { recorded: '2014-05-04' }],
  ['a day that is none', { recorded: '2015-02-30' }, { recorded: null }],
  ['a text that is a number', { recorded: 2015 }, { recorded: null }],
  [
    'texts as they are',
    { summary: ' a\r\n\tb ', description: '* x\n' },
    { summary: ' a\r\n\tb ', description: '* x\n' },
  ],
  [
    'texts that are null',
    { summary: null, quality_notes: null, copyright_text: null },
    { summary: '', quality_notes: '' },
  ],
  ['a picture that is null', { thumbnail_url: null }, { thumbnail_url: '' }],
  ['a picture that is no address', { thumbnail_url: 'tides.jpg' }, { thumbnail_url: '' }],
  ['a duration', { duration: 2710 }, { duration: 2710 }],
  ['a duration that is a text', { duration: '1:02:03' }, { duration: null }],
  ['a duration that is not whole', { duration: 1234.5 }, { duration: null }],
  ['blank and repeated speakers', { speakers: ['', ' ', 'A', 'A', ' B '] }, { speakers: ['A', 'B'] }],
  ['no speakers and tags', { speakers: null }, { speakers: [], tags: [] }],
  ['a category of its own', { category: 'Workshops' }, { category: 'Workshops' }],
  ['a blank category', { category: ' ' }, { category: 'The folder' }],
  ['a category that is no text', { category: 5 }, { category: 'The folder' }],
  ['one recording', { videos: [{ type: 'youtube', url: youtube }] }, { source_url: youtube, video_mp4_url: null }],
  [
    'a recording and files',
    {
      videos: [
        { type: 'mp4', url: mp4, length: 5 },
        { type: 'youtube', url: youtube },
        { type: 'webm', url: webm, size: 7 },
      ],
    },
    { source_url: youtube, video_mp4_url: mp4, video_mp4_length: 5, video_webm_url: webm, video_webm_length: 7 },
  ],
  ['a file alone', { videos: [{ type: 'mp4', url: mp4 }] }, { source_url: mp4, video_mp4_url: mp4 }],
  ['a size of nothing', { videos: [{ type: 'mp4', url: mp4, length: 0 }] }, { video_mp4_length: null }],
  ['a size that is a text', { videos: [{ type: 'mp4', url: mp4, size: '5' }] }, { video_mp4_length: null }],
  [
    'two files of a kind',
    {
      videos: [
        { type: 'mp4', url: mp4 },
        { type: 'mp4', url: `${mp4}?2` },
      ],
    },
    { video_mp4_url: mp4 },
  ],
  ['a page that is no player', { videos: [{ type: 'archive.org', url: page }] }, { source_url: page, embed: '' }],
  ['its own address', { source_url: page, videos: [{ type: 'youtube', url: youtube }] }, { source_url: page }],
  ['media that are none', { videos: ['x', null, { type: 'mp4' }, { type: 'mp4', url: 'x' }] }, { source_url: '' }],
  ['media that are no list', { videos: 'x' }, { source_url: '' }],
  [
    'what no field is for',
    { related_urls: [], alias: '/x', id: 7, whiteboard: 5, state: 2 },
    { state: 1, whiteboard: '' },
  ],
]

describe('A file becomes a record', () => {
  test.each(fromFile)('%s', (_what, file, wanted) => {
    expect(toRecord({ title: 'A talk', ...file })).toMatchObject(wanted)
  })
})

const refused: readonly (readonly [file: JsonObject, fields: readonly string[]])[] = [
  [{}, ['title']],
  [{ title: null }, ['title']],
  [{ title: ' ' }, ['title']],
  [{ title: 5 }, ['title']],
  [{ title: 'x'.repeat(256) }, ['title']],
  [{ title: 'A\u0000' }, ['title']],
]

type Unfit = readonly [file: JsonObject, wanted: JsonObject, unfit: readonly string[]]

const unfit: readonly Unfit[] = [
  [{ speakers: 'B' }, { speakers: [] }, ['speakers']],
  [{ tags: [5, 'good', 'x'.repeat(101)] }, { tags: ['good'] }, ['tags']],
  [{ description: { en: 'B' } }, { description: '' }, ['description']],
  [{ summary: ['B'], language: true }, { summary: '', language: '' }, ['language', 'summary']],
  [{ recorded: '01/02/2020' }, { recorded: null }, ['recorded']],
  [{ recorded: 2015 }, { recorded: null }, ['recorded']],
  [{ duration: '1h' }, { duration: null }, ['duration']],
  [{ language: 'Klingonese' }, { language: '' }, ['language']],
  [{ thumbnail_url: 'x.jpg' }, { thumbnail_url: '' }, ['thumbnail_url']],
  [{ source_url: 5 }, { source_url: '' }, ['source_url']],
  [{ category: ['x'] }, { category: 'The folder' }, ['category']],
  [{ videos: 'x' }, { source_url: '' }, ['videos']],
  [{ videos: [{ type: 'mp4', url: mp4, size: '5' }] }, { video_mp4_length: null, video_mp4_url: mp4 }, ['videos']],
  [{ summary: null, language: null, speakers: null, videos: null, category: null }, { summary: '', language: '' }, []],
]

describe('A value that a field cannot hold leaves it empty, and is named', () => {
  test.each(unfit)('%j', (file, wanted, names) => {
    const fitted = parseFile({ title: 'A talk', ...file }, 'The folder')
    expect(fitted).toMatchObject({ ok: true, changes: wanted })
    expect(fitted.ok ? fitted.unfit.map(({ field }) => field) : null).toEqual([...names])
  })
})

describe('A file that is no talk is refused', () => {
  test.each(refused)('%j for its %j', (file, names) => {
    expect(mapFile(file)).toEqual({ refused: [...names] })
  })
})

// ISO 639-3, not the older codes that 639-2 has for libraries, and none that was withdrawn.
const codes = [
  ...['eng', 'deu', 'fra', 'spa', 'por', 'ita', 'rus', 'jpn', 'kor', 'pol', 'ces', 'ell', 'slk', 'cym', 'hrv', 'nob'],
  ...['zho', 'nld', 'ron', 'srp', 'eus', 'isl', 'kat', 'hye', 'sqi', 'msa', 'mya', 'mkd', 'mri'],
]

describe('A record becomes a file', () => {
  test.each(codes)('its language %s becomes a code again', (code) => {
    expect(toFile(toRecord({ title: 'A talk', language: code })).language).toBe(code)
  })

  test('a language without a code stays a name', () => {
    expect(toFile({ ...toRecord({ title: 'A talk' }), language: 'Whistled' }).language).toBe('Whistled')
  })

  const media: readonly (readonly [JsonObject, JsonValue])[] = [
    [{}, []],
    [{ source_url: youtube }, [{ type: 'youtube', url: youtube }]],
    [{ source_url: 'https://youtu.be/x' }, [{ type: 'youtube', url: 'https://youtu.be/x' }]],
    [{ source_url: 'https://vimeo.com/1' }, [{ type: 'vimeo', url: 'https://vimeo.com/1' }]],
    [{ source_url: page }, [{ type: 'archive.example.org', url: page }]],
    [
      { source_url: mp4, video_mp4_url: mp4, video_mp4_length: 5, video_flv_url: '' },
      [{ length: 5, type: 'mp4', url: mp4 }],
    ],
  ]
  test.each(media)('%j has the media %j', (fields, videos) => {
    expect(toFile({ ...toRecord({ title: 'A talk' }), ...fields }).videos).toEqual(videos)
  })

  test('whose path is made of slugs', () => {
    expect(toFilePath({ ...toRecord({ title: 'A' }), slug: 'a' }, 'an-event')).toBe('an-event/videos/a.json')
  })

  test('with keys in order, ASCII, and a line end', () => {
    const text = toFileText({ b: [{ z: '💡é', y: null }], a: 1.5, '': '\u2028\u007f' })
    const lines = ['{', '  "": "\\u2028\\u007f",', '  "a": 1.5,', '  "b": [', '    {', '      "y": null,']
    expect(text).toBe(`${[...lines, '      "z": "\\ud83d\\udca1\\u00e9"', '    }', '  ]', '}'].join('\n')}\n`)
  })

  test('and a category another', () => {
    expect(toCategoryFile('A', { description: 'B', place: '', end_date: null })).toEqual({
      description: 'B',
      title: 'A',
    })
    expect(toCategoryFile('A', { series: 'S', end_date: '2020-01-02' })).toEqual({
      ...{ title: 'A', description: '', series: 'S', end_date: '2020-01-02' },
    })
  })
})
