import { ok, type Parsed, wrong } from '../field-kind.ts'
import { toLines } from './diff.ts'
import { diffSequences } from './sequence-diff.ts'

/** A text with every line end as `\n`, the way scripts of a browser see it. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n|\r/g, '\n') : text
}

/** A whole number in digits. */
export function readNumber(word: string): Parsed<number> {
  return /^\d{1,20}$/.test(word) ? ok(Number(word)) : wrong('Must be a whole number, written with digits only.')
}

const clockText = 'Must be a length such as 39:07 or 1:02:03, or a number of seconds.'
const withUnits = /^(?:(\d{1,5}) ?h)?(?: ?(\d{1,5}) ?m(?:in)?)?(?: ?(\d{1,5}) ?s)?$/

/** `39:07`, `1:02:03`, `1 h 2 min`, `45m`, or seconds. */
export function readClock(word: string): Parsed<number> {
  const units = word === '' ? null : withUnits.exec(word)
  if (units !== null) return ok([3600, 60, 1].reduce((sum, unit, i) => sum + unit * Number(units[i + 1] ?? 0), 0))
  const parts = /^(?:(?:(\d{1,5}):)?(\d{1,5}):)?(\d{1,9})$/.exec(word)
  if (parts === null) return wrong(clockText)
  const [, hours, minutes, seconds] = parts.map((part) => (part === undefined ? null : Number(part)))
  const isClock = minutes !== null
  const isPossible = !isClock || ((seconds ?? 0) < 60 && (hours === null || (minutes ?? 0) < 60))
  if (!isPossible) return wrong(clockText)
  return ok((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0))
}

/** Texts with mixed line ends and more changes than this allows get the most frequent one everywhere. At most 5 ms. */
const maxSteps = 100_000

/**
 * A changed text (`\n` only) with the line ends that the field had. If those are mixed, unchanged lines keep theirs and
 * new ones get the most frequent one (decision 58).
 */
export function withLineEndsOf(base: string, text: string): string {
  const lines = toLines(base)
  const ends = lines.map(toLineEnd)
  const usual = findUsual(ends)
  if (ends.every((end) => end === usual || end === '')) return usual === '\n' ? text : text.replaceAll('\n', usual)
  const typed = toLines(text)
  const found = matchLines(lines.map(toLf), typed)
  const chosen = typed.map((_, index) => ends[found.get(index) ?? -1] ?? usual)
  return typed.map((line, index) => withEnd(line, chosen[index] ?? usual, chosen[index - 1])).join('')
}

/** An empty line with `\n` after one with a lone `\r` would read as the second half of `\r\n`. */
function withEnd(line: string, end: string, endBefore: string | undefined): string {
  if (!line.endsWith('\n')) return line
  const isHalf = line === '\n' && end === '\n' && endBefore === '\r'
  return line.slice(0, -1) + (isHalf ? '\r\n' : end)
}

function toLineEnd(line: string): string {
  if (line.endsWith('\r\n')) return '\r\n'
  return line.endsWith('\n') || line.endsWith('\r') ? line.slice(-1) : ''
}

function findUsual(ends: readonly string[]): string {
  const count = (counted: string) => ends.filter((end) => end === counted).length
  return ['\n', '\r\n', '\r'].reduce((best, end) => (count(end) > count(best) ? end : best))
}

/** For lines of the second text that stayed, their positions in the first. */
function matchLines(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> {
  const numbers = new Map([...before, ...after].map((line, i) => [line, i]))
  const toNumbers = (lines: readonly string[]) => Int32Array.from(lines, (line) => numbers.get(line) ?? -1)
  const matches = diffSequences(toNumbers(before), toNumbers(after), { left: maxSteps }) ?? []
  return new Map(
    matches.flatMap(({ a, b, length }) => Array.from({ length }, (_, i): [number, number] => [b + i, a + i])),
  )
}
