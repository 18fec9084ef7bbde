import { describe, expect, test } from 'bun:test'
import {
  type ReadTranscript,
  readTranscript,
  type TranscriptType,
} from '../../../src/record/transcript/read-transcript.ts'
import { brokenVttFiles } from './broken-files.ts'
import type { CaptionFile } from './caption-file.ts'
import { jsonFiles, srtFiles } from './srt-json-files.ts'
import { vttFiles } from './vtt-files.ts'
import { vttTexts } from './vtt-texts.ts'

const read = (type: TranscriptType, text: string) => readTranscript(type, Buffer.from(text))

function expectRead(found: ReadTranscript, { cues, problem, forgiven = {} }: CaptionFile): void {
  if (!found.ok) {
    expect(found.problems).toEqual([problem ?? 'none'])
    return
  }
  expect(found.cues.map(({ start, end, text, voice }) => [start, end, text, voice ?? ''])).toEqual(
    (cues ?? []).map(([start, end, text, voice]) => [start, end, text, voice ?? '']),
  )
  expect(Object.fromEntries(Object.entries(found.forgiven).filter(([, count]) => count > 0))).toEqual(forgiven)
}

describe('A WebVTT file with', () => {
  for (const file of [...vttFiles, ...vttTexts, ...brokenVttFiles])
    test(file.name, () => expectRead(read('text/vtt', file.text), file))
})

describe('A SubRip file with', () => {
  for (const file of srtFiles) test(file.name, () => expectRead(read('application/x-subrip', file.text), file))
})

describe('A JSON file with', () => {
  for (const file of jsonFiles) {
    test(file.name, () => {
      const found = read('application/json', file.text)
      expectRead(found, file)
      if (found.ok) expect([found.format, found.origin]).toEqual([file.format as never, file.origin as never])
    })
  }
})

test.each(['text/vtt', 'application/x-subrip'] as const)(
  'a file of %s with more than a million lines is refused',
  (type) => {
    const start = type === 'text/vtt' ? 'WEBVTT\n\n' : ''
    const cue = '00:00:01.000 --> 00:00:02.000\nHello'
    for (const end of ['\n', '\r', '\r\n']) {
      expect(read(type, start + end.repeat(900_000) + cue).ok).toBe(true)
      expect(read(type, start + cue + end.repeat(1_000_000))).toEqual({
        ok: false,
        problems: ['There may be at most 1,000,000 lines.'],
      })
    }
  },
)

test('what is not UTF-8 is refused', () => {
  for (const type of ['text/vtt', 'application/x-subrip'] as const)
    expect(readTranscript(type, Buffer.from([0x57, 0xff]))).toEqual({ ok: false, problems: ['Must be UTF-8.'] })
  expect(readTranscript('application/json', Buffer.from([0xff]))).toEqual({ ok: false, problems: ['Invalid UTF-8.'] })
})

test('at most twenty problems are named', () => {
  const cues = Array.from({ length: 30 }, () => '25:00:00.000 --> 25:00:01.000\nHello').join('\n\n')
  const found = read('text/vtt', `WEBVTT\n\n${cues}`)
  expect(found.ok ? [] : found.problems.length).toBe(20)
})
