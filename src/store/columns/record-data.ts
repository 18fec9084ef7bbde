import { live, type Visibility } from '../../record/state.ts'
import { createNumbering, type Numbering, readDigits, toDayNumber, toTimestampMs } from './numbering.ts'
import {
  createArrays,
  createNumberLists,
  createSlots,
  dead,
  type NumberLists,
  type SlotArrays,
  type SlotSet,
  type Slots,
  unknownDay,
} from './slots.ts'

/** A record as it is loaded: its row in `listing`. */
export interface RecordRow {
  readonly id: number
  readonly state: number
  readonly category: number
  readonly language: string
  readonly recorded: string | null
  readonly duration: number | null
  readonly media: number
  readonly liveSeq: number
  readonly quality: number
  readonly host: string
  readonly author: string
  readonly added: string
  readonly updated: string
  /** The canonical source URL. */
  readonly video: string
}

/** The columns in memory, and counts of their values. */
export interface RecordData {
  readonly slots: Slots
  arrays(): SlotArrays
  readonly speakers: NumberLists
  readonly tags: NumberLists
  readonly languages: Numbering
  readonly hosts: Numbering
  readonly authors: Numbering
  readonly counts: Counts
  set(row: RecordRow, speakers: readonly number[], tags: readonly number[]): void
  remove(id: number): void
  clear(): void
}

/** Called for each change of a record, so that other indexes follow. */
export interface RecordWatcher {
  /** A record is new or may have changed. */
  changed(slot: number): void
  removed(slot: number): void
  cleared(): void
}

const noWatcher: RecordWatcher = { changed: () => undefined, removed: () => undefined, cleared: () => undefined }

const firstSize = 1024

export function createRecordData(watcher = noWatcher): RecordData {
  const slots = createSlots()
  const [speakers, tags, languages] = [createNumberLists(), createNumberLists(), createNumbering()]
  const [hosts, authors] = [createNumbering(), createNumbering()]
  let arrays = createArrays(firstSize, null)
  const counts = createCounts({ slots, speakers, tags, arrays: () => arrays })

  function setValues(slot: number, row: RecordRow): void {
    const { recorded } = row
    arrays.states[slot] = row.state
    arrays.categories[slot] = row.category
    arrays.languages[slot] = languages.ensureNumber(row.language)
    arrays.days[slot] = recorded === null ? unknownDay : toDayNumber(recorded)
    arrays.years[slot] = recorded === null ? 0 : readDigits(recorded, 0, 4) + 1
    arrays.durations[slot] = row.duration ?? -1
    arrays.media[slot] = row.media
    arrays.liveSeqs[slot] = row.liveSeq
    arrays.qualities[slot] = row.quality
    arrays.hosts[slot] = hosts.ensureNumber(row.host)
    arrays.authors[slot] = authors.ensureNumber(row.author)
    arrays.addedMs[slot] = toTimestampMs(row.added)
    arrays.updatedMs[slot] = toTimestampMs(row.updated)
    arrays.videos[slot] = toVideoHash(row.video)
  }

  /** The values of a slot that are counted. Most changes of a record leave them as they are. */
  const toCountedValues = (slot: number): readonly (readonly [CountedColumn, unknown])[] => [
    ['state', arrays.states[slot]],
    ['category', arrays.categories[slot]],
    ['language', arrays.languages[slot]],
    ['day', arrays.days[slot]],
    ['video', arrays.videos[slot]],
    ['speaker', speakers.get(slot).join()],
    ['tag', tags.get(slot).join()],
  ]

  return {
    ...{ slots, speakers, tags, languages, hosts, authors, counts },
    arrays: () => arrays,
    set(row, speakerIds, tagIds) {
      const isNew = slots.toSlot(row.id) === 0
      const slot = slots.ensureSlot(row.id)
      if (slot >= arrays.states.length) arrays = createArrays(2 * arrays.states.length, arrays)
      const before = isNew ? [] : toCountedValues(slot)
      setValues(slot, row)
      speakers.set(slot, speakerIds, 0, speakerIds.length)
      tags.set(slot, tagIds, 0, tagIds.length)
      if (isNew) counts.clear()
      else
        counts.clear(toCountedValues(slot).flatMap(([column, value], i) => (value === before[i]?.[1] ? [] : [column])))
      watcher.changed(slot)
    },
    remove(id) {
      const slot = slots.toSlot(id)
      if (slot === 0 || arrays.states[slot] === dead) return
      arrays.states[slot] = dead
      for (const lists of [speakers, tags]) lists.set(slot, [], 0, 0)
      counts.clear()
      watcher.removed(slot)
    },
    clear() {
      for (const each of [slots, speakers, tags, hosts, authors, counts]) each.clear()
      arrays.states.fill(dead)
      watcher.cleared()
    },
  }
}

const highBits = 2 ** 32

/** 53 bits: two of a million URLs have the same hash with a probability of 1 in 18,000. 0 for none. */
function toVideoHash(url: string): number {
  if (url === '') return 0
  const high = Bun.hash.xxHash32(url, 1) & 0x1fffff
  return high * highBits + Bun.hash.xxHash32(url) || 1
}

export type CountedKind = 'category' | 'language' | 'speaker' | 'tag'
/** The columns that counts depend on. */
type CountedColumn = CountedKind | 'state' | 'day' | 'video'

/** Counts over the columns. Computed by a pass over all records on demand, and cached until a column changes. */
interface Counts {
  visible(visibility: Visibility): SlotSet
  /** How many records that a caller sees have each category, language, speaker or tag, by its number. */
  by(kind: CountedKind, visibility: Visibility): Uint32Array
  /** The hashes of videos that several records have of those that a caller sees. */
  sharedVideos(visibility: Visibility): ReadonlySet<number>
  /** All slots with a record: the latest day first, unknown days last. */
  byDay(): Uint32Array
}

interface CountedColumns {
  readonly slots: Slots
  readonly speakers: NumberLists
  readonly tags: NumberLists
  arrays(): SlotArrays
}

/** `clear` is called when values of these columns have changed, or records were added. All counts depend on states. */
function createCounts({ slots, speakers, tags, arrays }: CountedColumns): Counts & {
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
