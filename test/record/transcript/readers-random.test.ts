import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyRecord } from '../../../src/record/companion/companion.ts'
import { toKind } from '../../../src/record/companion/kinds.ts'
import { toSrt, toVtt } from '../../../src/record/transcript/captions.ts'
import {
  guessType,
  readTranscript,
  type TranscriptType,
  transcriptTypes,
} from '../../../src/record/transcript/read-transcript.ts'
import { toSpoken } from '../../../src/record/transcript/spoken.ts'
import { toPlainText, toPodcastTranscript } from '../../../src/record/transcript/write-transcript.ts'
import { runs } from '../../harness/runs.ts'

/** Pieces of files, whole and broken. */
const pieces = [
  ...[
    'WEBVTT',
    '\ufeff',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    ' ',
    '\t',
    'NOTE x',
    'STYLE',
    'REGION',
    'Kind: captions',
    '1',
    '42',
  ],
  ...['00:01.000 --> 00:02.000', '00:00:01,000 --> 00:00:02,000', '1:00:00.5-->00:00', '99999:59:59.999 --> 0:00'],
  ...[
    '-->',
    ' --> ',
    '00:',
    '12:34 ->',
    '<',
    '>',
    '<v Ann>',
    '<v ',
    '</v>',
    '<c.x>',
    '<00:00:01.000>',
    '<i>',
    '{\\an8}',
  ],
  ...[
    '&',
    '&amp;',
    '&lt;',
    '&#0;',
    '&#x110000;',
    '&#xd800;',
    '&nope;',
    'Hello',
    'world\nagain',
    '日本語',
    '\u2028',
    '\u0000',
  ],
  ...['\ud83d\ude00', '\u202e', 'مرحبا', '\u0085'],
]
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 }))
const times = fc.constantFrom(
  '00:01.000 --> 00:02.000',
  '00:00:03,500 --> 00:00:02,000',
  '1:00:00.5-->1:00:09',
  '0:00 --> 0:00',
)
/** Mostly whole cues, with anything as their texts and now and then between them. */
const cue = fc.tuple(
  fc.oneof({ weight: 6, arbitrary: fc.constant('') }, piece),
  times,
  fc.array(piece, { maxLength: 6 }),
)
const captions = fc
  .array(cue, { maxLength: 8 })
  .map((all) => all.map(([before, timing, text]) => `${before}\n${timing}\n${text.join('')}\n`).join('\n'))

const value = fc.oneof(
  ...[fc.constantFrom(null, true, -1, 0, 1, 1.0005, 86_400, 86_400_000, 1e308, '', ' ', 'Hello', '00:00:01,000')],
  ...[
    fc.string({ maxLength: 8 }),
    fc.constant([]),
    fc.constant({}),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ],
  fc.array(fc.record({ utf8: fc.string({ maxLength: 5 }) }, { requiredKeys: [] }), { maxLength: 3 }),
  fc.record({ from: fc.integer(), to: fc.integer() }, { requiredKeys: [] }),
)
const keys = ['start', 'end', 'text', 'speaker', 'startTime', 'endTime', 'body', 'offsets', 'timestamps'].concat(
  ...[['tStartMs', 'dDurationMs', 'segs', 'aAppend', '__proto__', 'constructor']],
)
const entry = fc.oneof(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }), value)
const json = fc.dictionary(
  fc.constantFrom('segments', 'events', 'transcription', 'text'),
  fc.oneof(fc.array(entry, { maxLength: 6 }), value),
  { minKeys: 1, maxKeys: 2 },
)

/** A file is refused with a reason, or every writer and the index take what it says, and it reads back. */
function expectSound(type: TranscriptType, bytes: Uint8Array): void {
  const found = readTranscript(type, bytes)
  if (!found.ok) {
    expect(found.problems.length).toBeGreaterThan(0)
    return
  }
  const { origin, cues } = found
  expect(toKind('transcripts/en').parse(JSON.parse(JSON.stringify({ origin, cues })), anyRecord).ok).toBe(true)
  toPlainText(cues)
  toSpoken(cues)
  const podcast = JSON.stringify(toPodcastTranscript(cues))
  const again = [
    readTranscript('text/vtt', Buffer.from(toVtt(cues))),
    readTranscript('application/x-subrip', Buffer.from(toSrt(cues))),
  ]
  for (const each of [...again, readTranscript('application/json', Buffer.from(podcast))]) expect(each.ok).toBe(true)
  expect(readTranscript('application/json', Buffer.from(podcast))).toMatchObject({ cues: [...cues] })
}

describe('A file of random pieces', () => {
  test('is read or refused, whatever its type is said to be', () => {
    fc.assert(
      fc.property(fc.boolean(), captions, (isVtt, all) => {
        const bytes = Buffer.from(`${isVtt ? 'WEBVTT\n\n' : ''}${all}`)
        for (const type of [...transcriptTypes, guessType(bytes)]) expectSound(type, bytes)
      }),
      { numRuns: runs(2_000) },
    )
  }, 120_000)

  test('is read or refused as JSON', () => {
    fc.assert(
      fc.property(json, (body) => expectSound('application/json', Buffer.from(JSON.stringify(body)))),
      { numRuns: runs(2_000) },
    )
  })

  test('is read or refused as bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const type of transcriptTypes) expectSound(type, bytes)
      }),
      { numRuns: runs(500) },
    )
  })
})

const heads: readonly (readonly [TranscriptType, string])[] = [
  ['text/vtt', 'WEBVTT\n'],
  ['text/vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n'],
  ['application/x-subrip', ''],
  ['application/x-subrip', '1\n00:00:01,000 --> 00:00:02,000\n'],
]

/** Half a megabyte takes a tenth of a second; if its time grew with the square of its length, minutes. */
test.each(pieces.concat('<v a>x', '\n1\n', 'a\n', '<<', '&#1', '00:01.000 --> 00:02.000\na\n\n'))(
  'half a megabyte of %j is read in linear time',
  (piece) => {
    for (const [type, head] of heads) {
      const bytes = Buffer.from(head + piece.repeat(Math.ceil(500_000 / piece.length)))
      const start = performance.now()
      readTranscript(type, bytes)
      expect(performance.now() - start).toBeLessThan(10_000)
    }
  },
  60_000,
)
