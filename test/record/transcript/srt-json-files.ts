import { type CaptionFile, hello, world } from './caption-file.ts'

const srtTimes = 'Must have two times, "00:12:04,000 --> 00:15:00,000".'

export const srtFiles: readonly CaptionFile[] = [
  {
    name: 'two plain cues',
    text: '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:02,500 --> 00:00:04,000\nWorld\n',
    cues: [hello, world],
  },
  { name: 'a byte order mark and CRLF', text: '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n', cues: [hello] },
  {
    name: 'angle brackets that are no tags',
    text: '1\n00:00:01,000 --> 00:00:02,500\nA <i>vector<int></i> of <T>',
    cues: [[1000, 2500, 'A vector<int> of <T>']],
    forgiven: { markup: 1 },
  },
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
