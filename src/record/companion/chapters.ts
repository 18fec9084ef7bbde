import type { JsonObject, JsonValue } from '../json.ts'
import { parseClock, toClock } from '../text/clock.ts'
import { parseVtt, splitVoices, toLine, toVtt } from '../transcript/captions.ts'
import {
  accept,
  anyRecord,
  BadEntry,
  type CompanionKind,
  type CompanionRecord,
  dropSigns,
  type ParsedCompanion,
  parseEntries,
  parseLinesOf,
  refuse,
  refuseOthers,
  requireLine,
  withSign,
} from './companion.ts'

/** A part of a talk, from a second on. `video`: the record that this part is, such as a lightning talk with its own page. */
export type Chapter = {
  readonly start: number
  readonly title: string
  readonly end?: number
  readonly video?: number
}
export type Chapters = { readonly chapters: readonly Chapter[] }

export const maxChapters = 500
const maxTitle = 255
/** Recordings are often a little longer than their record says. */
const slackSeconds = 5
/** Of the longest duration that a record can have. */
const maxSeconds = 10_000_000 + slackSeconds
const sourceKey = 'chapters'

/** To three decimals. */
function requireSeconds(name: string, value: JsonValue | undefined): number {
  const isTime = typeof value === 'number' && value >= 0 && value <= maxSeconds
  if (!isTime) throw new BadEntry(`"${name}" must be a number of seconds from 0 to ${maxSeconds}.`)
  const rounded = Math.round(value * 1000) / 1000
  if (Math.abs(rounded - value) > 1e-9) throw new BadEntry(`"${name}" may have at most three decimals.`)
  return rounded
}

function parseChapter(entry: JsonObject): Chapter {
  const { start, title, end, video, ...others } = entry
  refuseOthers(others)
  const from = requireSeconds('start', start)
  const text = requireLine('title', title, maxTitle)
  if (text === '') throw new BadEntry('It has no "title".')
  const to = end === undefined || end === null ? null : requireSeconds('end', end)
  if (to !== null && to <= from) throw new BadEntry('"end" must be after "start".')
  const isId = video === undefined || video === null || (Number.isSafeInteger(video) && Number(video) > 0)
  if (!isId) throw new BadEntry('"video" must be the id of a record.')
  return {
    ...{ start: from, title: text },
    ...(to === null ? {} : { end: to }),
    ...(video === undefined || video === null ? {} : { video: Number(video) }),
  }
}

/** What is wrong with chapters that are right each by itself. */
function findProblems(all: readonly Chapter[], { id, duration }: CompanionRecord): string[] {
  const last = duration === null ? Number.POSITIVE_INFINITY : duration + slackSeconds
  const length = duration === null ? '' : toClock(duration)
  return all.flatMap(({ start, end = start, video }, i) => {
    const before = all[i - 1]
    const problems: string[] = []
    if (before !== undefined && start <= before.start) problems.push('Must start after the one before.')
    if (Math.max(start, end) > last) problems.push(`The talk is only ${length} long.`)
    if (video === id) problems.push('"video" is this record itself.')
    return problems.map((problem) => `Entry ${i + 1}: ${problem}`)
  })
}

export const chapters: CompanionKind<Chapters> = {
  label: 'Chapters',
  empty: { chapters: [] },
  parse(body, record) {
    const parsed = parseEntries(body, { name: sourceKey, max: maxChapters }, parseChapter)
    if (!parsed.ok) return parsed
    const problems = findProblems(parsed.content, record)
    return problems.length > 0 ? refuse(sourceKey, problems) : accept({ chapters: parsed.content })
  },
  /** No archive that we know has them; an export of ours has. */
  fromSource({ values }) {
    const given = values[sourceKey]
    const parsed = Array.isArray(given) ? chapters.parse({ chapters: given }, anyRecord) : null
    return parsed?.ok === true ? parsed.content : chapters.empty
  },
  toSource: ({ chapters: all }) => ({ [sourceKey]: all }),
  listTraits: ({ chapters: all }) => [
    ...(all.length > 0 ? ['chapters'] : []),
    ...listParts({ chapters: all }).map(toPartTrait),
  ],
  listRecords: (content) => listParts(content),
  toLines: (content) => toChapterLines(content).trimEnd(),
  parseLines: (text) => parseChapterLines(text),
  entries: { list: sourceKey, key: 'start', isSorted: true },
  edit: null,
}

export const listParts = ({ chapters: all }: Chapters) => [...new Set(all.flatMap(({ video }) => video ?? []))]

/** With the ids of shown records only. */
export const keepParts = ({ chapters: all }: Chapters, isShown: (id: number) => boolean): Chapters => ({
  chapters: all.map(({ video, ...others }) => (video !== undefined && isShown(video) ? { ...others, video } : others)),
})

/** What the recording that has a record as a chapter is found by. */
export const toPartTrait = (id: number) => `video:${id}`

/** When each chapter ends: where it says, else with the next one or the recording; null if that is not known. */
export const listEnds = (all: readonly Chapter[], duration: number | null): (number | null)[] =>
  all.map(({ start, end }, i) => end ?? all[i + 1]?.start ?? (duration !== null && duration > start ? duration : null))

/** One chapter per line: `12:04 Title`, `[1:02:03] – Title`, `0:10–4:00 Title [#12]` for the part that record 12 is. */
export const parseChapterLines = (text: string) => parseLinesOf(sourceKey, text.replace(/^\ufeff/, ''), parseLine)

const timePattern = /^[[(]?(\d[\d:.,]{0,15})(?:\s{0,5}(?:-->|[-–])\s{0,5}(\d{1,5}:[\d:.,]{0,12}))?[\])]?/
/** In brackets, because titles such as “Lightning talks #2” are common. 0 is no record. */
const partPattern = /(?:^|\s)\[#(\d{1,15})\]$/

function parseLine(line: string): JsonObject {
  const [time = '', from = '', to] = timePattern.exec(line) ?? []
  const words = dropSigns(line.slice(time.length))
  const start = parseClock(from)
  const end = to === undefined ? null : parseClock(to)
  if (start === null || (to !== undefined && end === null)) throw new BadEntry(noTime)
  const [, id] = partPattern.exec(words) ?? []
  const title = id === undefined ? words : words.slice(0, words.lastIndexOf('['))
  return parseChapter({ start, title: title.trim(), end, video: Number(id ?? 0) || null })
}

const noTime = 'Must begin with a time such as 12:04 or 1:02:03.'

export const toChapterLines = ({ chapters: all }: Chapters) =>
  all
    .map(({ start, end, title, video }) => {
      const time = end === undefined ? toClock(start) : `${toClock(start)}–${toClock(end)}`
      const part = video ?? (partPattern.test(title) ? 0 : null)
      return `${time} ${withSign(title)}${part === null ? '' : ` [#${part}]`}\n`
    })
    .join('')

/** A cue has an end, also where nobody knows it. */
const listShownEnds = (all: readonly Chapter[], duration: number | null) =>
  listEnds(all, duration).map((end, i) => end ?? (all[i]?.start ?? 0) + 1)

/** As WebVTT. A chapter without an end lasts until the next one. */
export function toChapterVtt({ chapters: all }: Chapters, duration: number | null): string {
  const ends = listShownEnds(all, duration)
  return toVtt(all.map(({ start, title }, i) => ({ start: toMs(start), end: toMs(ends[i] ?? start), text: title })))
}

const toMs = (seconds: number) => Math.round(seconds * 1000)

/** To the millisecond: sums of seconds are not exact. */
const isSameTime = (one: number, other = Number.NaN) => Math.round(one * 1000) === Math.round(other * 1000)

/** The cues of a WebVTT file. An end that `toChapterVtt` would write for a chapter without one is not kept. */
export function parseChapterVtt(text: string, duration: number | null): ParsedCompanion<JsonObject> {
  const parsed = parseVtt(text)
  if (!parsed.ok) return refuse(sourceKey, parsed.problems)
  const cues = parsed.captions.map(({ start, end, text: words }) => {
    const title = toLine(splitVoices(words).reduce((sum, part) => `${sum} ${part.text}`, ''))
    return { start: start / 1000, title, end: end / 1000 }
  })
  const ends = listShownEnds(
    cues.map(({ start, title }) => ({ start, title })),
    duration,
  )
  return accept({
    chapters: cues.map((cue, i) => (isSameTime(cue.end, ends[i]) ? { start: cue.start, title: cue.title } : cue)),
  })
}
