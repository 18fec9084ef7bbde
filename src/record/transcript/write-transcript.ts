import type { JsonObject } from '../json.ts'
import type { Cue } from './transcript.ts'

/** Between paragraphs: a pause, another voice, or the end of a sentence in one that is long enough. */
const pauseMs = 2000
const longParagraph = 600
/** A paragraph without any of them ends all the same. */
const maxParagraph = 2000

/** Cues in paragraphs, as people read them. */
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

/** Lines as one. */
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
