import { pad, parseClock } from '../text/clock.ts'
import { toNumber } from '../text/counted.ts'
import { type Cue, maxCueLength, maxCues } from './transcript.ts'

/** A caption as its file has it. */
export interface Caption {
  /** Its number in the file, from 1. */
  readonly cue: number
  /** The line of its times, from 1; absent for JSON. */
  readonly line?: number
  /** Milliseconds. */
  readonly start: number
  readonly end: number
  /** With the markup of its format. */
  readonly text: string
  readonly voice?: string
}

export type ParsedCaptions =
  | { readonly ok: true; readonly captions: readonly Caption[]; readonly forgiven: { readonly blocks: number } }
  | { readonly ok: false; readonly problems: readonly string[] }

/** What is wrong with a file, and where. */
export class BadCaption extends Error {}

export const toTooMany = () => `There may be at most ${toNumber(maxCues)} cues.`
export const toTooLong = () => `Its text may have at most ${toNumber(maxCueLength)} characters.`
/**
 * Longer files and texts are refused before markup is parsed, which would take seconds. Rolling captions have three cues
 * for each that is kept, and a time and a tag for each word.
 */
const maxCaptions = 4 * maxCues
export const maxRawLength = 20 * maxCueLength

const times = (example: string) => `Must have two times, "${example}".`
const vttTimes = times('00:12:04.000 --> 00:15:00.000')
const srtTimes = times('00:12:04,000 --> 00:15:00,000')

const timing = /^\s{0,20}([\d:.,]{1,16})\s{0,20}-->\s{0,20}([\d:.,]{1,16})(?:\s|$)/
/** A line that looks like the times of a cue. */
const likeTiming = /^\s{0,20}\d{1,5}:\d{2}[\d:.,]{0,12}\s{0,20}-{1,3}>/
const isNumber = (line: string) => /^\s{0,20}\d{1,9}\s{0,20}$/.test(line)
const isBlank = (line: string) => line.trim() === ''

interface Span {
  readonly start: number
  readonly end: number
}

function parseTiming(line: string): Span | null {
  const [, from, to] = timing.exec(line) ?? []
  const [start, end] = [parseClock(from ?? ''), parseClock(to ?? '')]
  return start === null || end === null ? null : { start: Math.round(start * 1000), end: Math.round(end * 1000) }
}

/** The lines of a file, read from the first to the last. */
class Lines {
  readonly captions: Caption[] = []
  at = 0
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.#lines = text.replace(/^\ufeff/, '').split(/\r\n|[\r\n]/)
  }

  get hasMore() {
    return this.at < this.#lines.length
  }

  peek(ahead = 0): string {
    return this.#lines[this.at + ahead] ?? ''
  }

  /** Reads the times of a caption, which must be in this line. */
  takeTiming(problem: string): Omit<Caption, 'text'> {
    const span = parseTiming(this.peek())
    if (span === null) this.refuse(problem)
    return { cue: this.captions.length + 1, line: ++this.at, ...span }
  }

  add(caption: Omit<Caption, 'text'>, text: string): void {
    const { cue, line } = caption
    if (cue > maxCaptions) throw new BadCaption(`Line ${line}, cue ${cue}: ${toTooMany()}`)
    if (text.length > maxRawLength) throw new BadCaption(`Line ${line}, cue ${cue}: ${toTooLong()}`)
    this.captions.push({ ...caption, text })
  }

  refuse(problem: string, cue = this.captions.length + 1): never {
    throw new BadCaption(`Line ${this.at + 1}, cue ${cue}: ${problem}`)
  }
}

function read(text: string, readAll: (lines: Lines) => number): ParsedCaptions {
  const lines = new Lines(text)
  try {
    const blocks = readAll(lines)
    return { ok: true, captions: lines.captions, forgiven: { blocks } }
  } catch (error) {
    if (!(error instanceof BadCaption)) throw error
    return { ok: false, problems: [error.message] }
  }
}

/** The captions of a WebVTT file. */
export const parseVtt = (text: string) =>
  read(text, (lines) => {
    if (!/^WEBVTT(?:[ \t]|$)/.test(lines.peek())) throw new BadCaption('Line 1: Must be WEBVTT.')
    lines.at++
    while (lines.hasMore && lines.peek() !== '' && !likeTiming.test(lines.peek())) lines.at++
    let blocks = 0
    while (lines.hasMore) {
      if (isBlank(lines.peek())) lines.at++
      else if (isPassedOver(lines)) {
        blocks++
        while (lines.hasMore && lines.peek() !== '') lines.at++
      } else readVttCue(lines)
    }
    return blocks
  })

/** Comments and styles; before the first cue, anything that is not a cue. */
function isPassedOver(lines: Lines): boolean {
  const line = lines.peek()
  if (/^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(line)) return true
  const isCue = likeTiming.test(line) || line.includes('-->') || lines.peek(1).includes('-->')
  return lines.captions.length === 0 && !isCue
}

/** Its text ends with an empty line; a line of spaces is part of it, as in rolling captions. */
function readVttCue(lines: Lines): void {
  if (!lines.peek().includes('-->') && lines.peek(1).includes('-->')) lines.at++
  const span = lines.takeTiming(vttTimes)
  const text: string[] = []
  while (lines.hasMore && lines.peek() !== '' && !likeTiming.test(lines.peek())) {
    text.push(lines.peek())
    lines.at++
  }
  if (likeTiming.test(lines.peek()) && isNumber(text.at(-1) ?? '')) text.pop()
  lines.add(span, text.join('\n'))
}

/** The captions of a SubRip file. A blank line does not end a text: the number of the next cue does. */
export const parseSrt = (text: string) =>
  read(text, (lines) => {
    while (lines.hasMore && isBlank(lines.peek())) lines.at++
    if (isNumber(lines.peek())) lines.at++
    while (lines.hasMore) readSrtCue(lines)
    return 0
  })

function readSrtCue(lines: Lines): void {
  const span = lines.takeTiming(srtTimes)
  const text: string[] = []
  for (; lines.hasMore && !likeTiming.test(lines.peek()); lines.at++) {
    const isNext = text.at(-1)?.trim() === '' && isNumber(lines.peek())
    text.push(lines.peek())
    // A number after a blank line begins a cue, so that broken times are noticed.
    if (!isNext || isBlank(lines.peek(1)) || likeTiming.test(lines.peek(1))) continue
    lines.at++
    lines.refuse(srtTimes, lines.captions.length + 2)
  }
  if (lines.hasMore && isNumber(text.at(-1) ?? '')) text.pop()
  lines.add(span, text.join('\n'))
}

const entities: { readonly [name: string]: string } = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ nbsp: ' ', lrm: '\u200e', rlm: '\u200f' },
}
const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{1,10}));/g

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** A tag with its name and what follows it, a time inside of a text, or the position of a caption in SubRip. */
const markup = /<\/?([a-zA-Z]{1,10})([^<>]{0,400})>|<\d[\d:.,]{1,15}>|\{\\an?\d{1,2}\}/g

/** What players of SubRip take for a tag, and what converters leave of WebVTT. Others are text, such as `vector<int>`. */
const srtTags = new Set(['b', 'i', 'u', 's', 'em', 'strong', 'font', 'span', 'c', 'v', 'lang', 'ruby', 'rt', 'br'])
export const isSrtTag = (name: string) => srtTags.has(name.toLowerCase())

/** The text of a caption without markup, by speaker. In WebVTT every tag is markup. */
export function splitVoices(
  text: string,
  isTag: (name: string) => boolean = () => true,
): readonly Pick<Caption, 'text' | 'voice'>[] {
  if (!/[<{]/.test(text)) return [{ text: decode(text) }]
  const parts: { text: string; voice?: string }[] = []
  let offset = 0
  let voice = ''
  const add = (to: number) => {
    const words = decode(text.slice(offset, to))
    const last = parts.at(-1)
    if (last !== undefined && (last.voice ?? '') === voice) last.text += words
    else if (!isBlank(words)) parts.push({ text: words, ...(voice === '' ? {} : { voice }) })
  }
  for (const found of text.matchAll(markup)) {
    const [tag, name = '', more = ''] = found
    if (name !== '' && !isTag(name)) continue
    add(found.index)
    offset = found.index + tag.length
    if (name === 'v') voice = tag.startsWith('</') ? '' : toLine(decode(more.replace(/^\.\S{0,100}/, '')))
  }
  add(text.length)
  return parts
}

/** A text on one line, without control characters. */
export const toLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** The lines of a text, without blank lines and control characters. */
export const toText = (text: string) =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .map(toLine)
    .filter((line) => line !== '')
    .join('\n')

/** `00:12:04.000` */
const toStamp = (ms: number, mark = '.') =>
  `${pad(Math.floor(ms / 3_600_000))}:${pad(Math.floor(ms / 60_000) % 60)}:${pad(Math.floor(ms / 1000) % 60)}${mark}${pad(ms % 1000, 3)}`

const escapePosition = (text: string) => text.replace(/\{(?=\\an?\d)/g, '&#123;')
const escapeVtt = (text: string) =>
  escapePosition(text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))

/** Cues as WebVTT. The only markup is the speaker. */
export function toVtt(cues: Iterable<Cue>): string {
  const parts = ['WEBVTT\n']
  for (const { start, end, text, voice } of cues) {
    const mark = voice === undefined ? '' : `<v ${escapeVtt(voice)}>`
    parts.push(`${toStamp(start)} --> ${toStamp(end)}\n${mark}${escapeVtt(text)}\n`)
  }
  return parts.join('\n')
}

/** SubRip has no escapes, so this escapes only what players would take for markup, entities or times. */
const escapeSrt = (text: string) =>
  escapePosition(text.replace(/&(?=#?\w{1,10};)/g, '&amp;'))
    .replace(/<(?=\/?[\da-zA-Z][^<>]{0,420}>)/g, '&lt;')
    .replace(/-->/g, '--&gt;')
    .replace(/^(\d{1,5}:[\d:.,]{0,14}\s{0,20}-{1,3})>/gm, '$1&gt;')

/** The text names the speaker wherever that changes. */
export function toSrt(cues: Iterable<Cue>): string {
  const parts: string[] = []
  let speaker = ''
  for (const { start, end, text, voice = '' } of cues) {
    const name = voice === speaker || voice === '' ? '' : `${voice}: `
    speaker = voice
    const times = `${toStamp(start, ',')} --> ${toStamp(end, ',')}`
    parts.push(`${parts.length + 1}\n${times}\n${escapeSrt(name + text)}\n`)
  }
  return parts.join('\n')
}
