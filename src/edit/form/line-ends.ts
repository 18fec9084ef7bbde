import { toLines } from '../../record/text/diff-tokens.ts'
import { diffSequences } from '../../record/text/sequence-diff.ts'

/** Texts with mixed line ends and more changes than this allows get the most frequent one everywhere. At most 5 ms. */
const maxSteps = 100_000

/** A text with every line end as `\n`, the way scripts of a browser see it. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n|\r/g, '\n') : text
}

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
  const chosen = typed.map((_, at) => ends[found.get(at) ?? -1] ?? usual)
  return typed.map((line, at) => withEnd(line, chosen[at] ?? usual, chosen[at - 1])).join('')
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
  const count = (wanted: string) => ends.filter((end) => end === wanted).length
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
