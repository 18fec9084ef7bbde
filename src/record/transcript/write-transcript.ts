import type { JsonObject } from '../json.ts'
import { toVtt } from './captions.ts'
import { type Cue, type Origin, origins, type Transcript } from './transcript.ts'
import { findBadTool } from './transcript-kind.ts'

/** Between paragraphs: a pause, another voice, or the end of a sentence in one that is long enough. */
const pauseMs = 2000
const longParagraph = 600
/** The longest paragraph without any of these. */
const maxParagraph = 2000

/** Groups cues into paragraphs. */
export function listParagraphs(cues: readonly Cue[]): readonly (readonly Cue[])[] {
  const paragraphs: Cue[][] = []
  let length = 0
  let before: Cue | null = null
  for (const cue of cues) {
    const isNew = before === null || before.voice !== cue.voice || isBreak(before, cue, length)
    if (isNew) paragraphs.push([])
    paragraphs.at(-1)?.push(cue)
    length = (isNew ? 0 : length) + cue.text.length
    before = cue
  }
  return paragraphs
}

const isBreak = (before: Cue, cue: Cue, length: number) =>
  cue.start - before.end >= pauseMs ||
  length >= maxParagraph ||
  (length >= longParagraph && /[.!?…。！？]["”»」』)]?$/u.test(before.text))

/** Chinese and Japanese have no spaces between words, so none between lines either. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。！？]/u

/** Joins lines to one. */
export function joinLines(lines: readonly string[]): string {
  let joined = ''
  for (const line of lines) {
    const isTight = spaceless.test(joined.slice(-1)) && spaceless.test(line.slice(0, 1))
    joined += joined === '' || isTight ? line : ` ${line}`
  }
  return joined
}

/** Plain text: a paragraph is a line, with a blank one between two. */
export function toPlainText(cues: readonly Cue[]): string {
  let speaker: string | undefined
  const paragraphs = listParagraphs(cues).map((paragraph) => {
    const voice = paragraph[0]?.voice
    const name = voice === speaker || voice === undefined ? '' : `${voice}: `
    speaker = voice
    return `${name}${joinLines(paragraph.flatMap(({ text }) => text.split('\n')))}\n`
  })
  return paragraphs.join('\n')
}

/** As Podcasting 2.0 has it. */
export const toPodcastTranscript = (cues: readonly Cue[]): JsonObject => ({
  version: '1.0.0',
  segments: cues.map(({ start, end, text, voice }) => ({
    ...(voice === undefined ? {} : { speaker: voice }),
    startTime: start / 1000,
    endTime: end / 1000,
    body: text,
  })),
})

const note = 'NOTE Origin: '

/** WebVTT with a note of the origin, unless a person wrote it, so that an import can restore it. */
export function toVttFile({ origin, tool, cues }: Transcript): string {
  const vtt = toVtt(cues)
  if (origin === 'human' && tool === undefined) return vtt
  // A note must not contain an arrow.
  const said = tool === undefined ? origin : `${origin}, ${tool.replaceAll('-->', '->')}`
  return vtt.replace('WEBVTT\n', () => `WEBVTT\n\n${note}${said}\n`)
}

/** The origin in the note of such a file; null for other files. */
export function readOrigin(file: Uint8Array): { readonly origin: Origin; readonly tool?: string } | null {
  const [, , line = ''] = Buffer.from(file.subarray(0, 1000)).toString().split('\n')
  const [word, ...rest] = line.startsWith(note) ? line.slice(note.length).split(', ') : []
  const origin = origins.find((each) => each === word)
  const tool = rest.join(', ')
  if (origin === undefined || (tool !== '' && findBadTool(tool) !== null)) return null
  return { origin, ...(tool === '' ? {} : { tool }) }
}
