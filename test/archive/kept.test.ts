import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { toFile } from '../../src/archive/pyvideo.ts'
import { settle, toResidue } from '../../src/archive/round-trip.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../src/record/json.ts'
import type { VideoRecord } from '../../src/record/record.ts'
import { runs } from '../harness/runs.ts'
import { asParsed, exportAgain, keep, mapFile, toRecord } from './mapped.ts'

const url = fc.constantFrom(
  'https://www.youtube.com/watch?v=tidesTides1',
  'https://media.example.org/a.mp4',
  'https://archive.example.org/details/a',
  'not an address',
)
// fast-check has a type of its own for the same values.
const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) as fc.Arbitrary<JsonValue>
const medium = fc.record(
  {
    type: fc.constantFrom<JsonValue[]>('youtube', 'mp4', 'webm', 'ogv', 'flv', 'archive.org', 5),
    url,
    length: fc.oneof(fc.nat(), json),
    size: fc.oneof(fc.nat(), json),
  },
  { requiredKeys: ['url'] },
)
/** Other types are refused; where they are not, any JSON stands. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom<JsonValue[]>(null, '', ' ', 5, 'a\u0001b'))
const names = fc.option(fc.array(fc.constantFrom('', ' ', 'Ola', ' Ola ', 'Jörg')))
const known: { readonly [key: string]: fc.Arbitrary<JsonValue> } = {
  category: text,
  copyright_text: text,
  description: text,
  duration: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }), text),
  id: fc.oneof(fc.nat(), json),
  language: fc.constantFrom<JsonValue[]>('eng', 'ENG', 'jpn', 'English', ' deu ', '', null, 5, 'qqq'),
  quality_notes: text,
  recorded: fc.oneof(fc.constantFrom('2014-05-03', '2014-05-03T10:00:00', '2015-02-30'), json),
  slug: text,
  source_url: fc.oneof(url, json),
  speakers: names,
  summary: text,
  tags: names,
  thumbnail_url: fc.oneof(url, text),
  videos: fc.oneof(fc.array(fc.oneof(medium, json), { maxLength: 4 }), json),
}
const unknownKey = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('alias', 'related_urls', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'embed', 'state'),
)
const title = fc.constantFrom('A talk', '  A talk ', 'Ein Vortrag über 月')
const unknown = fc.array(fc.tuple(unknownKey, json), { maxLength: 5 })
/** Any object with a title, as the source's parser gives it. */
const anyFile = fc
  .tuple(unknown, fc.record<{ [key: string]: JsonValue }>(known, { requiredKeys: [] }), title)
  .map(([others, keys, name]) => asParsed(Object.fromEntries([...others, ...Object.entries(keys), ['title', name]])))
const goodFile = anyFile.filter((file) => !('refused' in mapFile(file)))

describe('Whatever a file says', () => {
  test('is exported as it was', () => {
    fc.assert(
      fc.property(goodFile, (file) => {
        expect(isSameJson(exportAgain(toRecord(file), keep(file)), file)).toBe(true)
      }),
      { numRuns: runs(500) },
    )
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'length'])('the key %j too', (key) => {
    const file = asParsed(
      Object.fromEntries([
        ['title', 'A talk'],
        [key, { a: 1 }],
      ]),
    )
    const back = exportAgain(toRecord(file), keep(file))
    expect(Object.keys(back)).toContain(key)
    expect(isSameJson(back, file)).toBe(true)
  })
})

describe('While the slug of a record is not known yet', () => {
  test('exactly the same is kept as when it is known', () => {
    fc.assert(
      fc.property(goodFile, fc.constantFrom('a-slug', 'another', ''), (file, slug) => {
        const record = { ...toRecord(file), slug }
        const open = toResidue(file, toFile({ ...record, slug: 'unknown' }), 'slug')
        const settled = open === null ? null : settle(open, 'slug', slug)
        expect(JSON.stringify(settled)).toBe(JSON.stringify(toResidue(file, toFile(record))))
      }),
      { numRuns: runs(500) },
    )
  })
})

const pick = <F extends keyof VideoRecord>(name: F, ...values: VideoRecord[F][]) =>
  fc.constantFrom(...values).map((value): Partial<VideoRecord> => ({ [name]: value }))
/** Changes of fields that a file has a key of the same name for. */
const change = fc.oneof(
  pick('title', 'Another title'),
  pick('category', 'Another event'),
  pick('language', 'Spanish', 'Korean'),
  pick('speakers', [], ['New One', 'New Two']),
  pick('tags', ['new']),
  pick('summary', '', 'New words'),
  pick('description', '', 'New words'),
  pick('quality_notes', 'New words'),
  pick('copyright_text', 'New words'),
  pick('thumbnail_url', 'https://images.example.org/new.jpg'),
  pick('duration', null, 77),
  pick('recorded', null, '2020-02-29'),
)

describe('After a change of one field', () => {
  test('the file has the change, and everything else is unchanged', () => {
    fc.assert(
      fc.property(goodFile, change, (file, changes) => {
        const before = toRecord(file)
        const after = { ...before, ...changes }
        // A change has one field, and it is a record's.
        const [name] = Object.keys(changes) as [keyof VideoRecord]
        const back = exportAgain(after, keep(file))
        const others = (from: JsonObject) => Object.fromEntries(Object.entries(from).filter(([key]) => key !== name))
        expect(others(back)).toEqual(others(file))
        if (!isSameJson(before[name], after[name])) {
          expect(toRecord({ title: 'A talk', ...back })).toMatchObject(changes)
        }
      }),
      { numRuns: runs(500) },
    )
  })

  const mp4 = { type: 'mp4', url: 'https://media.example.org/a.mp4', length: 5 }
  const [youtube, other] = ['tidesTides1', 'otherOther1'].map((id) => `https://www.youtube.com/watch?v=${id}`)
  const archived = { type: 'archive.org', url: 'https://archive.example.org/details/a' }

  test.each<[string, Partial<VideoRecord>]>([
    ['the size of a file', { video_mp4_length: 6 }],
    ['the address of the recording', { source_url: other ?? '' }],
    ['a file more', { video_webm_url: 'https://media.example.org/a.webm' }],
  ])('%s, the media that no field is for are still there', (_what, changes) => {
    const file = asParsed({ title: 'A talk', videos: [{ type: 'youtube', url: youtube ?? '' }, mp4, archived] })
    const back = exportAgain({ ...toRecord(file), ...changes }, keep(file))
    expect(toRecord(back)).toMatchObject(changes)
    expect(back.videos).toContainEqual(archived)
  })

  test('of its address, a file that names the address has only the new one', () => {
    const file = asParsed({ title: 'A talk', source_url: youtube ?? '' })
    const back = exportAgain({ ...toRecord(file), source_url: other ?? '' }, keep(file))
    expect(toRecord(back).source_url).toBe(other ?? '')
    expect(JSON.stringify(back)).not.toContain(youtube ?? '')
  })
})
