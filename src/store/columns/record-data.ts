import { live, type Visibility } from '../../record/state.ts'
import { getOrMake } from '../read/memo.ts'
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

  const toCounted = (slot: number): CountedRow => ({
    state: arrays.states[slot] ?? dead,
    category: [arrays.categories[slot] ?? 0],
    language: [arrays.languages[slot] ?? 0],
    speaker: speakers.get(slot).slice(),
    tag: tags.get(slot).slice(),
    day: arrays.days[slot] ?? unknownDay,
    video: arrays.videos[slot] ?? 0,
  })

  return {
    ...{ slots, speakers, tags, languages, hosts, authors, counts },
    arrays: () => arrays,
    set(row, speakerIds, tagIds) {
      const isNew = slots.toSlot(row.id) === 0
      const slot = slots.ensureSlot(row.id)
      if (slot >= arrays.states.length) arrays = createArrays(2 * arrays.states.length, arrays)
      const before = isNew ? none : toCounted(slot)
      setValues(slot, row)
      speakers.set(slot, speakerIds, 0, speakerIds.length)
      tags.set(slot, tagIds, 0, tagIds.length)
      counts.replace(slot, before, toCounted(slot))
      watcher.changed(slot)
    },
    remove(id) {
      const slot = slots.toSlot(id)
      if (slot === 0 || arrays.states[slot] === dead) return
      const before = toCounted(slot)
      arrays.states[slot] = dead
      for (const lists of [speakers, tags]) lists.set(slot, [], 0, 0)
      counts.replace(slot, before, none)
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

const countedKinds = ['category', 'language', 'speaker', 'tag'] as const
export type CountedKind = (typeof countedKinds)[number]

/** The values of a record that are counted. */
interface CountedRow extends Readonly<Record<CountedKind, ArrayLike<number>>> {
  readonly state: number
  readonly day: number
  readonly video: number
}

const none: CountedRow = { state: dead, category: [], language: [], speaker: [], tag: [], day: unknownDay, video: 0 }

/** Counts over the columns. Computed by a pass over all records on demand, then kept up to date with each change. */
interface Counts {
  visible(visibility: Visibility): SlotSet
  /** How many records that a caller sees have each category, language, speaker or tag, by its number. */
  by(kind: CountedKind, visibility: Visibility): Uint32Array
  /** The hashes of videos that several records have of those that a caller sees. */
  sharedVideos(visibility: Visibility): ReadonlySet<number>
  /** All slots with a record: the latest day first, or the earliest; unknown days last. */
  byDay(isDescending: boolean): Uint32Array
  /** Moves whenever a record of the category changes. */
  revisionOf(category: number): number
}

interface CountedColumns {
  readonly slots: Slots
  readonly speakers: NumberLists
  readonly tags: NumberLists
  arrays(): SlotArrays
}

function createCounts({ slots, speakers, tags, arrays }: CountedColumns): Counts & {
  replace(slot: number, before: CountedRow, after: CountedRow): void
  clear(): void
} {
  const visible = new Map<Visibility, SlotSet>()
  const counted = new Map<`${CountedKind} ${Visibility}`, Uint32Array>()
  const shared = new Map<Visibility, ReadonlySet<number>>()
  const sorted = new Map<boolean, Uint32Array>()
  const revisions: number[] = []
  let [revision, cleared] = [1, 1]

  const getVisible = (visibility: Visibility) =>
    getOrMake(visible, visibility, () => findVisible(arrays().states, slots.end(), visibility))

  function count(kind: CountedKind, { flags }: SlotSet): Uint32Array {
    if (kind === 'speaker') return speakers.count(flags)
    if (kind === 'tag') return tags.count(flags)
    const values = kind === 'category' ? arrays().categories : arrays().languages
    return countValues(flags, values, 1 + findLargest(values.subarray(0, flags.length)))
  }

  function replaceSeen(visibility: Visibility, slot: number, before: CountedRow, after: CountedRow): void {
    const [was, is] = [isSeen(before.state, visibility), isSeen(after.state, visibility)]
    if (!was && !is) return
    const set = visible.get(visibility)
    if (set !== undefined) visible.set(visibility, withFlag(set, slot, is))
    for (const kind of countedKinds) {
      const key = `${kind} ${visibility}` as const
      const known = counted.get(key)
      if (known === undefined) continue
      const less = was ? add(known, before[kind], -1) : known
      counted.set(key, is ? add(less, after[kind], 1) : less)
    }
    if (was !== is || before.video !== after.video) shared.delete(visibility)
  }

  return {
    visible: getVisible,
    by: (kind, visibility) => getOrMake(counted, `${kind} ${visibility}`, () => count(kind, getVisible(visibility))),
    sharedVideos: (visibility) =>
      getOrMake(shared, visibility, () => findShared(getVisible(visibility).flags, arrays().videos)),
    byDay: (isDescending) =>
      getOrMake(sorted, isDescending, () => sortByDay(getVisible('all'), arrays().days, isDescending)),
    revisionOf: (category) => revisions[category] ?? cleared,
    replace(slot, before, after) {
      revision++
      for (const { category } of [before, after]) if (category.length > 0) revisions[category[0] ?? 0] = revision
      for (const visibility of ['all', 'live'] as const) replaceSeen(visibility, slot, before, after)
      if (before.day !== after.day || isSeen(before.state, 'all') !== isSeen(after.state, 'all')) sorted.clear()
    },
    clear() {
      for (const known of [visible, counted, shared, sorted]) known.clear()
      revisions.length = 0
      cleared = ++revision
    },
  }
}

const isSeen = (state: number, visibility: Visibility) => (visibility === 'live' ? state === live : state !== dead)

/** The set with this flag; it is changed in place, and becomes longer for a new slot. */
function withFlag({ flags, count }: SlotSet, slot: number, is: boolean): SlotSet {
  const longer = slot < flags.length ? flags : toLonger(flags, slot + 1)
  const change = Number(is) - (longer[slot] ?? 0)
  longer[slot] = Number(is)
  return { flags: longer, count: count + change }
}

/** At least doubles the memory, so that appending is amortised. */
function toLonger(flags: Uint8Array, length: number): Uint8Array {
  if (length <= flags.buffer.byteLength) return new Uint8Array(flags.buffer, 0, length)
  const longer = new Uint8Array(2 * length)
  longer.set(flags)
  return longer.subarray(0, length)
}

function add(counts: Uint32Array, numbers: ArrayLike<number>, amount: number): Uint32Array {
  let known = counts
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0
    if (number >= known.length) {
      const larger = new Uint32Array(2 * number + 1)
      larger.set(known)
      known = larger
    }
    known[number] = (known[number] ?? 0) + amount
  }
  return known
}

function findVisible(states: Uint8Array, end: number, visibility: Visibility): SlotSet {
  const flags = new Uint8Array(end)
  for (let slot = 1; slot < end; slot++) {
    flags[slot] = isSeen(states[slot] ?? dead, visibility) ? 1 : 0
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
function sortByDay({ flags, count }: SlotSet, days: Int32Array, isDescending: boolean): Uint32Array {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let slot = 1; slot < flags.length; slot++) {
    const day = days[slot] ?? unknownDay
    if (flags[slot] === 0 || day === unknownDay) continue
    if (day < first) first = day
    if (day > last) last = day
  }
  const size = last < first ? 0 : last - first + 1
  const toIndex = (day: number) => (day === unknownDay ? size : isDescending ? last - day : day - first)
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
