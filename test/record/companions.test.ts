import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseChapterVtt, toChapterVtt } from '../../src/record/companion/chapters.ts'
import { anyRecord } from '../../src/record/companion/companion.ts'
import { companionKinds, companionNames, type SingleName } from '../../src/record/companion/kinds.ts'
import { guessLinkKind, linkKinds } from '../../src/record/companion/related.ts'
import type { JsonObject } from '../../src/record/json.ts'
import { parseClock, toClock } from '../../src/record/text/clock.ts'

test.each([
  ['https://www.slideshare.net/a/b', '', 'slides'],
  ['https://speakerdeck.com/a/b', '', 'slides'],
  ['https://docs.google.com/presentation/d/1', '', 'slides'],
  ['https://example.org/talk.pptx', '', 'slides'],
  ['https://github.com/a/slides', '', 'slides'],
  ['https://github.com/a/b', '', 'code'],
  ['https://github.com/a/b', 'Talk slides', 'slides'],
  ['https://example.org/', 'Pythran on Github', 'code'],
  ['https://example.org/', 'Jupyter notebook', 'code'],
  ['https://example.org/', 'Conference schedule', 'schedule'],
  ['http://us.pycon.org/2011/schedule/sessions/198/', '', 'schedule'],
  ['https://arxiv.org/abs/1', '', 'paper'],
  ['https://youtu.be/abc', '', 'video'],
  ['https://example.org/', 'Notes', 'notes'],
  ['https://www.reddit.com/r/x', '', 'discussion'],
  ['https://example.org/?next=/slides', '', 'other'],
  ['https://example.org/landslides-of-1905', '', 'other'],
  ['https://example.org/', 'Landslides', 'other'],
])('%s "%s" is a link of the kind %s', (url, label, kind) => {
  expect(guessLinkKind(url, label)).toBe(kind as 'other')
})

test.each([
  ['0:00', 0],
  ['12:04', 724],
  ['75:00', 4500],
  ['1:02:03.5', 3723.5],
  ['00:00:01,25', 1.25],
  ['12', null],
  ['1:2', null],
  ['1:60', null],
  ['1:60:00', null],
  ['x1:00', null],
])('the time %s is %p seconds', (text, seconds) => {
  expect(parseClock(text)).toBe(seconds)
})

describe.each([
  ['12:04 Title', { start: 724, title: 'Title' }],
  ['[12:04] – Title – Ann', { start: 724, title: 'Title – Ann' }],
  ['(1:02:03): Title', { start: 3723, title: 'Title' }],
  ['12:04 — Title', { start: 724, title: 'Title' }],
  ['0:10-4:00 Title [#12]', { start: 10, title: 'Title', end: 240, video: 12 }],
  ['0:10 – 4:00 Lightning talks #2', { start: 10, title: 'Lightning talks #2', end: 240 }],
])('The line %s', (line, chapter) => {
  test('is a chapter', () => {
    expect(companionKinds.chapters.parseLines(line)).toEqual({ ok: true, content: { chapters: [chapter] } })
  })
})

test('lines of WebVTT that are not cues are passed over, and marks are removed', () => {
  const text =
    'WEBVTT chapters\r\n\r\nNOTE\nx\n\n1\n00:00.000 --> 00:05.000 align:start\n<v Ann>One &amp;\ntwo</v>\n\n00:05.000 --> 00:09.000\nThree'
  expect(parseChapterVtt(text, 9)).toEqual({
    ok: true,
    content: {
      chapters: [
        { start: 0, title: 'One & two' },
        { start: 5, title: 'Three' },
      ],
    },
  })
  for (const bad of ['', 'WEBVTTx', '0:00 x', 'WEBVTT\n\n0:00 --> x\nOne'])
    expect(parseChapterVtt(bad, null).ok).toBe(false)
})

test('the end of a last chapter is kept in WebVTT unless it is that of the recording', () => {
  const chapters = [
    { start: 0, title: 'One', end: 4 },
    { start: 5, title: 'Two', end: 60 },
  ]
  for (const duration of [null, 90]) {
    expect(parseChapterVtt(toChapterVtt({ chapters }, duration), duration)).toEqual({ ok: true, content: { chapters } })
  }
})

/** What lines of text have beside words. */
const marks = ['–', '-', ':', '-->', '4:00', '#2', '[#2]', '[#0]', '[slides]', '[file]', '(German)', '()', 'http://a.b']
const line = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(fc.constantFrom(...marks, 'x'), { maxLength: 4 }).map((words) => words.join(' ')),
  )
  .map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .filter((text) => text.isWellFormed())
const url = fc
  .integer({ min: 0, max: 10_000 })
  .map((n) => `https://example.org/${n}${n % 3 === 0 ? '.mp4' : '/slides'}`)
const seconds = fc.integer({ min: 0, max: 9_999_999 }).map((ms) => ms / 1000)

const bodies: { readonly [Name in SingleName]: fc.Arbitrary<JsonObject> } = {
  related: fc
    .array(fc.record({ url, label: line, kind: fc.constantFrom(...linkKinds) }), { maxLength: 5 })
    .map((links) => ({ links })),
  recordings: fc
    .array(fc.record({ url, note: line, language: fc.constantFrom('', 'German', 'fr') }), { maxLength: 5 })
    .map((recordings) => ({ recordings })),
  chapters: fc
    .uniqueArray(
      fc.record({
        start: seconds,
        title: line.map((text) => text || 'x'),
        video: fc.constantFrom(null, 2),
        length: fc.constantFrom(null, 0.5),
      }),
      { maxLength: 5, selector: ({ start }) => start },
    )
    .map((all) => ({
      chapters: all
        .toSorted((one, other) => one.start - other.start)
        .map(({ length, ...each }) => ({ ...each, ...(length === null ? {} : { end: each.start * 2 + length }) })),
    })),
}

function parse(name: SingleName, body: JsonObject): JsonObject {
  const parsed = companionKinds[name].parse(body, anyRecord)
  if (!parsed.ok) throw new Error(JSON.stringify([...parsed.errors]))
  return parsed.content
}

describe.each(companionNames.map((name) => [name]))('Any %s', (name) => {
  const kind = companionKinds[name]

  test('are the same once they are parsed again', () => {
    fc.assert(fc.property(bodies[name], (body) => expect(parse(name, parse(name, body))).toEqual(parse(name, body))))
  })

  test('are the same after they were edited as lines of text', () => {
    fc.assert(
      fc.property(bodies[name], (body) => {
        const content = parse(name, body)
        const lines = kind.parseLines(kind.toLines(content))
        expect(lines.ok && parse(name, lines.content)).toEqual(content)
      }),
      { numRuns: 1_000 },
    )
  })

  test('are the same after an export and an import', () => {
    fc.assert(
      fc.property(bodies[name], (body) => {
        const content = parse(name, body)
        const values = kind.toSource(content, null, {})
        expect(kind.fromSource({ values, basis: { said: {} } })).toEqual(content)
      }),
    )
  })
})

test('the shown end of a last chapter is none of its own, wherever it starts', () => {
  const content = { chapters: [{ start: 0.118, title: 'Hello' }] }
  expect(parseChapterVtt(toChapterVtt(content, null), null)).toEqual({ ok: true, content })
})

test('chapters are the same after WebVTT, and times after a clock', () => {
  fc.assert(
    fc.property(bodies.chapters, (body) => {
      const { chapters } = parse('chapters', body) as { chapters: { start: number; title: string }[] }
      const content = { chapters: chapters.map(({ start, title }) => ({ start, title })) }
      const plain = content.chapters.every(({ title }) => !/[<>&\u200e\u200f\u00a0]/.test(title))
      const parsed = parseChapterVtt(toChapterVtt(content as never, null), null)
      if (plain) expect(parsed).toEqual({ ok: true, content })
    }),
  )
  fc.assert(fc.property(seconds, (each) => expect(parseClock(toClock(each))).toBeCloseTo(each, 6)))
})
