import { accept, type CompanionKind, refuse } from '../companion/companion.ts'
import { findBadText } from '../field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { toClock } from '../text/clock.ts'
import { toNumber } from '../text/counted.ts'
import { parseLanguageTag } from '../text/language.ts'
import { toLine, toText } from './captions.ts'
import { dropLoops } from './spoken.ts'
import {
  type Cue,
  maxCueLength,
  maxCues,
  maxMs,
  maxTool,
  maxVoice,
  type Origin,
  origins,
  type Transcript,
} from './transcript.ts'

export type TranscriptName = `transcripts/${string}`

const prefix = 'transcripts/'
export const toTranscriptName = (language: string): TranscriptName => `${prefix}${language}`
export const toTranscriptLanguage = (name: TranscriptName) => name.slice(prefix.length)

export const isTranscriptName = (name: string): name is TranscriptName => {
  if (!name.startsWith(prefix)) return false
  const language = name.slice(prefix.length)
  return parseLanguageTag(language) === language
}

/** A transcript that a record has or had. */
export interface TranscriptLine {
  readonly name: TranscriptName
  /** The version of the record that stored it. */
  readonly number: number
  /** Null if it was deleted. */
  readonly origin: Origin | null
}

const empty: Transcript = { origin: 'human', cues: [] }

/** Each transcript of a record is a companion by itself: versions, conflicts and undo are of one language (decision 94). */
export const createTranscriptKind = (name: TranscriptName): CompanionKind =>
  // It gets only contents that it has parsed itself.
  ({ ...kind, label: `Transcript (${toTranscriptLanguage(name)})`, listTraits: toTraits(name) }) as CompanionKind

const kind: Omit<CompanionKind<Transcript>, 'label' | 'listTraits'> = {
  listRecords: () => [],
  empty,
  parse(body) {
    const problem = findProblem(body)
    if (problem !== null) return refuse('transcript', [problem])
    // `findProblem` has checked it.
    const { origin, tool, cues } = body as Transcript
    return accept({ origin, ...(tool === undefined ? {} : { tool }), cues: cues.map(toCue) })
  },
  fromSource: () => empty,
  toSource: () => ({}),
  toLines: ({ cues }) => cues.map(toCueLine).join('\n'),
  parseLines: () => refuse('transcript', ['A transcript is read from a file.']),
  entries: { list: 'cues', key: null, isSorted: true },
  edit: null,
}

/** Sorts the keys, so that equal transcripts have equal bytes. */
const toCue = ({ start, end, text, voice }: Cue): Cue => ({
  start,
  end,
  text,
  ...(voice === undefined ? {} : { voice }),
})

const toCueLine = ({ start, text, voice }: Cue) =>
  `${toClock(Math.floor(start / 1000))} ${voice === undefined ? '' : `${voice}: `}${text.replaceAll('\n', ' / ')}`

/**
 * By origin and by language, and what findings follow from. All have the language, since a record may have several
 * transcripts of one origin.
 */
const toTraits = (name: TranscriptName) => (content: JsonObject) => {
  const { origin, cues } = content as Transcript
  const language = toTranscriptLanguage(name)
  if (cues.length === 0) return []
  const end = cues.reduce((last, cue) => Math.max(last, cue.end), 0)
  const seconds = String(Math.floor(end / 1000)).padStart(5, '0')
  return [
    ...[`transcript:${origin}:${language}`, `transcript_language:${language}`, `transcript_end:${seconds}:${language}`],
    ...(dropLoops(cues).length < cues.length ? [`transcript_repeats:${language}`] : []),
  ]
}

function findProblem(body: JsonValue): string | null {
  if (!isJsonObject(body) || !Array.isArray(body.cues)) return 'Must have "cues".'
  const { origin, tool, cues, ...others } = body
  const [other] = Object.keys(others)
  if (other !== undefined) return `There is no ${JSON.stringify(other)}.`
  if (!origins.some((each) => each === origin)) return `"origin" must be one of ${origins.join(', ')}.`
  const badTool = tool === undefined ? null : findBadTool(tool)
  if (badTool !== null) return `"tool": ${badTool}`
  if (cues.length > maxCues) return `There may be at most ${toNumber(maxCues)} cues.`
  let last = 0
  for (const [i, cue] of cues.entries()) {
    if (!isCue(cue) || cue.start < last) return `Cue ${i + 1} is none.`
    last = cue.start
  }
  return null
}

export function findBadTool(tool: JsonValue): string | null {
  if (typeof tool !== 'string') return 'Must be a string.'
  return tool === '' || tool !== toLine(tool) ? 'Must be one line of text.' : findBadText(tool, maxTool)
}

/** Whether it has the form that the parsers of files produce. */
function isCue(cue: JsonValue): cue is Cue {
  if (!isJsonObject(cue)) return false
  const { start, end, text, voice, ...others } = cue
  const isSpan = isMs(start) && isMs(end) && Number(start) < Number(end)
  const isText = typeof text === 'string' && text !== '' && text === toText(text) && isShort(text, maxCueLength)
  const isVoice =
    voice === undefined ||
    (typeof voice === 'string' && voice !== '' && voice === toLine(voice) && isShort(voice, maxVoice))
  return isSpan && isText && isVoice && Object.keys(others).length === 0
}

const isMs = (value: JsonValue | undefined) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxMs
const isShort = (text: string, max: number) => text.length <= max || [...text].length <= max
