import { isLonger } from '../field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json.ts'
import { parseClock } from '../text/clock.ts'
import { toNumber } from '../text/counted.ts'
import {
  BadCaption,
  type Caption,
  isSrtTag,
  maxRawLength,
  type ParsedCaptions,
  parseSrt,
  parseVtt,
  splitVoices,
  toLine,
  toText,
  toTooLong,
  toTooMany,
} from './captions.ts'
import { type Cue, maxCueLength, maxCues, maxMs, maxVoice, type Origin } from './transcript.ts'

/** The cues of a caption file, and what was repaired in it. */
export type ReadTranscript =
  | {
      readonly ok: true
      readonly format: TranscriptFormat
      readonly cues: readonly Cue[]
      readonly forgiven: Forgiven
      /** The usual origin of such files. */
      readonly origin: Origin
    }
  | { readonly ok: false; readonly problems: readonly string[] }

type TranscriptFormat = 'WebVTT' | 'SubRip' | 'Whisper' | 'whisper.cpp' | 'YouTube json3' | 'Podcasting 2.0'

/** How often each flaw was repaired. */
export interface Forgiven {
  /** Comments, styles and other blocks that are not cues. */
  readonly blocks: number
  /** Cues that began before the previous one. */
  readonly unsorted: number
  /** Cues that did not end after their start. */
  readonly ends: number
  /** Cues with tags, times or entities in their text. */
  readonly markup: number
  /** Lines of rolling captions that the previous cue had shown. */
  readonly rolling: number
  /** Cues without text. */
  readonly empty: number
}

/** Reports at most this many: further ones rarely have another cause. */
const maxProblems = 20
/** Twenty for each cue. Reading lines takes longer than their bytes, on a thread that answers requests. */
const maxLines = 1_000_000
/** Rolling captions have cues of 10 ms between their lines. */
const maxBetweenMs = 50
/** A last cue without an end. */
const lastMs = 1000

/** The media types of transcripts. */
export const transcriptTypes = ['text/vtt', 'application/x-subrip', 'application/json'] as const
export type TranscriptType = (typeof transcriptTypes)[number]

const decoder = new TextDecoder('utf-8', { fatal: true })

export function readTranscript(type: TranscriptType, bytes: Uint8Array): ReadTranscript {
  if (type === 'application/json') return readJson(bytes)
  if (countLines(bytes) > maxLines) return refuse(`There may be at most ${toNumber(maxLines)} lines.`)
  try {
    const text = decoder.decode(bytes)
    return type === 'text/vtt' ? readText('WebVTT', parseVtt(text)) : readText('SubRip', parseSrt(text))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return refuse('Must be UTF-8.')
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 1
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === 10 || (byte === 13 && bytes[i + 1] !== 10)) lines++
  }
  return lines
}

/** For a file of unknown type. */
export function guessType(bytes: Uint8Array): TranscriptType {
  const start = Buffer.from(bytes.subarray(0, 200)).toString().trimStart()
  if (start.startsWith('WEBVTT')) return 'text/vtt'
  return /^[{[]/.test(start) ? 'application/json' : 'application/x-subrip'
}

const refuse = (problem: string): ReadTranscript => ({ ok: false, problems: [problem] })

function readText(format: 'WebVTT' | 'SubRip', parsed: ParsedCaptions): ReadTranscript {
  if (!parsed.ok) return parsed
  const isTag = format === 'SubRip' ? isSrtTag : undefined
  const { shown, rolling } = dropRolling(parsed.captions.flatMap((caption) => toPlain(caption, isTag)))
  const markup = parsed.captions.reduce((sum, { text }) => sum + (/[<&{]/.test(text) ? 1 : 0), 0)
  return toTranscript(format, 'human', shown, { ...parsed.forgiven, markup, rolling })
}

const toPlain = (caption: Caption, isTag?: (name: string) => boolean): readonly Caption[] =>
  splitVoices(caption.text, isTag).map((part) => ({ ...caption, ...part, text: toText(part.text) }))

/**
 * Rolling captions show each line twice: once as the new line, and once above the next one. Keeps only the first. Keeps a
 * text that is repeated as a whole, since speech recognition does that too, but not the short cues in between.
 */
function dropRolling(captions: readonly Caption[]): { readonly shown: Caption[]; readonly rolling: number } {
  let rolling = 0
  let before: readonly string[] = []
  const shown: Caption[] = []
  for (const caption of captions) {
    const lines = caption.text === '' ? [] : caption.text.split('\n')
    const again = countShown(before, lines)
    const isWhole = again === before.length && again === lines.length
    const isDropped = again > 0 && (!isWhole || caption.end - caption.start <= maxBetweenMs)
    if (isDropped) rolling++
    if (!isDropped) shown.push(caption)
    else if (again < lines.length) shown.push({ ...caption, text: lines.slice(again).join('\n') })
    before = lines
  }
  return { shown, rolling }
}

/** How many of the first lines were the last lines of the previous caption. */
function countShown(before: readonly string[], lines: readonly string[]): number {
  for (let count = Math.min(before.length, lines.length, 4); count > 0; count--)
    if (lines.slice(0, count).every((line, i) => line === before[before.length - count + i])) return count
  return 0
}

type Counted = Pick<Forgiven, 'blocks' | 'markup' | 'rolling'>
const nothing: Counted = { blocks: 0, markup: 0, rolling: 0 }

/** Sorts the cues and completes their ends. */
function toTranscript(
  format: TranscriptFormat,
  origin: Origin,
  captions: readonly Caption[],
  counted: Counted,
): ReadTranscript {
  const problems = findProblems(captions)
  if (problems.length > 0) return { ok: false, problems }
  const said = captions.filter(({ text }) => text !== '')
  const unsorted = said.filter(({ start }, i) => start < (said[i - 1]?.start ?? 0)).length
  const sorted = unsorted === 0 ? said : said.toSorted((one, other) => one.start - other.start)
  const cues = withEnds(sorted)
  if (cues.length === 0) return refuse('There is no cue with a text.')
  const ends = sorted.filter(({ start, end }) => end <= start).length
  const empty = captions.length - said.length
  return { ok: true, format, origin, cues, forgiven: { ...counted, unsorted, ends, empty } }
}

function findProblems(captions: readonly Caption[]): string[] {
  const problems: string[] = []
  for (const [i, caption] of captions.entries()) {
    const problem = i === maxCues ? toTooMany() : findProblem(caption)
    if (problem !== null) problems.push(`${toPosition(caption)}: ${problem}`)
    if (i === maxCues || problems.length === maxProblems) break
  }
  return problems
}

const toPosition = ({ cue, line }: Pick<Caption, 'cue' | 'line'>) =>
  line === undefined ? `Cue ${cue}` : `Line ${line}, cue ${cue}`

function findProblem({ start, end, text, voice = '' }: Caption): string | null {
  if (Math.max(start, end) > maxMs || start === maxMs) return 'It is after the first 24 hours.'
  if (isLonger(text, maxCueLength)) return toTooLong()
  return isLonger(voice, maxVoice) ? `The name of who speaks may have at most ${maxVoice} characters.` : null
}

/** A cue whose end is not after its start lasts until the next one. */
function withEnds(captions: readonly Caption[]): Cue[] {
  const cues: Cue[] = []
  let next: number | null = null
  let later: number | null = null
  for (const { start, end, text, voice = '' } of captions.toReversed()) {
    if (next !== null && next > start) later = next
    const until = end > start ? end : (later ?? Math.min(start + lastMs, maxMs))
    cues.push({ start, end: until, text, ...(voice === '' ? {} : { voice }) })
    next = start
  }
  return cues.reverse()
}

/** A file of Whisper, whisper.cpp, YouTube or Podcasting 2.0, told apart by their keys. */
function readJson(bytes: Uint8Array): ReadTranscript {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const parsed = parseJson(hasMark ? bytes.subarray(3) : bytes)
  if (!parsed.ok) return refuse(parsed.problem)
  const body = parsed.value
  const found = isJsonObject(body) ? jsonForms.find(({ key, has }) => Array.isArray(body[key]) && has(body)) : undefined
  if (found === undefined || !isJsonObject(body)) return refuse(unknownForm)
  try {
    const entries = body[found.key] as readonly JsonValue[]
    return toTranscript(found.format, found.origin, found.toCaptions(entries.map(requireEntry)), nothing)
  } catch (error) {
    if (!(error instanceof BadCaption)) throw error
    return refuse(error.message)
  }
}

const unknownForm =
  'Must have the "segments" of Whisper or Podcasting 2.0, the "transcription" of whisper.cpp, or the "events" of YouTube.'

interface JsonForm {
  readonly format: TranscriptFormat
  readonly origin: Origin
  readonly key: string
  has(body: JsonObject): boolean
  toCaptions(entries: readonly JsonObject[]): readonly Caption[]
}

const jsonForms: readonly JsonForm[] = [
  {
    ...{ format: 'whisper.cpp', origin: 'machine', key: 'transcription' },
    has: () => true,
    toCaptions: (entries) => entries.map(toWhisperCpp),
  },
  {
    ...{ format: 'YouTube json3', origin: 'machine', key: 'events' },
    has: () => true,
    toCaptions: toYouTube,
  },
  {
    ...{ format: 'Podcasting 2.0', origin: 'human', key: 'segments' },
    has: ({ segments }) =>
      Array.isArray(segments) && segments.some((each) => isJsonObject(each) && 'startTime' in each),
    toCaptions: (entries) =>
      entries.map((entry, i) => ({
        cue: i + 1,
        start: requireMs(entry, 'startTime', i, 1000),
        end: findMs(entry, 'endTime', i, 1000) ?? 0,
        text: requireText(entry, 'body', i),
        voice: findVoice(entry),
      })),
  },
  {
    ...{ format: 'Whisper', origin: 'machine', key: 'segments' },
    has: () => true,
    toCaptions: (entries) =>
      entries.map((entry, i) => ({
        cue: i + 1,
        start: requireMs(entry, 'start', i, 1000),
        end: findMs(entry, 'end', i, 1000) ?? 0,
        text: requireText(entry, 'text', i),
        voice: findVoice(entry),
      })),
  },
]

function requireEntry(entry: JsonValue, i: number): JsonObject {
  if (!isJsonObject(entry)) throw new BadCaption(`Cue ${i + 1}: Must be an object.`)
  return entry
}

function requireText(entry: JsonObject, name: string, i: number): string {
  const text = entry[name]
  if (typeof text !== 'string') throw new BadCaption(`Cue ${i + 1}: "${name}" must be a string.`)
  if (text.length > maxRawLength) throw new BadCaption(`Cue ${i + 1}: ${toTooLong()}`)
  return toText(text)
}

/** The speaker, as in Podcasting 2.0 and variants of Whisper. */
const findVoice = ({ speaker }: JsonObject) => (typeof speaker === 'string' ? toLine(speaker) : '')

/** `unit`: how many milliseconds one has. Null if it is not given. */
function findMs(entry: JsonObject, name: string, i: number, unit: number): number | null {
  const value = entry[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= 0) return Math.round(value * unit)
  const what = unit === 1 ? 'milliseconds' : 'seconds'
  throw new BadCaption(`Cue ${i + 1}: "${name}" must be a number of ${what} from 0.`)
}

function requireMs(entry: JsonObject, name: string, i: number, unit: number): number {
  const ms = findMs(entry, name, i, unit)
  if (ms === null) throw new BadCaption(`Cue ${i + 1}: It has no "${name}".`)
  return ms
}

/** Times are in "offsets"; some files have only the clocks of "timestamps". */
function toWhisperCpp(entry: JsonObject, i: number): Caption {
  const { offsets, timestamps } = entry
  const said = { cue: i + 1, text: requireText(entry, 'text', i) }
  if (isJsonObject(offsets))
    return { ...said, start: requireMs(offsets, 'from', i, 1), end: requireMs(offsets, 'to', i, 1) }
  const clocks = isJsonObject(timestamps) ? [timestamps.from, timestamps.to] : []
  const [start, end] = clocks.map((clock) => parseClock(String(clock)))
  if (typeof start === 'number' && typeof end === 'number')
    return { ...said, start: Math.round(start * 1000), end: Math.round(end * 1000) }
  throw new BadCaption(`Cue ${i + 1}: It has no "offsets" with "from" and "to".`)
}

/**
 * Events without "segs" are windows. Where lines roll (`aAppend` begins one), an event stays on the screen while the
 * next is written, so it ends with that one.
 */
function toYouTube(events: readonly JsonObject[]): readonly Caption[] {
  const rolls = events.some(({ aAppend }) => aAppend === 1)
  const captions = events.flatMap((event, i) => {
    const text = toSaid(event, i)
    const start = findMs(event, 'tStartMs', i, 1) ?? 0
    return text === '' ? [] : [{ cue: i + 1, start, end: start + (findMs(event, 'dDurationMs', i, 1) ?? 0), text }]
  })
  if (!rolls) return captions
  return captions.map(({ end, ...caption }, i) => {
    const next = captions[i + 1]?.start ?? end
    return { ...caption, end: next > caption.start ? Math.min(end, next) : end }
  })
}

function toSaid(event: JsonObject, i: number): string {
  const { segs } = event
  if (segs === undefined || segs === null) return ''
  if (!Array.isArray(segs)) throw new BadCaption(`Cue ${i + 1}: "segs" must be an array.`)
  return toText(segs.map((seg) => (isJsonObject(seg) && typeof seg.utf8 === 'string' ? seg.utf8 : '')).join(''))
}
