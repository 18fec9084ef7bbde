import { maxCueLength, maxCues } from '../../../src/record/transcript/transcript.ts'

/** `[start, end, text, voice?]`, in milliseconds. */
export type ExpectedCue = readonly [number, number, string, string?]

/** A file of captions, and its cues or the problem with it. */
export interface CaptionFile {
  readonly name: string
  readonly text: string
  readonly cues?: readonly ExpectedCue[]
  readonly problem?: string
  /** What is counted as forgiven, where it is anything. */
  readonly forgiven?: { readonly [name: string]: number }
}

const vttTimes = 'Must have two times, "00:12:04.000 --> 00:15:00.000".'
const srtTimes = 'Must have two times, "00:12:04,000 --> 00:15:00,000".'

const hello: ExpectedCue = [1000, 2500, 'Hello']
const world: ExpectedCue = [2500, 4000, 'World']
const repeat = (count: number, toText: (i: number) => string) => Array.from({ length: count }, (_, i) => toText(i))

export const vttFiles: readonly CaptionFile[] = [
  {
    name: 'two plain cues',
    text: 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\n\n00:00:02.500 --> 00:00:04.000\nWorld\n',
    cues: [hello, world],
  },
  { name: 'a byte order mark', text: '\ufeffWEBVTT\n\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  {
    name: 'CRLF',
    text: 'WEBVTT\r\n\r\n00:01.000 --> 00:02.500\r\nHello\r\n\r\n00:02.500 --> 00:04.000\r\nWorld\r\n',
    cues: [hello, world],
  },
  {
    name: 'CR alone',
    text: 'WEBVTT\r\r00:01.000 --> 00:02.500\rHello\r\r00:02.500 --> 00:04.000\rWorld\r',
    cues: [hello, world],
  },
  {
    name: 'mixed line ends',
    text: 'WEBVTT\r\n\n00:01.000 --> 00:02.500\rHello\n\r\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
  },
  { name: 'text after WEBVTT', text: 'WEBVTT - My talk\n\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  { name: 'a tab after WEBVTT', text: 'WEBVTT\tx\n\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  {
    name: 'header lines of YouTube',
    text: 'WEBVTT\nKind: captions\nLanguage: en\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello],
  },
  {
    name: 'styles in the header, as old downloads have them',
    text: 'WEBVTT\nKind: captions\nStyle:\n::cue(c.colorCCCCCC) { color: rgb(204,204,204);\n }\n##\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello],
  },
  {
    name: 'the timestamp map of a stream',
    text: 'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello],
  },
  {
    name: 'a header that a blank line cuts in two',
    text: 'WEBVTT\n\nKind: captions\nLanguage: en\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello],
    forgiven: { blocks: 1 },
  },
  { name: 'no blank line after WEBVTT', text: 'WEBVTT\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  {
    name: 'comments',
    text: 'WEBVTT\n\nNOTE made by hand\n\nNOTE\nseveral\nlines\n\n00:01.000 --> 00:02.500\nHello\n\nNOTE end',
    cues: [hello],
    forgiven: { blocks: 3 },
  },
  {
    name: 'a cue that is commented out',
    text: 'WEBVTT\n\nNOTE\n00:00.000 --> 00:01.000\nGone\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello],
    forgiven: { blocks: 1 },
  },
  {
    name: 'a style and a region, which are never served',
    text: 'WEBVTT\n\nSTYLE\n::cue { background: url(https://example.org/x) }\n\nREGION\nid:fred\n\n00:01.000 --> 00:02.500 region:fred\nHello',
    cues: [hello],
    forgiven: { blocks: 2 },
  },
  { name: 'a word that only begins with NOTE', text: 'WEBVTT\n\nNOTES\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  { name: 'cue ids', text: 'WEBVTT\n\nintro\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  {
    name: 'numbers as cue ids',
    text: 'WEBVTT\n\n1\n00:01.000 --> 00:02.500\nHello\n\n2\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'no blank line between cues',
    text: 'WEBVTT\n\n1\n00:01.000 --> 00:02.500\nHello\n2\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'spaces in the lines between cues',
    text: 'WEBVTT\n \n1\n00:01.000 --> 00:02.500\nHello\n  \n2\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'many blank lines',
    text: 'WEBVTT\n\n\n\n00:01.000 --> 00:02.500\nHello\n\n\n\n00:02.500 --> 00:04.000\nWorld\n\n\n',
    cues: [hello, world],
  },
  {
    name: 'settings after the times',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500 align:start position:0%\nHello',
    cues: [hello],
  },
  { name: 'times without spaces', text: 'WEBVTT\n\n00:01.000-->00:02.500\nHello', cues: [hello] },
  { name: 'times with tabs', text: 'WEBVTT\n\n 00:01.000\t-->\t00:02.500\nHello', cues: [hello] },
  { name: 'a comma in times', text: 'WEBVTT\n\n00:00:01,000 --> 00:00:02,500\nHello', cues: [hello] },
  { name: 'hours of one digit', text: 'WEBVTT\n\n0:00:01.000 --> 0:00:02.500\nHello', cues: [hello] },
  { name: 'one decimal, or none', text: 'WEBVTT\n\n00:01 --> 00:02.5\nHello', cues: [hello] },
  {
    name: 'more than 59 minutes',
    text: 'WEBVTT\n\n75:00.000 --> 75:01.000\nHello',
    cues: [[4_500_000, 4_501_000, 'Hello']],
  },
  {
    name: 'the last second of 24 hours',
    text: 'WEBVTT\n\n23:59:59.000 --> 24:00:00.000\nHello',
    cues: [[86_399_000, 86_400_000, 'Hello']],
  },
  {
    name: 'cues out of order',
    text: 'WEBVTT\n\n00:02.500 --> 00:04.000\nWorld\n\n00:01.000 --> 00:02.500\nHello',
    cues: [hello, world],
    forgiven: { unsorted: 1 },
  },
  {
    name: 'cues with the same start, which stay in their order',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n\n00:01.000 --> 00:03.000\nAgain',
    cues: [hello, [1000, 3000, 'Again']],
  },
  {
    name: 'an end before its start',
    text: 'WEBVTT\n\n00:01.000 --> 00:00.500\nHello\n\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
    forgiven: { ends: 1 },
  },
  {
    name: 'an end at its start',
    text: 'WEBVTT\n\n00:01.000 --> 00:01.000\nHello\n\n00:02.500 --> 00:04.000\nWorld',
    cues: [hello, world],
    forgiven: { ends: 1 },
  },
  {
    name: 'ends before their starts where the next one starts with them',
    text: 'WEBVTT\n\n00:01.000 --> 00:00.000\nA\n\n00:01.000 --> 00:00.000\nB\n\n00:02.500 --> 00:04.000\nWorld',
    cues: [[1000, 2500, 'A'], [1000, 2500, 'B'], world],
    forgiven: { ends: 2 },
  },
  {
    name: 'a last end before its start',
    text: 'WEBVTT\n\n00:01.000 --> 00:00.000\nHello',
    cues: [[1000, 2000, 'Hello']],
    forgiven: { ends: 1 },
  },
  {
    name: 'cues that overlap',
    text: 'WEBVTT\n\n00:01.000 --> 00:03.000\nA\n\n00:02.000 --> 00:04.000\nB',
    cues: [
      [1000, 3000, 'A'],
      [2000, 4000, 'B'],
    ],
  },
  {
    name: 'several lines',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\nthere',
    cues: [[1000, 2500, 'Hello\nthere']],
  },
  {
    name: 'runs of spaces, and tabs',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n  Hello \t  there  ',
    cues: [[1000, 2500, 'Hello there']],
  },
  {
    name: 'control characters',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHel\u0000lo\u001b[31m\u009b',
    cues: [[1000, 2500, 'Hel lo [31m']],
  },
  {
    name: 'an arrow in a text',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\na --> b -> c',
    cues: [[1000, 2500, 'a --> b -> c']],
  },
  {
    name: 'a voice',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann>Hello</v>',
    cues: [[1000, 2500, 'Hello', 'Ann']],
    forgiven: { markup: 1 },
  },
  {
    name: 'a voice that is not closed, with a class',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v.loud.first Ann Lee>Hello',
    cues: [[1000, 2500, 'Hello', 'Ann Lee']],
    forgiven: { markup: 1 },
  },
  {
    name: 'two voices in a cue',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann>Hello</v>\n<v Bob>Hi</v>',
    cues: [
      [1000, 2500, 'Hello', 'Ann'],
      [1000, 2500, 'Hi', 'Bob'],
    ],
    forgiven: { markup: 1 },
  },
  {
    name: 'the same voice twice in a cue',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann>Hello <v Ann>there',
    cues: [[1000, 2500, 'Hello there', 'Ann']],
    forgiven: { markup: 1 },
  },
  {
    name: 'text before a voice',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n[door] <v Ann>Hello',
    cues: [
      [1000, 2500, '[door]'],
      [1000, 2500, 'Hello', 'Ann'],
    ],
    forgiven: { markup: 1 },
  },
  {
    name: 'all the tags of WebVTT',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<c.yellow><b>He</b><i>ll</i><u>o</u></c> <ruby>漢<rt>kan</rt></ruby> <lang fr>oui</lang>',
    cues: [[1000, 2500, 'Hello 漢kan oui']],
    forgiven: { markup: 1 },
  },
  {
    name: 'times inside of a text',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nwe<00:00:01.200><c> are</c><00:00:01.500><c> here</c>',
    cues: [[1000, 2500, 'we are here']],
    forgiven: { markup: 1 },
  },
  {
    name: 'a tag across two lines',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHel<font\ncolor="red">lo</font>',
    cues: [[1000, 2500, 'Hello']],
    forgiven: { markup: 1 },
  },
  {
    name: 'a smaller-than sign that begins no tag',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nI <3 a < b and x<y',
    cues: [[1000, 2500, 'I <3 a < b and x<y']],
    forgiven: { markup: 1 },
  },
  {
    name: 'entities',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nR&amp;D &lt;b&gt; &quot;x&quot;&nbsp;&#39;y&#x27; &lrm;a&rlm; &unknown; AT&T',
    cues: [[1000, 2500, `R&D <b> "x" 'y' \u200ea\u200f &unknown; AT&T`]],
    forgiven: { markup: 1 },
  },
  {
    name: 'entities of characters that do not exist',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\na&#0;b&#xD800;c&#9999999;',
    cues: [[1000, 2500, 'a b\ufffdc&#9999999;']],
    forgiven: { markup: 1 },
  },
  {
    name: 'an escaped script',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n&lt;script&gt;alert(1)&lt;/script&gt;',
    cues: [[1000, 2500, '<script>alert(1)</script>']],
    forgiven: { markup: 1 },
  },
  {
    name: 'a script',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n<script>alert(1)</script>',
    cues: [[1000, 2500, 'alert(1)']],
    forgiven: { markup: 1 },
  },
  { name: 'sounds', text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n[Music] ♪', cues: [[1000, 2500, '[Music] ♪']] },
  { name: 'Arabic', text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nمرحبا بالعالم', cues: [[1000, 2500, 'مرحبا بالعالم']] },
  {
    name: 'Japanese',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n皆さん、\nこんにちは。',
    cues: [[1000, 2500, '皆さん、\nこんにちは。']],
  },
  {
    name: 'cues without a text',
    text: 'WEBVTT\n\n00:00.000 --> 00:01.000\n\n00:01.000 --> 00:02.500\nHello\n\n00:02.500 --> 00:03.000\n<c> </c>\n',
    cues: [hello],
    forgiven: { empty: 1, markup: 1 },
  },
  {
    name: 'rolling captions of YouTube',
    text: [
      'WEBVTT\nKind: captions\nLanguage: en\n',
      '00:00:00.160 --> 00:00:02.470 align:start position:0%\n \nwe<00:00:00.440><c> meet</c>\n',
      '00:00:02.470 --> 00:00:02.480 align:start position:0%\nwe meet\n \n',
      '00:00:02.480 --> 00:00:05.000 align:start position:0%\nwe meet\nonce<00:00:03.000><c> more</c>\n',
      '00:00:05.000 --> 00:00:05.010 align:start position:0%\nonce more\n \n',
      '00:00:05.010 --> 00:00:07.000 align:start position:0%\nonce more\nin<00:00:06.000><c> May</c>\n',
    ].join('\n'),
    cues: [
      [160, 2470, 'we meet'],
      [2480, 5000, 'once more'],
      [5010, 7000, 'in May'],
    ],
    forgiven: { markup: 3, rolling: 4 },
  },
  {
    name: 'rolling captions of three lines',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.000\na\nb\nc\n\n00:02.000 --> 00:03.000\nb\nc\nd\n\n00:03.000 --> 00:04.000\nc\nd\ne',
    cues: [
      [1000, 2000, 'a\nb\nc'],
      [2000, 3000, 'd'],
      [3000, 4000, 'e'],
    ],
    forgiven: { rolling: 2 },
  },
  {
    name: 'a line that stays alone',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.000\na\nb\n\n00:02.000 --> 00:03.000\nb\n\n00:03.000 --> 00:04.000\nb\nc',
    cues: [
      [1000, 2000, 'a\nb'],
      [3000, 4000, 'c'],
    ],
    forgiven: { rolling: 2 },
  },
  {
    name: 'a machine that repeats itself, which is kept',
    text: `WEBVTT\n\n${repeat(25, (i) => `00:${10 + i}.000 --> 00:${11 + i}.000\nThank you.`).join('\n\n')}`,
    cues: repeat(25, String).map((i) => [10_000 + Number(i) * 1000, 11_000 + Number(i) * 1000, 'Thank you.']),
  },
  { name: 'an empty file', text: '', problem: 'Line 1: Must be WEBVTT.' },
  {
    name: 'a signature in small letters',
    text: 'webvtt\n\n00:01.000 --> 00:02.500\nHello',
    problem: 'Line 1: Must be WEBVTT.',
  },
  {
    name: 'a signature with more letters',
    text: 'WEBVTTX\n\n00:01.000 --> 00:02.500\nHello',
    problem: 'Line 1: Must be WEBVTT.',
  },
  { name: 'a SubRip file', text: '1\n00:00:01,000 --> 00:00:02,500\nHello', problem: 'Line 1: Must be WEBVTT.' },
  { name: 'nothing but a signature', text: 'WEBVTT\n', problem: 'There is no cue with a text.' },
  { name: 'a page of the web', text: '<!DOCTYPE html>\n<title>Not found</title>', problem: 'Line 1: Must be WEBVTT.' },
  { name: 'text without times alone', text: 'WEBVTT\n\nHello\n', problem: 'There is no cue with a text.' },
  {
    name: 'cues without any text',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\n\n',
    problem: 'There is no cue with a text.',
  },
  {
    name: 'a broken first time',
    text: 'WEBVTT\n\n00:xx.000 --> 00:02.500\nHello',
    problem: `Line 3, cue 1: ${vttTimes}`,
  },
  {
    name: 'a broken second time',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n\n00:02.500 --> soon\nWorld',
    problem: `Line 6, cue 2: ${vttTimes}`,
  },
  { name: 'a missing time', text: 'WEBVTT\n\n00:01.000 -->\nHello', problem: `Line 3, cue 1: ${vttTimes}` },
  { name: 'a wrong arrow', text: 'WEBVTT\n\n00:01.000 -> 00:02.500\nHello', problem: `Line 3, cue 1: ${vttTimes}` },
  {
    name: 'more than 59 seconds',
    text: 'WEBVTT\n\n00:01.000 --> 00:61.000\nHello',
    problem: `Line 3, cue 1: ${vttTimes}`,
  },
  {
    name: 'frames instead of milliseconds',
    text: 'WEBVTT\n\n00:00:01:12 --> 00:00:02:00\nHello',
    problem: `Line 3, cue 1: ${vttTimes}`,
  },
  { name: 'negative times', text: 'WEBVTT\n\n-00:01.000 --> 00:02.500\nHello', problem: `Line 3, cue 1: ${vttTimes}` },
  {
    name: 'text after a blank line',
    text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n\nthere\n\n00:02.500 --> 00:04.000\nWorld',
    problem: `Line 6, cue 2: ${vttTimes}`,
  },
  {
    name: 'a cue after 24 hours',
    text: 'WEBVTT\n\nx\n24:00:00.000 --> 24:00:01.000\nHello',
    problem: 'Line 4, cue 1: It is after the first 24 hours.',
  },
  {
    name: 'an end after 24 hours',
    text: 'WEBVTT\n\n00:01.000 --> 99999:00:00.000\nHello',
    problem: 'Line 3, cue 1: It is after the first 24 hours.',
  },
  {
    name: 'a text of 2,001 characters',
    text: `WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n\n00:02.500 --> 00:04.000\n${'😀'.repeat(maxCueLength + 1)}`,
    problem: 'Line 6, cue 2: Its text may have at most 2,000 characters.',
  },
  {
    name: 'a text of 2,000 characters',
    text: `WEBVTT\n\n00:01.000 --> 00:02.500\n${'😀'.repeat(maxCueLength)}`,
    cues: [[1000, 2500, '😀'.repeat(maxCueLength)]],
  },
  {
    name: 'a voice of 256 characters',
    text: `WEBVTT\n\n00:01.000 --> 00:02.500\n<v ${'a'.repeat(256)}>Hello`,
    problem: 'Line 3, cue 1: The name of who speaks may have at most 255 characters.',
  },
  {
    name: '50,001 cues',
    text: `WEBVTT\n\n${repeat(maxCues + 1, (i) => `00:01.000 --> 00:02.500\n${i}`).join('\n\n')}`,
    problem: 'Line 150003, cue 50001: There may be at most 50,000 cues.',
  },
]

export const srtFiles: readonly CaptionFile[] = [
  {
    name: 'two plain cues',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:02,500 --> 00:00:04,000\nWorld\n',
    cues: [hello, world],
  },
  { name: 'a byte order mark and CRLF', text: '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n', cues: [hello] },
  { name: 'blank lines in front', text: '\n\n1\n00:00:01,000 --> 00:00:02,500\nHello', cues: [hello] },
  { name: 'a dot in times, without hours', text: '1\n00:01.000 --> 00:02.500\nHello', cues: [hello] },
  {
    name: 'no numbers',
    text: '00:00:01,000 --> 00:00:02,500\nHello\n\n00:00:02,500 --> 00:00:04,000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'no blank lines',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n2\n00:00:02,500 --> 00:00:04,000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'coordinates after the times',
    text: '1\n00:00:01,000 --> 00:00:02,500 X1:40 X2:600 Y1:20 Y2:50\nHello',
    cues: [hello],
  },
  {
    name: 'numbers that are wrong',
    text: '7\n00:00:01,000 --> 00:00:02,500\nHello\n\n7\n00:00:02,500 --> 00:00:04,000\nWorld',
    cues: [hello, world],
  },
  {
    name: 'a blank line in a text',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n\nthere\n\n2\n00:00:02,500 --> 00:00:04,000\nWorld',
    cues: [[1000, 2500, 'Hello\nthere'], world],
  },
  {
    name: 'a text that is a number',
    text: '1\n00:00:01,000 --> 00:00:02,500\n1984\n\n2\n00:00:02,500 --> 00:00:04,000\n42\n',
    cues: [
      [1000, 2500, '1984'],
      [2500, 4000, '42'],
    ],
  },
  {
    name: 'tags and positions',
    text: '1\n00:00:01,000 --> 00:00:02,500\n{\\an8}<i>Hello</i> <font color="#fff">there</font>',
    cues: [[1000, 2500, 'Hello there']],
    forgiven: { markup: 1 },
  },
  {
    name: 'cues out of order',
    text: '2\n00:00:02,500 --> 00:00:04,000\nWorld\n\n1\n00:00:01,000 --> 00:00:02,500\nHello',
    cues: [hello, world],
    forgiven: { unsorted: 1 },
  },
  {
    name: 'rolling captions',
    text: '1\n00:00:00,160 --> 00:00:02,470\n \nwe meet\n\n2\n00:00:02,470 --> 00:00:02,480\nwe meet\n \n\n3\n00:00:02,480 --> 00:00:05,000\nwe meet\nonce more\n',
    cues: [
      [160, 2470, 'we meet'],
      [2480, 5000, 'once more'],
    ],
    forgiven: { rolling: 2 },
  },
  { name: 'an empty file', text: '', problem: 'There is no cue with a text.' },
  { name: 'a WebVTT file', text: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello', problem: `Line 1, cue 1: ${srtTimes}` },
  { name: 'text alone', text: 'Hello\n', problem: `Line 1, cue 1: ${srtTimes}` },
  {
    name: 'a wrong arrow',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:02,500 -> 00:00:04,000\nWorld',
    problem: `Line 6, cue 2: ${srtTimes}`,
  },
  {
    name: 'a number without times',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\nWorld',
    problem: `Line 6, cue 2: ${srtTimes}`,
  },
  { name: 'a broken time', text: '1\n00:00:01,000 --> 00:00:0x,500\nHello', problem: `Line 2, cue 1: ${srtTimes}` },
  {
    name: 'a cue after 24 hours',
    text: '1\n25:00:00,000 --> 25:00:01,000\nHello',
    problem: 'Line 2, cue 1: It is after the first 24 hours.',
  },
]

const json = (value: unknown) => JSON.stringify(value)
const unknownForm =
  'Must have the "segments" of Whisper or Podcasting 2.0, the "transcription" of whisper.cpp, or the "events" of YouTube.'

/** With the format by which each is read, and the origin that it has if nobody says otherwise. */
export const jsonFiles: readonly (CaptionFile & { readonly format?: string; readonly origin?: string })[] = [
  {
    name: 'Whisper',
    text: json({
      text: ' Hello World',
      language: 'en',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 1.0,
          end: 2.5,
          text: ' Hello',
          tokens: [1],
          temperature: 0,
          avg_logprob: -0.2,
          compression_ratio: 1.2,
          no_speech_prob: 0.01,
          words: [{ word: ' Hello', start: 1, end: 2.5, probability: 0.9 }],
        },
        { id: 1, start: 2.5, end: 4, text: ' World' },
      ],
    }),
    cues: [hello, world],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'Whisper with speakers',
    text: json({ segments: [{ start: 1, end: 2.5, text: 'Hello', speaker: 'SPEAKER_00' }] }),
    cues: [[1000, 2500, 'Hello', 'SPEAKER_00']],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'Whisper with a segment of no length',
    text: json({
      segments: [
        { start: 1, end: 1, text: 'Hello' },
        { start: 2.5, end: 4, text: 'World' },
      ],
    }),
    cues: [hello, world],
    forgiven: { ends: 1 },
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'Whisper with decimals beyond milliseconds',
    text: json({ segments: [{ start: 0.9999999, end: 2.5004, text: 'Hello' }] }),
    cues: [hello],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'markup in JSON, which is text',
    text: json({ segments: [{ start: 1, end: 2.5, text: '<b>&amp;</b> <v Ann>' }] }),
    cues: [[1000, 2500, '<b>&amp;</b> <v Ann>']],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'an unpaired surrogate',
    text: '{"segments":[{"start":1,"end":2.5,"text":"a\\ud800b"}]}',
    cues: [[1000, 2500, 'a\ufffdb']],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  {
    name: 'whisper.cpp',
    text: json({
      systeminfo: 'x',
      model: {},
      params: {},
      result: { language: 'en' },
      transcription: [
        {
          timestamps: { from: '00:00:01,000', to: '00:00:02,500' },
          offsets: { from: 1000, to: 2500 },
          text: ' Hello',
          tokens: [{ text: '[_BEG_]', id: 1, p: 0.9 }],
        },
        { timestamps: { from: '00:00:02,500', to: '00:00:04,000' }, offsets: { from: 2500, to: 4000 }, text: ' World' },
      ],
    }),
    cues: [hello, world],
    ...{ format: 'whisper.cpp', origin: 'machine' },
  },
  {
    name: 'whisper.cpp without offsets',
    text: json({ transcription: [{ timestamps: { from: '00:00:01,000', to: '00:00:02,500' }, text: 'Hello' }] }),
    cues: [hello],
    ...{ format: 'whisper.cpp', origin: 'machine' },
  },
  {
    name: 'captions of YouTube that people have written',
    text: json({
      wireMagic: 'pb3',
      pens: [{}],
      events: [
        { tStartMs: 1000, dDurationMs: 1500, segs: [{ utf8: 'Hello' }] },
        { tStartMs: 2500, dDurationMs: 1500, segs: [{ utf8: 'World' }] },
      ],
    }),
    cues: [hello, world],
    ...{ format: 'YouTube json3', origin: 'machine' },
  },
  {
    name: 'captions of YouTube that roll',
    text: json({
      wireMagic: 'pb3',
      events: [
        { tStartMs: 0, dDurationMs: 9000, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
        {
          tStartMs: 1000,
          dDurationMs: 3000,
          wWinId: 1,
          segs: [
            { utf8: 'we', acAsrConf: 0 },
            { utf8: ' meet', tOffsetMs: 240 },
          ],
        },
        { tStartMs: 2490, dDurationMs: 510, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
        { tStartMs: 2500, dDurationMs: 1500, wWinId: 1, segs: [{ utf8: 'World' }] },
      ],
    }),
    cues: [[1000, 2500, 'we meet'], world],
    ...{ format: 'YouTube json3', origin: 'machine' },
  },
  {
    name: 'an event of YouTube without a start and a duration',
    text: json({
      events: [{ segs: [{ utf8: 'Hi' }] }, { tStartMs: 1000, dDurationMs: 1500, segs: [{ utf8: 'Hello' }, {}] }],
    }),
    cues: [[0, 1000, 'Hi'], hello],
    forgiven: { ends: 1 },
    ...{ format: 'YouTube json3', origin: 'machine' },
  },
  {
    name: 'Podcasting 2.0',
    text: json({
      version: '1.0.0',
      segments: [
        { speaker: 'Ann', startTime: 1, endTime: 2.5, body: 'Hello' },
        { startTime: 2.5, endTime: 4, body: 'World' },
      ],
    }),
    cues: [[1000, 2500, 'Hello', 'Ann'], world],
    ...{ format: 'Podcasting 2.0', origin: 'human' },
  },
  {
    name: 'Podcasting 2.0 without an end',
    text: json({
      segments: [
        { startTime: 1, body: 'Hello' },
        { startTime: 2.5, endTime: 4, body: 'World' },
      ],
    }),
    cues: [hello, world],
    forgiven: { ends: 1 },
    ...{ format: 'Podcasting 2.0', origin: 'human' },
  },
  {
    name: 'a byte order mark',
    text: `\ufeff${json({ segments: [{ start: 1, end: 2.5, text: 'Hello' }] })}`,
    cues: [hello],
    ...{ format: 'Whisper', origin: 'machine' },
  },
  { name: 'an object of another kind', text: '{"title":"x"}', problem: unknownForm },
  { name: 'an array', text: '[]', problem: unknownForm },
  { name: 'segments that are no array', text: '{"segments":{}}', problem: unknownForm },
  { name: 'no segments', text: '{"segments":[]}', problem: 'There is no cue with a text.' },
  { name: 'the live chat of YouTube', text: '{"replayChatItemAction":{"actions":[]}}', problem: unknownForm },
  {
    name: 'a segment that is no object',
    text: '{"segments":[{"start":1,"end":2,"text":"a"},7]}',
    problem: 'Cue 2: Must be an object.',
  },
  {
    name: 'a segment without a start',
    text: '{"segments":[{"end":2,"text":"a"}]}',
    problem: 'Cue 1: It has no "start".',
  },
  {
    name: 'a start that is no number',
    text: '{"segments":[{"start":"1","end":2,"text":"a"}]}',
    problem: 'Cue 1: "start" must be a number of seconds from 0.',
  },
  {
    name: 'a negative start',
    text: '{"segments":[{"start":-1,"end":2,"text":"a"}]}',
    problem: 'Cue 1: "start" must be a number of seconds from 0.',
  },
  {
    name: 'a segment without a text',
    text: '{"segments":[{"start":1,"end":2}]}',
    problem: 'Cue 1: "text" must be a string.',
  },
  {
    name: 'a body that is no string',
    text: '{"segments":[{"startTime":1,"endTime":2,"body":7}]}',
    problem: 'Cue 1: "body" must be a string.',
  },
  {
    name: 'whisper.cpp without times',
    text: '{"transcription":[{"text":"a"}]}',
    problem: 'Cue 1: It has no "offsets" with "from" and "to".',
  },
  {
    name: 'an offset of seconds',
    text: '{"transcription":[{"offsets":{"from":"1"},"text":"a"}]}',
    problem: 'Cue 1: "from" must be a number of milliseconds from 0.',
  },
  { name: 'segs that are no array', text: '{"events":[{"segs":"a"}]}', problem: 'Cue 1: "segs" must be an array.' },
  {
    name: 'a segment after 24 hours',
    text: '{"segments":[{"start":86400,"end":86401,"text":"a"}]}',
    problem: 'Cue 1: It is after the first 24 hours.',
  },
  {
    name: 'not JSON',
    text: '{"segments":[\n{"start":1,}]}',
    problem: 'Expected a name in double quotes, at line 2, column 12.',
  },
  { name: 'a NaN of Python', text: '{"segments":[{"start":NaN}]}', problem: 'Invalid value, at line 1, column 23.' },
]
