import { type CaptionFile, hello, repeat } from './caption-file.ts'

export const vttTexts: readonly CaptionFile[] = [
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
]
