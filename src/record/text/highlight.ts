import type { Match } from '../query/query.ts'
import type { VideoRecord } from '../record.ts'
import { createHitFinder, type Hit } from './find-hits.ts'
import type { Hits } from './hits.ts'
import { findBestGroup, type Group, type Range, toPassageRange } from './passage.ts'

/** A range in code points; the end is exclusive. */
export type Mark = readonly [from: number, to: number]

/** Where a record matches. Marks are in order and do not overlap. Types, not interfaces, so that they are JSON. */
export type Highlight = {
  /** Marks in the title. */
  readonly title: readonly Mark[]
  /** Without a hit, the beginning of the summary or description; null if both are empty. */
  readonly passage: Passage | null
}

export type Passage = {
  readonly field: PassageField
  /** A part of the field; names are separated by `, `. */
  readonly text: string
  readonly marks: readonly Mark[]
}

/** Fields that a passage can come from; the first is preferred. */
export const passageFields = ['summary', 'description', 'speakers', 'tags', 'category'] as const
export type PassageField = (typeof passageFields)[number]

export type HighlightedRecord = Pick<VideoRecord, 'title' | PassageField>

/** Only the beginning of a long field is searched for hits, so that a page of long texts takes bounded time. */
const maxSearched = 10_000

/** Returns a function that highlights records. Use it for one page: it remembers the words of the records it has seen. */
export function createHighlighter(hits: Hits, match: Match): (record: HighlightedRecord) => Highlight {
  const find = createHitFinder(hits, match)
  return (record) => {
    const { title } = record
    return { title: toMarks(find(title), title, { from: 0, to: title.length }), passage: toPassage(record, find) }
  }
}

/** A field as one text, with its hits. */
interface Searched {
  readonly field: PassageField
  readonly text: string
  readonly hits: readonly Hit[]
}

type Find = (text: string) => readonly Hit[]

function toPassage(record: HighlightedRecord, find: Find): Passage | null {
  const searched = passageFields.map((field) => search(field, record[field], find))
  const counts = new Map<string, number>()
  for (const { key } of searched.flatMap(({ hits }) => hits)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const toWeight = (key: string) => 1_000 + Math.floor(100 / (counts.get(key) ?? 1))
  let best: { readonly in: Searched; readonly group: Group } | null = null
  for (const each of searched) {
    const group = findBestGroup(each.hits, toWeight)
    if (group !== null && group.score > (best?.group.score ?? 0)) best = { in: each, group }
  }
  if (best !== null) return cutPassage(best.in, best.group)
  const [first] = searched.filter(({ field, text }) => isProse(field) && text.trim() !== '')
  if (first === undefined) return null
  const start = first.text.search(/\S/)
  return cutPassage(first, { from: start, to: start })
}

const isProse = (field: PassageField) => field === 'summary' || field === 'description'

function search(field: PassageField, value: string | readonly string[], find: Find): Searched {
  if (typeof value === 'string') {
    const text = toBeginning(value)
    return { field, text, hits: find(text) }
  }
  // Name by name, so that no phrase matches across two names.
  const hits: Hit[] = []
  let text = ''
  for (const name of value) {
    if (text.length > maxSearched) break
    const at = text === '' ? 0 : text.length + separator.length
    text = text === '' ? name : `${text}${separator}${name}`
    for (const { key, from, to } of find(name)) hits.push({ key, from: from + at, to: to + at })
  }
  return { field, text, hits }
}

const separator = ', '

function toBeginning(text: string): string {
  const isSplit = (text.codePointAt(maxSearched - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? maxSearched - 1 : maxSearched)
}

function cutPassage({ field, text, hits }: Searched, group: Range): Passage {
  const range = toPassageRange(text, group)
  return { field, text: text.slice(range.from, range.to), marks: toMarks(hits, text, range) }
}

/** The hits inside a range as marks that are relative to it; hits that overlap or touch become one. */
function toMarks(hits: readonly Hit[], text: string, range: Range): Mark[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of hits) {
    // A hit that is longer than the passage is cut like it.
    const end = from === range.from ? Math.min(to, range.to) : to
    if (from < range.from || end > range.to) continue
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, end)
    else merged.push({ from, to: end })
  }
  let offset = range.from
  let count = 0
  const toCodePoints = (at: number) => {
    for (; offset < at; offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1) count++
    return count
  }
  return merged.map(({ from, to }): Mark => [toCodePoints(from), toCodePoints(to)])
}
