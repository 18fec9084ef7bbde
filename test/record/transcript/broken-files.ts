import { maxCueLength, maxCues } from '../../../src/record/transcript/transcript.ts'
import { type CaptionFile, repeat } from './caption-file.ts'

const vttTimes = 'Must have two times, "00:12:04.000 --> 00:15:00.000".'

export const brokenVttFiles: readonly CaptionFile[] = [
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
  {
    name: 'cues without a text, far more than 50,000',
    text: `WEBVTT\n\n${repeat(4 * maxCues + 1, () => '0:00-->0:01').join('\n\n')}`,
    problem: 'Line 400003, cue 200001: There may be at most 50,000 cues.',
  },
  {
    name: 'tags that are longer than any text',
    text: `WEBVTT\n\n00:01.000 --> 00:02.500\nHello${'<i></i>'.repeat(6_000)}`,
    problem: 'Line 3, cue 1: Its text may have at most 2,000 characters.',
  },
]
