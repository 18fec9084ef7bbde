import { toDiffTokens, toLines } from './diff-tokens.ts'
import { diffSequences, type Match, type StepBudget } from './sequence-diff.ts'

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

function toParts(before: readonly string[], after: readonly string[], matches: readonly Match[]): DiffPart[] {
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
const isPlainSpace = (text: string, at: number) => text[at] === ' '

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

const isReplacedAt = (parts: readonly DiffPart[], at: number) =>
  parts[at]?.is === 'removed' && parts[at + 1]?.is === 'added'

const isBlank = (text: string) => /^ {1,4}$/.test(text)
