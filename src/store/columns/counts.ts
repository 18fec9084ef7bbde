import type { Visibility } from '../../record/visibility.ts'
import type { NumberLists } from './number-lists.ts'
import { dead, live, type SlotArrays, type SlotSet, unknownDay } from './slot-arrays.ts'
import type { Slots } from './slots.ts'

export type CountedKind = 'category' | 'language' | 'speaker' | 'tag'
/** The columns that counts are made from. */
export type CountedColumn = CountedKind | 'state' | 'day' | 'video'

/** What follows from the columns. Made by a pass over all records when it is needed, and kept until one of them changes. */
export interface Counts {
  visible(visibility: Visibility): SlotSet
  /** How many records that a caller sees have each category, language, speaker or tag, by its number. */
  by(kind: CountedKind, visibility: Visibility): Uint32Array
  /** The hashes of videos that several records have of those that a caller sees. */
  sharedVideos(visibility: Visibility): ReadonlySet<number>
  /** All slots with a record: the latest day first, unknown days last. */
  byDay(): Uint32Array
}

export interface CountedColumns {
  readonly slots: Slots
  readonly speakers: NumberLists
  readonly tags: NumberLists
  arrays(): SlotArrays
}

/** `clear` is called when values of these columns have changed, or records were added. All counts depend on states. */
export function createCounts({ slots, speakers, tags, arrays }: CountedColumns): Counts & {
  clear(changed?: readonly CountedColumn[]): void
} {
  const known = new Map<string, unknown>()
  const keep = <T>(of: CountedColumn, visibility: Visibility, make: () => T): T => {
    const key = `${of} ${visibility}`
    if (!known.has(key)) known.set(key, make())
    // Each key is used with one type only.
    return known.get(key) as T
  }

  const visible = (visibility: Visibility) =>
    keep('state', visibility, () => findVisible(arrays().states, slots.end(), visibility))

  function count(kind: CountedKind, { flags }: SlotSet): Uint32Array {
    if (kind === 'speaker') return speakers.count(flags)
    if (kind === 'tag') return tags.count(flags)
    const values = kind === 'category' ? arrays().categories : arrays().languages
    return countValues(flags, values, 1 + findLargest(values.subarray(0, flags.length)))
  }

  return {
    visible,
    by: (kind, visibility) => keep(kind, visibility, () => count(kind, visible(visibility))),
    sharedVideos: (visibility) =>
      keep('video', visibility, () => findShared(visible(visibility).flags, arrays().videos)),
    byDay: () => keep('day', 'all', () => sortByDay(visible('all'), arrays().days)),
    clear(changed = ['state']) {
      if (changed.includes('state')) known.clear()
      for (const column of changed) for (const visibility of ['all', 'live']) known.delete(`${column} ${visibility}`)
    },
  }
}

function findVisible(states: Uint8Array, end: number, visibility: Visibility): SlotSet {
  const flags = new Uint8Array(end)
  for (let slot = 1; slot < end; slot++) {
    flags[slot] = (visibility === 'live' ? states[slot] === live : states[slot] !== dead) ? 1 : 0
  }
  return { flags, count: countFlags(flags) }
}

/** Four flags at a time: the product has their sum in its highest byte. */
export function countFlags(flags: Uint8Array): number {
  const fours = new Uint32Array(flags.buffer, flags.byteOffset, flags.length >>> 2)
  let count = 0
  for (let i = 0; i < fours.length; i++) count += Math.imul(fours[i] ?? 0, 0x01010101) >>> 24
  for (let slot = 4 * fours.length; slot < flags.length; slot++) count += flags[slot] ?? 0
  return count
}

/** How many of the slots with a flag have each value; all values are less than `end`. */
export function countValues(flags: Uint8Array, values: Uint32Array | Uint16Array, end: number): Uint32Array {
  const counts = new Uint32Array(end)
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    // Without a branch on the flag, which could not be predicted.
    counts[value] = (counts[value] ?? 0) + (flags[slot] ?? 0)
  }
  return counts
}

export function findLargest(numbers: Uint8Array | Uint16Array | Uint32Array): number {
  let largest = 0
  for (let i = 0; i < numbers.length; i++) if ((numbers[i] ?? 0) > largest) largest = numbers[i] ?? 0
  return largest
}

/** Number 0: no video. */
function findShared(flags: Uint8Array, videos: Float64Array): ReadonlySet<number> {
  const [seen, shared] = [new Set<number>(), new Set<number>()]
  for (let slot = 1; slot < flags.length; slot++) {
    const video = videos[slot] ?? 0
    if (video === 0 || flags[slot] === 0) continue
    if (seen.has(video)) shared.add(video)
    else seen.add(video)
  }
  return shared
}

/** By counting: days are close together. Slots of the same day ascend. */
function sortByDay({ flags, count }: SlotSet, days: Int32Array): Uint32Array {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let slot = 1; slot < flags.length; slot++) {
    const day = days[slot] ?? unknownDay
    if (flags[slot] === 0 || day === unknownDay) continue
    if (day < first) first = day
    if (day > last) last = day
  }
  const size = last < first ? 0 : last - first + 1
  const toIndex = (day: number) => (day === unknownDay ? size : last - day)
  /** Where the slots of the next day begin, then where the next slot of a day goes. */
  const starts = new Uint32Array(size + 2)
  for (let slot = 1; slot < flags.length; slot++) {
    const next = toIndex(days[slot] ?? unknownDay) + 1
    starts[next] = (starts[next] ?? 0) + (flags[slot] ?? 0)
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0)
  const sorted = new Uint32Array(count)
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] === 0) continue
    const index = toIndex(days[slot] ?? unknownDay)
    const position = starts[index] ?? 0
    sorted[position] = slot
    starts[index] = position + 1
  }
  return sorted
}
