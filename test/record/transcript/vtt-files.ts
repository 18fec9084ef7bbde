import { type CaptionFile, hello, world } from './caption-file.ts'

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
]
