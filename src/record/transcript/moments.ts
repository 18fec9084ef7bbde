import type { Mark } from '../text/highlight.ts'
import { locateTokens, type Search, type Term, type Word } from '../text/search-text.ts'
import { maxSlices, sliceMs, toRunStart } from './spoken.ts'
import type { Cue } from './transcript.ts'

/** A token of a search, or a prefix. */
export interface Pattern {
  readonly token: string
  readonly isPrefix: boolean
}

/** Shorter words match only themselves: every tenth word begins with an a. */
const minPrefix = 3

/** What each token of a term matches. Only the last one may be a beginning. */
export function toPatterns({ tokens, isPrefix }: Term): readonly Pattern[] {
  return tokens.map((token, i) => ({ token, isPrefix: isPrefix && i === tokens.length - 1 && isLongEnough(token) }))
}

/** A single character of a script without spaces is a word. */
const isLongEnough = (token: string) => token.length >= minPrefix || token > '\u2e80'

/** Where a term occurs: the numbers of its first tokens, ascending, and its number of tokens. */
export interface Occurrences {
  readonly starts: Int32Array
  readonly length: number
}

/** A range of tokens that contains all terms. */
interface Window {
  readonly from: number
  /** Inclusive. */
  readonly to: number
  /** Higher for terms that are close together. */
  readonly weight: number
}

/** Where the tokens of a term follow each other. `numbers`: those of each of its patterns, ascending. */
export function findTerm(numbers: readonly Int32Array[]): Occurrences {
  const [first = new Int32Array(), ...others] = numbers
  let starts = first
  for (const [i, following] of others.entries()) starts = keepFollowed(starts, following, i + 1)
  return { starts, length: numbers.length }
}

/** The starts that another number follows at this distance. */
export function keepFollowed(starts: Int32Array, following: Int32Array, distance: number): Int32Array {
  const kept = new Int32Array(Math.min(starts.length, following.length))
  let count = 0
  let index = 0
  for (let i = 0; i < starts.length; i++) {
    const wanted = (starts[i] ?? 0) + distance
    while (index < following.length && (following[index] ?? 0) < wanted) index++
    if (following[index] === wanted) kept[count++] = wanted - distance
  }
  return kept.subarray(0, count)
}

/** The numbers that may be in a window with one of the others. */
export function keepNear(numbers: Int32Array, others: Int32Array): Int32Array {
  const kept = new Int32Array(numbers.length)
  let count = 0
  let index = 0
  // Runs over millions of numbers, for which `filter` takes several times as long.
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0
    while (index < others.length && (others[index] ?? 0) <= number - maxWindow) index++
    if (index < others.length && (others[index] ?? 0) < number + maxWindow) kept[count++] = number
  }
  return kept.subarray(0, count)
}

export type SliceOf = (number: number) => number

/** How often a search matches in a transcript, and the score. */
interface Tally {
  readonly hits: number
  readonly score: number
}

/** Like `findWindows`, but without building the windows, because it may run over every transcript. */
export function tally(all: readonly Occurrences[], none: readonly Occurrences[], sliceOf: SliceOf): Tally {
  const [only] = all
  // Words do not overlap, as phrases may: "bla bla" is said once in "bla bla bla".
  if (all.length === 1 && none.length === 0 && only?.length === 1)
    return { hits: only.starts.length, score: only.starts.length * wholeWeight }
  let [hits, score] = [0, 0]
  visitWindows(all, none, sliceOf, (_from, _to, weight) => {
    hits++
    score += weight
  })
  return { hits, score }
}

/**
 * The windows in which all terms are said within about 45 seconds, except those near an excluded term. They do not
 * overlap: of overlapping windows, the first of the smallest counts.
 */
export function findWindows(all: readonly Occurrences[], none: readonly Occurrences[], sliceOf: SliceOf): Window[] {
  const windows: Window[] = []
  visitWindows(all, none, sliceOf, (from, to, weight) => windows.push({ from, to, weight }))
  return windows
}

type Visit = (from: number, to: number, weight: number) => void

function visitWindows(all: readonly Occurrences[], none: readonly Occurrences[], sliceOf: SliceOf, visit: Visit): void {
  const excluded = new Set(none.flatMap(({ starts }) => [...starts.map(sliceOf)]))
  const isExcluded = (from: number, to: number) => {
    for (let slice = sliceOf(from) - 1; slice <= sliceOf(to) + 1; slice++) if (excluded.has(slice)) return true
    return false
  }
  let [from, to, weight] = [0, -1, 0]
  visitSmallest(all, sliceOf, (nextFrom, nextTo, nextWeight) => {
    if (excluded.size > 0 && isExcluded(nextFrom, nextTo)) return
    const isApart = nextFrom > to
    if (isApart && weight > 0) visit(from, to, weight)
    if (isApart || nextTo - nextFrom < to - from) [from, to, weight] = [nextFrom, nextTo, nextWeight]
  })
  if (weight > 0) visit(from, to, weight)
}

/** Visits every window that has all terms and contains no smaller one, in order. Runs over millions of numbers. */
function visitSmallest(all: readonly Occurrences[], sliceOf: SliceOf, visit: Visit): void {
  if (all.length === 0 || all.some(({ starts }) => starts.length === 0)) return
  const size = all.reduce((sum, { length }) => sum + length, 0)
  const heads = all.map(({ starts }) => starts[0] ?? 0)
  const at = all.map(() => 0)
  for (let next = 0; next >= 0; ) {
    let first = 0
    let from = farAway
    /** Where the next term starts. */
    let second = farAway
    let to = 0
    for (let i = 0; i < all.length; i++) {
      const start = heads[i] ?? 0
      const end = start + (all[i]?.length ?? 0) - 1
      if (end > to) to = end
      if (start < from) {
        second = from
        from = start
        first = i
      } else if (start < second) second = start
    }
    // The array is not empty, so `first` is a place in it.
    const { starts, length } = all[first] as Occurrences
    let place = (at[first] ?? 0) + 1
    next = place < starts.length ? (starts[place] ?? -1) : -1
    // A common term is said many times before another one is.
    while (next >= 0 && next < second && next + length - 1 <= to) {
      from = next
      place++
      next = place < starts.length ? (starts[place] ?? -1) : -1
      heads[first] = from
    }
    const isSmallest = next < 0 || next + length - 1 > to
    // Most windows are far too wide, so skip the lookup of their times.
    if (isSmallest && to - from < maxWindow && sliceOf(to) - sliceOf(from) < maxSlices)
      visit(from, to, toWeight(to - from + 1 - size, isAscending(heads)))
    at[first] = place
    heads[first] = next
  }
}

function isAscending(numbers: readonly number[]): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] ?? 0) < (numbers[i - 1] ?? 0)) return false
  return true
}

/** Nobody says more tokens in 45 seconds. */
const maxWindow = 1_000
/** More than any number of a token. */
const farAway = 2 ** 30
const wholeWeight = 1_000_000

/** Words in the typed order weigh most, then words close together. At least 1. */
function toWeight(others: number, isInOrder: boolean): number {
  const distance = 1 + Math.max(0, others)
  return Math.ceil((isInOrder ? wholeWeight : wholeWeight / 2) / (distance * distance))
}

/** Which slice of time a token is in, by the counts that the index keeps. */
export function toSliceOf(counts: Int32Array): SliceOf {
  const ends = counts.slice()
  for (let i = 1; i < ends.length; i++) ends[i] = (ends[i] ?? 0) + (ends[i - 1] ?? 0)
  return (number) => {
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) > number) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** A place in a talk where a search matches. A type, not an interface, so that it is assignable to JSON. */
export type Moment = {
  /** The start of the cue with the first word, in seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** In code points of the text. */
  readonly marks: readonly Mark[]
}

/** A token with the cue that it begins in. */
interface LocatedToken extends Word {
  readonly cue: number
}

/** The minimum length of a moment in characters, unless the talk ends. */
const minLength = 90
const maxLength = 600

/**
 * The moment between two slices of time, as a window of the index gives them: the best window in the cues of that time
 * whose start is not taken. Null if there is none.
 */
export function findMoment(
  cues: readonly Cue[],
  search: Search,
  slices: { readonly first: number; readonly last: number },
  isTaken: (start: number) => boolean = () => false,
): Moment | null {
  // Cues that overlap others may be said a little earlier than they are counted.
  const [fromMs, toMs] = [(slices.first - 1) * sliceMs, (slices.last + 1) * sliceMs]
  const near = cues.filter(({ start, end }) => end >= fromMs && start <= toMs)
  const located = locateSpoken(near)
  const terms = search.all.map((term) => findTerm(toPatterns(term).map((pattern) => findNumbers(located, pattern))))
  const cueOf = (number: number) => near[located[number]?.cue ?? 0]
  // Words nearby may match, too, and be excluded.
  const isInside = ({ from, to }: Window) =>
    (cueOf(from)?.end ?? 0) >= slices.first * sliceMs && (cueOf(to)?.start ?? 0) < (slices.last + 1) * sliceMs
  // The cues are near enough in time, so slices do not matter here.
  const moments = findWindows(terms, [], () => 0)
    .sort((one, other) => Number(isInside(other)) - Number(isInside(one)) || other.weight - one.weight)
    .map((window) => ({ window, start: toSeconds(cueOf(window.from)?.start) }))
  const best = moments.find(({ start }) => !isTaken(start))
  return best === undefined ? null : toMoment(near, located, best.window, terms)
}

const toSeconds = (ms = 0) => ms / 1000

function findNumbers(located: readonly LocatedToken[], { token, isPrefix }: Pattern): Int32Array {
  const numbers: number[] = []
  for (const [i, { text }] of located.entries()) {
    if (text === token || (isPrefix && text.startsWith(token))) numbers.push(i)
  }
  return Int32Array.from(numbers)
}

function locateSpoken(cues: readonly Cue[]): LocatedToken[] {
  const located: LocatedToken[] = []
  for (const [i, { text }] of cues.entries()) {
    const first = toRunStart(text, cues[i + 1]?.text ?? '')
    const tokens = first === '' ? locateTokens(text) : locateTokens(text + first).slice(0, -1)
    for (const token of tokens) located.push({ ...token, to: Math.min(token.to, text.length), cue: i })
  }
  return located
}

function toMoment(
  cues: readonly Cue[],
  located: readonly LocatedToken[],
  { from, to }: Window,
  terms: readonly Occurrences[],
): Moment {
  const [first, needed] = [located[from]?.cue ?? 0, located[to]?.cue ?? 0]
  const offsets = new Map<number, number>()
  let text = ''
  let last = first
  for (let i = first; i < cues.length && (i <= needed || text.length < minLength); i++) {
    const line = cues[i]?.text ?? ''
    if (text !== '' && toRunStart(text, line) === '') text += ' '
    offsets.set(i, text.length)
    text += line
    last = i
  }
  const shown = text.slice(0, maxLength).toWellFormed()
  const ranges = terms
    .flatMap(({ starts, length }) => [...starts].flatMap((start) => located.slice(start, start + length)))
    .flatMap(({ cue, ...range }) => {
      const offset = offsets.get(cue)
      return offset === undefined ? [] : [{ from: range.from + offset, to: range.to + offset }]
    })
  const marks = ranges.filter((range) => range.to <= shown.length).sort((one, other) => one.from - other.from)
  return {
    start: toSeconds(cues[first]?.start),
    end: toSeconds(cues[last]?.end),
    text: shown.replaceAll('\n', ' '),
    marks: toMarks(shown, marks),
  }
}

/** Converts ranges in UTF-16 units to marks, and merges those that overlap. */
function toMarks(text: string, ranges: readonly { readonly from: number; readonly to: number }[]): Mark[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  const toCodePoints = (offset: number) => [...text.slice(0, offset)].length
  return merged.map(({ from, to }): Mark => [toCodePoints(from), toCodePoints(to)])
}
