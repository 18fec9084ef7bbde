import type { Change } from '../columns/change-follower.ts'
import type { ColumnsCopy } from '../columns/columns-copy.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Dictionary } from '../search/dictionary.ts'
import type { Segment, SegmentArrays } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'
import type { IsDue, Slices } from './slices.ts'

/**
 * The indexes at one moment. Columns are copied. Of segments only `dead` is, because nothing else in them changes; words
 * are only added to the dictionary.
 */
export interface Captured {
  readonly change: Change
  readonly columns: ColumnsCopy
  readonly segments: readonly CapturedSegment[]
  readonly dictionary: Dictionary
  readonly wordCount: number
}

export interface CapturedSegment {
  readonly segment: Segment
  readonly dead: Uint8Array
}

type CapturedColumns = Pick<RecordColumns, 'lastChange' | 'copy'>

export function capture(columns: CapturedColumns, { dictionary, segments }: WordsIndex): Captured {
  return {
    change: columns.lastChange(),
    columns: columns.copy(),
    segments: segments().map((segment) => ({ segment, dead: segment.dead.slice() })),
    dictionary,
    wordCount: dictionary.size(),
  }
}

/** About the size of its file. */
export function countBytes({ columns, segments }: Captured): number {
  const perRecord = 100
  const perPosting = 5
  return segments.reduce(
    (sum, { segment }) => sum + perPosting * segment.positions.length,
    perRecord * columns.ids.length,
  )
}

/** The arrays of a segment as they are written. */
export interface SegmentSections extends SegmentArrays {
  readonly titleStarts: Uint32Array
  readonly titlePositions: Uint16Array
}

/** The arrays of a segment without dead records, so that no word of an erased record is written (ADR 44). */
export function* copyLiving(captured: CapturedSegment, isDue: IsDue): Slices<SegmentSections> {
  const { segment, dead } = captured
  const { titles } = segment
  if (!dead.includes(1)) return { ...segment, titleStarts: titles.starts, titlePositions: titles.positions }
  const { moved, ...records } = moveRecords(segment, dead)
  const { length } = segment.positions
  const [positions, occurrences] = [new Uint16Array(length), new Uint16Array(length)]
  const [words, starts] = [new Uint32Array(segment.words.length), new Uint32Array(segment.starts.length)]
  const [titleStarts, titlePositions] = [new Uint32Array(starts.length), new Uint16Array(titles.positions.length)]
  let [count, end, titleEnd, copied] = [0, 0, 0, 0]
  for (let i = 0; i < segment.words.length; i++) {
    const next = copyPostings(segment, i, dead, moved, positions, end)
    copyOccurrences(captured, i, occurrences, end)
    titleEnd = copyPostings(titles, i, dead, moved, titlePositions, titleEnd)
    copied += next - end + 1
    if (next > end) {
      words[count++] = segment.words[i] ?? 0
      starts[count] = next
      titleStarts[count] = titleEnd
    }
    end = next
    if (copied < checkedPostings) continue
    copied = 0
    if (isDue()) yield
  }
  return {
    ...records,
    words: words.slice(0, count),
    starts: starts.slice(0, count + 1),
    positions: positions.slice(0, end),
    occurrences: occurrences.slice(0, end),
    titleStarts: titleStarts.slice(0, count + 1),
    titlePositions: titlePositions.slice(0, titleEnd),
  }
}

const checkedPostings = 50_000

/** Copies the living positions of the word at `i` to `start` and after; returns the new end. */
function copyPostings(
  { starts, positions }: Segment['titles'],
  i: number,
  dead: Uint8Array,
  moved: Uint16Array,
  target: Uint16Array,
  start: number,
): number {
  const last = starts[i + 1] ?? 0
  let end = start
  for (let at = starts[i] ?? 0; at < last; at++) {
    const position = positions[at] ?? 0
    if (dead[position] === 0) target[end++] = moved[position] ?? 0
  }
  return end
}

function copyOccurrences({ segment, dead }: CapturedSegment, i: number, target: Uint16Array, start: number): void {
  const last = segment.starts[i + 1] ?? 0
  let end = start
  for (let at = segment.starts[i] ?? 0; at < last; at++) {
    if (dead[segment.positions[at] ?? 0] === 0) target[end++] = segment.occurrences[at] ?? 0
  }
}

function moveRecords(segment: Segment, dead: Uint8Array) {
  const size = dead.length
  const [moved, slots] = [new Uint16Array(size), new Uint32Array(size)]
  const [titleLengths, sizes] = [new Uint8Array(size), new Uint8Array(size)]
  let end = 0
  for (let position = 0; position < size; position++) {
    if (dead[position] === 1) continue
    moved[position] = end
    slots[end] = segment.slots[position] ?? 0
    titleLengths[end] = segment.titleLengths[position] ?? 0
    sizes[end++] = segment.sizes[position] ?? 0
  }
  return {
    moved,
    slots: slots.slice(0, end),
    titleLengths: titleLengths.slice(0, end),
    sizes: sizes.slice(0, end),
  }
}
