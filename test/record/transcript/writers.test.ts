import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toLine, toSrt, toVtt } from '../../../src/record/transcript/captions.ts'
import { readTranscript, transcriptTypes } from '../../../src/record/transcript/read-transcript.ts'
import type { Cue } from '../../../src/record/transcript/transcript.ts'
import { toPlainText, toPodcastTranscript } from '../../../src/record/transcript/write-transcript.ts'
import { runs } from '../../harness/runs.ts'

const hostile = [
  ...['<script>alert(1)</script>', '</v>', '<v Eve>', '&lt;b&gt;', '&amp;amp;', '-->', '00:01.000 --> 00:02.000'],
  ...['12:30 -> 13:00', '7', 'NOTE x', 'STYLE', 'WEBVTT', '{\\an8}', '"quoted"', "it's", '\u202eabc', '<3', ']]>'],
]

/** Each line is unlike all others, so that none looks like a rolling one. */
function toCues(
  all: readonly { readonly gap: number; readonly ms: number; readonly lines: string[]; readonly who: string }[],
) {
  const cues: Cue[] = []
  let start = 0
  for (const [i, { gap, ms, lines, who }] of all.entries()) {
    start += gap
    const text = lines.map((line, at) => toLine(at === 0 ? `${line} ${i}` : `${i}.${at} ${line}`)).join('\n')
    cues.push({ start, end: start + ms, text, ...(toLine(who) === '' ? {} : { voice: toLine(who) }) })
  }
  return cues
}

const words = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 20 }))
const cues = fc
  .array(
    fc.record({
      gap: fc.nat(5000),
      ms: fc.integer({ min: 1, max: 9000 }),
      lines: fc.array(words, { minLength: 1, maxLength: 3 }),
      who: fc.oneof(fc.constant(''), fc.constantFrom(...hostile), fc.string({ maxLength: 20 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map(toCues)

const readBack = (type: (typeof transcriptTypes)[number], text: string) => {
  const found = readTranscript(type, Buffer.from(text))
  if (!found.ok) throw new Error(found.problems.join('\n'))
  return found.cues
}

test('cues are the same after WebVTT and after Podcasting 2.0, whatever they say', () => {
  fc.assert(
    fc.property(cues, (all) => {
      expect(readBack('text/vtt', toVtt(all))).toEqual(all)
      expect(readBack('application/json', JSON.stringify(toPodcastTranscript(all)))).toEqual(all)
    }),
    { numRuns: runs(500) },
  )
})

test('cues without voices are the same after SubRip', () => {
  fc.assert(
    fc.property(cues, (all) => {
      const silent = all.map(({ voice: _, ...cue }) => cue)
      expect(readBack('application/x-subrip', toSrt(silent))).toEqual(silent)
    }),
    { numRuns: runs(500) },
  )
})

test('no text becomes markup, a style or another cue', () => {
  const all = hostile.map((text, i): Cue => ({ start: i * 1000, end: i * 1000 + 900, text, voice: text }))
  const vtt = toVtt(all)
  expect(vtt.match(/^\S+ --> \S+$/gm)?.length).toBe(hostile.length)
  expect(vtt.replaceAll('<v ', '')).not.toMatch(/</)
  expect(vtt).not.toMatch(/^(?:NOTE|STYLE|REGION)/m)
  expect(toSrt(all).match(/-->/g)?.length).toBe(hostile.length)
})

test('SubRip and plain text say who speaks where that changes', () => {
  const all = [
    { start: 0, end: 1000, text: 'Hello\nthere', voice: 'Ann' },
    { start: 1000, end: 2000, text: 'again', voice: 'Ann' },
    { start: 2000, end: 3000, text: 'Hi', voice: 'Bob' },
  ]
  expect(toPlainText(all)).toBe('Ann: Hello there again\n\nBob: Hi\n')
  expect(toSrt(all)).toBe(
    '1\n00:00:00,000 --> 00:00:01,000\nAnn: Hello\nthere\n\n2\n00:00:01,000 --> 00:00:02,000\nagain\n\n3\n00:00:02,000 --> 00:00:03,000\nBob: Hi\n',
  )
})

test('a pause of two seconds begins a paragraph, and so does a sentence after a long one', () => {
  const cue = (start: number, text: string): Cue => ({ start, end: start + 1000, text })
  expect(toPlainText([cue(0, 'One'), cue(2999, 'two.'), cue(6000, 'Three')])).toBe('One two.\n\nThree\n')
  const long = 'x'.repeat(700)
  expect(toPlainText([cue(0, long), cue(1000, 'goes on.'), cue(2000, 'New')])).toBe(`${long} goes on.\n\nNew\n`)
  expect(toPlainText([cue(0, '皆さん、\nこんにちは。'), cue(1000, 'Python')])).toBe('皆さん、こんにちは。 Python\n')
})

const pieces = [
  ...[
    'WEBVTT',
    '\n',
    '\r',
    '\n\n',
    '00:01.000 --> 00:02.000',
    '-->',
    '1',
    ' ',
    '<',
    '>',
    '<v ',
    '</v>',
    '&',
    '&#',
    ';',
  ],
  ...[
    '{\\an',
    'a',
    '<00:00:01.000>',
    'NOTE',
    '{"segments":[',
    '{"start":1,"text":"a"}',
    ']}',
    ',',
    '"',
    '\ufeff',
    '\u0000',
  ],
]

test('the readers neither fail nor hang, and what they read is whole', () => {
  const file = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...transcriptTypes), file, fc.boolean(), (type, text, isSigned) => {
      const found = readTranscript(type, Buffer.from(isSigned ? `WEBVTT\n\n${text}` : text))
      if (!found.ok) return expect(found.problems.length).toBeGreaterThan(0)
      for (const [i, { start, end, text: said }] of found.cues.entries()) {
        expect(said).toBe(said.split('\n').map(toLine).filter(Boolean).join('\n'))
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(found.cues[i - 1]?.start ?? 0)
      }
    }),
    { numRuns: runs(3000) },
  )
})

const cueOf = (text: string) => `00:01.000 --> 00:02.000\n${text}\n\n`
test.each([
  ...pieces.map((piece) => [piece, (count: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${piece.repeat(count)}`]),
  ['cues', (count: number) => `WEBVTT\n\n${cueOf('a').repeat(count / 10)}`],
  ['cues of 400 lines', (count: number) => `WEBVTT\n\n${cueOf('a\nb\n'.repeat(200)).repeat(count / 400)}`],
  ['open tags', (count: number) => `WEBVTT\n\n${cueOf('<v a')}${'<v '.repeat(count)}`],
] as [string, (count: number) => string][])(
  'four times as much of %p takes no more than about four times as long',
  (_, toText) => {
    const measure = (count: number) => {
      const bytes = Buffer.from(toText(count))
      return Math.min(
        ...[0, 1, 2].map(() => {
          const before = process.cpuUsage()
          for (const type of transcriptTypes) readTranscript(type, bytes)
          return process.cpuUsage(before).user
        }),
      )
    }
    measure(10_000)
    const [small, large] = [measure(20_000), measure(80_000)]
    // Quadratic time would be 16 times as long. What takes less than 10 ms says nothing.
    expect(large / Math.max(small, 10_000)).toBeLessThan(10)
  },
)
