import { type CommonPart, diffSequences, type StepBudget } from './sequence-diff.ts'

/** A part of a diff: the parts that are not `added` are the text before, those that are not `removed` the text after. */
export interface DiffPart {
  readonly is: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Enough for 500 replaced words in a text of any length; at most 80 ms. */
export const maxSteps = 4_000_000

/**
 * The difference between two texts, word by word. Texts with more differences than the steps allow are compared line by
 * line, and then word by word inside of the lines that changed; if that is too much as well, all of it has changed.
 * Beyond its own length it takes at most half of the steps, so that a long text leaves some for the next one.
 */
export function diffWords(before: string, after: string, budget: StepBudget = { left: maxSteps }): DiffPart[] {
  const { prefix, suffix } = findCommonEnds(before, after)
  const [a, b] = [before, after].map((text) => text.slice(prefix.length, text.length - suffix.length))
  return toTidy([...same(prefix), ...diffMiddle(a ?? '', b ?? '', budget), ...same(suffix)])
}

function diffMiddle(before: string, after: string, budget: StepBudget): DiffPart[] {
  const characters = before.length + after.length
  if (before === '' || after === '' || characters > budget.left / 2) return replaced(before, after)
  // Finding the words of a text takes about as long as comparing as many.
  budget.left -= characters
  const quarter = budget.left / 4
  const byWords = spend(budget, quarter, (own) => diffTokens(toDiffTokens(before), toDiffTokens(after), own))
  if (byWords !== null) return byWords
  const byLines = spend(budget, quarter / 2, (own) => diffTokens(toLines(before), toLines(after), own))
  if (byLines === null) return replaced(before, after)
  return spend(budget, quarter / 2, (own) => refineLines(byLines, own))
}

/** Lets something take a part of the steps. */
function spend<T>(budget: StepBudget, part: number, run: (own: StepBudget) => T): T {
  const own = { left: part }
  const result = run(own)
  budget.left -= part - own.left
  return result
}

/** Word by word where lines were replaced, as long as the steps last. */
function refineLines(parts: readonly DiffPart[], budget: StepBudget): DiffPart[] {
  return parts.flatMap((part, i) => {
    const next = parts[i + 1]
    if (part.is === 'removed' && next?.is === 'added') {
      return diffTokens(toDiffTokens(part.text), toDiffTokens(next.text), budget) ?? [part, next]
    }
    return part.is === 'added' && parts[i - 1]?.is === 'removed' ? [] : [part]
  })
}

/** Null if it takes more steps than the budget has. What was removed comes before what replaces it. */
function diffTokens(before: readonly string[], after: readonly string[], budget: StepBudget): DiffPart[] | null {
  const numbers = new Map<string, number>()
  const toNumber = (token: string) => {
    const known = numbers.get(token) ?? numbers.size
    numbers.set(token, known)
    return known
  }
  const [a, b] = [Int32Array.from(before, toNumber), Int32Array.from(after, toNumber)]
  const matches = diffSequences(a, b, budget)
  return matches === null ? null : toParts(before, after, matches)
}

function toParts(before: readonly string[], after: readonly string[], matches: readonly CommonPart[]): DiffPart[] {
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  for (const { a, b, length } of [...matches, { a: before.length, b: after.length, length: 0 }]) {
    parts.push(...replaced(before.slice(i, a).join(''), after.slice(j, b).join('')))
    parts.push(...same(before.slice(a, a + length).join('')))
    i = a + length
    j = b + length
  }
  return parts
}

const same = (text: string): DiffPart[] => (text === '' ? [] : [{ is: 'same', text }])

function replaced(before: string, after: string): DiffPart[] {
  const removed: DiffPart = { is: 'removed', text: before }
  const added: DiffPart = { is: 'added', text: after }
  return [removed, added].filter(({ text }) => text !== '')
}

/** Cuts at spaces, so that no word is split: most texts differ in a few words, and only those are compared. */
function findCommonEnds(before: string, after: string): { readonly prefix: string; readonly suffix: string } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++
  if (from === before.length && from === after.length) return { prefix: before, suffix: '' }
  while (from > 0 && !isPlainSpace(before, from - 1)) from--
  let length = 0
  const most = shorter - from
  while (length < most && before.charCodeAt(before.length - 1 - length) === after.charCodeAt(after.length - 1 - length))
    length++
  while (length > 0 && !isPlainSpace(before, before.length - length)) length--
  return { prefix: before.slice(0, from), suffix: before.slice(before.length - length) }
}

/** Not a line end, which may be two characters. */
const isPlainSpace = (text: string, offset: number) => text[offset] === ' '

/**
 * Joins neighbours, and replaces words together that have only spaces between them: `[-quick-]{+slow+} [-fox-]{+cat+}`
 * is read more easily as `[-quick fox-]{+slow cat+}`.
 */
function toTidy(parts: readonly DiffPart[]): DiffPart[] {
  const tidy: DiffPart[] = []
  for (let i = 0; i < parts.length; ) {
    let [removed, added] = ['', '']
    let isReplaced = false
    for (; i < parts.length; i++) {
      const part = parts[i]
      if (part === undefined) break
      if (part.is === 'removed') removed += part.text
      else if (part.is === 'added') added += part.text
      else if (isBlank(part.text) && isReplaced && isReplacedAt(parts, i + 1)) {
        removed += part.text
        added += part.text
      } else break
      isReplaced = removed !== '' && added !== ''
    }
    tidy.push(...replaced(removed, added))
    let kept = ''
    for (; parts[i]?.is === 'same'; i++) kept += parts[i]?.text ?? ''
    tidy.push(...same(kept))
  }
  return tidy
}

const isReplacedAt = (parts: readonly DiffPart[], index: number) =>
  parts[index]?.is === 'removed' && parts[index + 1]?.is === 'added'

const isBlank = (text: string) => /^ {1,4}$/.test(text)

/** What a character is to a diff. A `mark` belongs to the character before it. */
type CharacterClass = 'space' | 'break' | 'letter' | 'dense' | 'mark' | 'flag' | 'other'

/** Scripts without spaces between words. */
const dense =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u
const mark = /^[\p{M}\p{Emoji_Modifier}\u00ad\u200c\u200d]$/u
const flag = /^\p{Regional_Indicator}$/u
const letter = /^[\p{L}\p{N}_]$/u

const [cr, lf, zeroWidthJoiner] = [0x0d, 0x0a, 0x200d]

/** Classes are looked up by code point: testing patterns takes ten times as long. */
const known = new Map<number, CharacterClass>()

function classOf(code: number): CharacterClass {
  const before = known.get(code)
  if (before !== undefined) return before
  const found = classify(String.fromCodePoint(code), code)
  known.set(code, found)
  return found
}

function classify(character: string, code: number): CharacterClass {
  if (code === cr || code === lf) return 'break'
  if (mark.test(character)) return 'mark'
  if (dense.test(character)) return 'dense'
  if (letter.test(character)) return 'letter'
  if (flag.test(character)) return 'flag'
  return /^\s$/.test(character) ? 'space' : 'other'
}

/**
 * A text as tokens that a diff compares: words, runs of spaces, line breaks, and single characters of everything else
 * and of scripts without spaces. No token ends inside what a reader sees as one character. Joined, they are the text.
 */
export function toDiffTokens(text: string): string[] {
  const tokens: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = findTokenEnd(text, from)
    tokens.push(text.slice(from, to))
    from = to
  }
  return tokens
}

function findTokenEnd(text: string, from: number): number {
  const first = classAt(text, from)
  const next = from + widthAt(text, from)
  switch (first) {
    case 'break':
      return text.charCodeAt(from) === cr && text.charCodeAt(next) === lf ? next + 1 : next
    case 'space':
      return skip(text, next, (each) => each === 'space')
    case 'letter':
      return skip(text, next, (each) => each === 'letter' || each === 'mark')
    case 'flag':
      return classAt(text, next) === 'flag' ? next + widthAt(text, next) : next
    default:
      return skipMarks(text, next)
  }
}

function skip(text: string, start: number, isPart: (each: CharacterClass) => boolean): number {
  let offset = start
  while (offset < text.length && isPart(classAt(text, offset))) offset += widthAt(text, offset)
  return offset
}

/** Marks after a character, and what a joiner adds to it, as in emoji of several people. */
function skipMarks(text: string, start: number): number {
  let offset = start
  while (offset < text.length && classAt(text, offset) === 'mark') {
    const isJoiner = text.charCodeAt(offset) === zeroWidthJoiner
    offset += widthAt(text, offset)
    if (isJoiner && offset < text.length && classAt(text, offset) === 'other') offset += widthAt(text, offset)
  }
  return offset
}

const widthAt = (text: string, offset: number) => ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)

function classAt(text: string, offset: number): CharacterClass {
  return offset < text.length ? classOf(text.codePointAt(offset) ?? 0) : 'other'
}

/** A text as lines with their line ends. Joined, they are the text. */
export function toLines(text: string): string[] {
  const lines: string[] = []
  let from = 0
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code !== lf && (code !== cr || text.charCodeAt(offset + 1) === lf)) continue
    lines.push(text.slice(from, offset + 1))
    from = offset + 1
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}

/** An entry of a list before or after a change. Entries that changed places are `moved`. */
export interface ListEntry {
  readonly is: 'same' | 'moved' | 'added' | 'removed'
  readonly text: string
}

/** The list after the change, with removed entries where they were. Of repeated entries each one counts. */
export function diffLists(before: readonly string[], after: readonly string[]): ListEntry[] {
  const origins = findOrigins(before, after)
  const kept = findLongestRise(origins)
  const used = new Set(origins)
  const removed = before.flatMap((text, index) => (used.has(index) ? [] : [{ at: index, text }]))
  const entries: ListEntry[] = []
  const addRemovedUpTo = (end: number) => {
    while (removed[0] !== undefined && removed[0].at < end) {
      entries.push({ is: 'removed', text: removed.shift()?.text ?? '' })
    }
  }
  for (const [i, text] of after.entries()) {
    const origin = origins[i] ?? -1
    if (kept.has(i)) addRemovedUpTo(origin)
    entries.push({ is: origin < 0 ? 'added' : kept.has(i) ? 'same' : 'moved', text })
  }
  addRemovedUpTo(before.length)
  return entries
}

/** For each entry after the change, its position before; -1 for new ones. */
function findOrigins(before: readonly string[], after: readonly string[]): number[] {
  const positions = new Map<string, number[]>()
  for (const [index, text] of before.entries()) positions.set(text, [...(positions.get(text) ?? []), index])
  return after.map((text) => positions.get(text)?.shift() ?? -1)
}

/** The indexes of a longest rising part of the positions: the entries that did not move. */
function findLongestRise(positions: readonly number[]): ReadonlySet<number> {
  const lengths: number[] = []
  const previous: number[] = []
  for (const [i, position] of positions.entries()) {
    let best = -1
    for (let j = 0; j < i && position >= 0; j++) {
      const isBefore = (positions[j] ?? -1) >= 0 && (positions[j] ?? 0) < position
      if (isBefore && (lengths[j] ?? 0) > (lengths[best] ?? 0)) best = j
    }
    previous.push(best)
    lengths.push(position < 0 ? 0 : (lengths[best] ?? 0) + 1)
  }
  const kept = new Set<number>()
  let last = lengths.indexOf(Math.max(0, ...lengths))
  while (last >= 0 && (lengths[last] ?? 0) > 0) {
    kept.add(last)
    last = previous[last] ?? -1
  }
  return kept
}
