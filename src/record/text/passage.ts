import type { Hit } from './find-hits.ts'

/** A range of a text in UTF-16 units. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A group of hits that fit into one passage. */
export interface Group extends Range {
  readonly score: number
}

const maxLength = 200
/** Leaves room for words before and after the hits. */
const maxGroupLength = 150
/** At most so much precedes the first hit. */
const maxLead = 60
/** Enough for a word segmenter to see the word at a boundary. */
const context = 32

/** The group with the highest total weight of different keys; the first of equal ones; null without hits. */
export function findBestGroup(hits: readonly Hit[], toWeight: (key: string) => number): Group | null {
  const counts = new Map<string, number>()
  let best: Group | null = null
  let score = 0
  let first = 0
  for (const [i, { key, to }] of hits.entries()) {
    if (add(counts, key, 1) === 1) score += toWeight(key)
    for (let oldest = hits[first]; oldest !== undefined && first < i; oldest = hits[++first]) {
      if (to - oldest.from <= maxGroupLength) break
      if (add(counts, oldest.key, -1) === 0) score -= toWeight(oldest.key)
    }
    if (score > (best?.score ?? 0)) best = { score, from: hits[first]?.from ?? 0, to }
  }
  return best
}

function add(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change
  counts.set(key, count)
  return count
}

/** The part of a text around these hits, from the start of a sentence or word to the end of a word. */
export function toPassageRange(text: string, { from, to }: Range): Range {
  const lead = Math.min(maxLead, Math.max(0, maxLength - (to - from)))
  const min = Math.max(0, Math.min(from - lead, text.length - maxLength))
  const start = findStart(text, min, from)
  const end = findEnd(text, Math.min(to, start + maxLength), start + maxLength)
  const passage = text.slice(start, end)
  const trimmed = passage.trimStart()
  return { from: end - trimmed.length, to: start + passage.trimEnd().length }
}

const sentenceStart = /[.!?…]["'”’»)\]]?\s+|[。！？]|\n\n\s*/
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The first start of a sentence at or after `min`, else of a word. `from` is the start of a hit. */
function findStart(text: string, min: number, from: number): number {
  if (min === 0) return 0
  const sentence = sentenceStart.exec(text.slice(min, from))
  if (sentence !== null) return min + sentence.index + sentence[0].length
  const base = Math.max(0, min - context)
  for (const { index } of wordSegmenter.segment(text.slice(base, from))) {
    if (base + index >= min) return base + index
  }
  return from
}

/** The last end of a word at or before `max`. `to` is the end of a hit. */
function findEnd(text: string, to: number, max: number): number {
  if (max >= text.length) return text.length
  let end = to
  for (const { index } of wordSegmenter.segment(text.slice(to, max + context))) {
    if (to + index > max) break
    end = to + index
  }
  return isInsidePair(text, end) ? end - 1 : end
}

/** Whether this offset splits a surrogate pair. */
function isInsidePair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}
