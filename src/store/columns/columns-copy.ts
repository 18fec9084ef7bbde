import type { NumberListArrays } from './number-lists.ts'
import { noRange, type RecordData } from './record-data.ts'
import {
  clearSlot,
  copyArrays,
  createArrays,
  dead,
  live,
  type SlotArrays,
  slotArrayNames,
  unknownDay,
} from './slot-arrays.ts'

/** All columns at one moment; arrays have one value per slot. */
export interface ColumnsCopy extends SlotArrays {
  readonly ids: Float64Array
  readonly speakers: NumberListArrays
  readonly tags: NumberListArrays
  /** In the order of their numbers. */
  readonly languageNames: readonly string[]
  readonly hostNames: readonly string[]
  readonly authorNames: readonly string[]
  /** Hashes of source URLs, in the order of their numbers. */
  readonly videoHashes: Float64Array
}

/** Takes about 20 ms per million records. Nothing but ids is left of erased records. */
export function copyColumns(data: RecordData): ColumnsCopy {
  const end = data.slots.end()
  const copy = copyArrays(data.arrays(), end)
  for (let slot = copy.states.indexOf(dead); slot >= 0; slot = copy.states.indexOf(dead, slot + 1)) {
    clearSlot(copy, slot)
  }
  return {
    ...copy,
    ids: data.slots.copyIds(),
    speakers: data.speakers.copy(end),
    tags: data.tags.copy(end),
    languageNames: Array.from({ length: data.languages.end() }, (_, number) => data.languages.toText(number)),
    hostNames: Array.from(renumber(copy.hosts, data.hosts.end()), data.hosts.toText),
    authorNames: Array.from(renumber(copy.authors, data.authors.end()), data.authors.toText),
    videoHashes: Float64Array.from(renumber(copy.videos, data.videos.end()), data.videos.toHash),
  }
}

/** Gives values dense numbers again, without those that only erased records had. Returns the old ones in their order. */
function renumber(values: Uint32Array, end: number): number[] {
  const numbers = new Int32Array(end).fill(-1)
  numbers[0] = 0
  const kept = [0]
  for (let slot = 0; slot < values.length; slot++) {
    const old = values[slot] ?? 0
    if (numbers[old] === -1) numbers[old] = kept.push(old) - 1
    values[slot] = numbers[old] ?? 0
  }
  return kept
}

const sliceSize = 16_000

/** Fills empty columns from a copy, in slices. The result is whether the copy was consistent. */
export function* restoreColumns(data: RecordData, copy: ColumnsCopy): Generator<void, boolean> {
  const end = copy.ids.length
  if (!isConsistent(copy, end) || !hasSameLanguages(data, copy.languageNames)) return false
  const { speakers, tags } = copy
  if (!data.speakers.restore(speakers) || !data.tags.restore(tags)) return false
  yield
  if (!data.hosts.restore(copy.hostNames) || !data.authors.restore(copy.authorNames)) return false
  data.videos.clear()
  for (let number = 1; number < copy.videoHashes.length; number++) {
    if (number % sliceSize === 0) yield
    if (data.videos.ensureHash(copy.videoHashes[number] ?? 0) !== number) return false
  }
  data.replaceArrays(withRoom(copy, end), findDayRange(copy.days))
  for (let slot = 1; slot < end; slot++) {
    if (slot % sliceSize === 0) yield
    const id = copy.ids[slot] ?? 0
    if (!Number.isSafeInteger(id) || id <= 0 || data.slots.ensureSlot(id) !== slot) return false
  }
  yield* restoreTallies(data, copy)
  return true
}

function findDayRange(days: Int32Array): { first: number; last: number } {
  let { first, last } = noRange
  for (let slot = 1; slot < days.length; slot++) {
    const day = days[slot] ?? unknownDay
    if (day !== unknownDay && day < first) first = day
    if (day > last) last = day
  }
  return { first, last }
}

function* restoreTallies(data: RecordData, copy: ColumnsCopy): Generator<void, void> {
  const { tallies, total, speakers, tags } = data
  const [all, lives] = toFlags(copy.states)
  total.restore(...countValues(new Uint16Array(all.length), copy.states))
  yield
  tallies.category.restore(...countValues(copy.categories, copy.states))
  yield
  tallies.language.restore(...countValues(copy.languages, copy.states))
  yield
  tallies.video.restore(...countValues(copy.videos, copy.states))
  yield
  tallies.host.restore(...countValues(copy.hosts, copy.states))
  tallies.author.restore(...countValues(copy.authors, copy.states))
  yield
  yield* restoreSlotLists(data, copy)
  for (const [tally, lists, copied] of [
    [tallies.speaker, speakers, copy.speakers],
    [tallies.tag, tags, copy.tags],
  ] as const) {
    yield
    const end = 1 + findLargest(copied.lists)
    const counts = lists.count(all, end)
    yield
    tally.restore(counts, lists.count(lives, end))
  }
}

/** The days of events are read when they are needed, and then the records outside of them are found. */
function* restoreSlotLists(
  { bitSlots, outside, sharedVideos }: RecordData,
  { states, qualities, videos }: ColumnsCopy,
): Generator<void, void> {
  for (const lists of [bitSlots, outside, sharedVideos]) lists.clear()
  for (let slot = 1; slot < states.length; slot++) {
    if (slot % sliceSize === 0) yield
    if (states[slot] === dead) continue
    bitSlots.add(slot, qualities[slot] ?? 0, states[slot] === live)
    sharedVideos.add(slot, videos[slot] ?? 0)
  }
}

function findLargest(numbers: Uint8Array | Uint16Array | Uint32Array): number {
  let largest = 0
  for (let i = 0; i < numbers.length; i++) if ((numbers[i] ?? 0) > largest) largest = numbers[i] ?? 0
  return largest
}

/** Flags of all slots that have a record, and of those with a live one. */
function toFlags(states: Uint8Array): [Uint8Array, Uint8Array] {
  const [all, lives] = [new Uint8Array(states.length), new Uint8Array(states.length)]
  for (let slot = 0; slot < states.length; slot++) {
    all[slot] = states[slot] === dead ? 0 : 1
    lives[slot] = states[slot] === live ? 1 : 0
  }
  return [all, lives]
}

/** How many records have each value, and how many live ones. */
function countValues(values: Uint16Array | Uint32Array, states: Uint8Array): [Uint32Array, Uint32Array] {
  const end = 1 + findLargest(values)
  const [all, lives] = [new Uint32Array(end), new Uint32Array(end)]
  for (let slot = 0; slot < values.length; slot++) {
    if (states[slot] === dead) continue
    const value = values[slot] ?? 0
    all[value] = (all[value] ?? 0) + 1
    if (states[slot] === live) lives[value] = (lives[value] ?? 0) + 1
  }
  return [all, lives]
}

function isConsistent(copy: ColumnsCopy, end: number): boolean {
  const { states, speakers, tags } = copy
  const lengths = [...slotArrayNames.map((name) => copy[name].length), speakers.starts.length, tags.starts.length]
  if (end < 1 || lengths.some((length) => length !== end)) return false
  const numbered = [
    [states, live + 2],
    [copy.languages, copy.languageNames.length],
    [copy.hosts, copy.hostNames.length],
    [copy.authors, copy.authorNames.length],
    [copy.videos, copy.videoHashes.length],
  ] as const
  return states[0] === dead && numbered.every(([values, count]) => findLargest(values) < count)
}

/** The numbering of languages is never cleared, so an earlier load may have given other numbers. */
function hasSameLanguages({ languages }: RecordData, names: readonly string[]): boolean {
  return names.every((name, number) => languages.ensureNumber(name) === number)
}

/** As large as the arrays of data that has grown to this size. */
function withRoom(copy: ColumnsCopy, end: number): SlotArrays {
  return createArrays(2 ** Math.ceil(Math.log2(Math.max(1024, end))), copy)
}
