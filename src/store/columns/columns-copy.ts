import type { NumberListArrays } from './number-lists.ts'
import { createArrays, dead, live, noRange, type RecordData, type SlotArrays, unknownDay } from './record-data.ts'

/** All columns at one moment; arrays have one value per slot. */
export interface ColumnsCopy extends SlotArrays {
  readonly ids: Float64Array
  readonly speakers: NumberListArrays
  readonly tags: NumberListArrays
  /** In the order of their numbers. */
  readonly languageNames: readonly string[]
}

/** Takes about 20 ms per million records. Nothing but ids is left of erased records. */
export function copyColumns(data: RecordData): ColumnsCopy {
  const end = data.slots.end()
  const arrays = data.arrays()
  const copy = {
    states: arrays.states.slice(0, end),
    categories: arrays.categories.slice(0, end),
    languages: arrays.languages.slice(0, end),
    days: arrays.days.slice(0, end),
    years: arrays.years.slice(0, end),
    durations: arrays.durations.slice(0, end),
    media: arrays.media.slice(0, end),
    liveSeqs: arrays.liveSeqs.slice(0, end),
  }
  for (let slot = copy.states.indexOf(dead); slot >= 0; slot = copy.states.indexOf(dead, slot + 1)) clear(copy, slot)
  return {
    ...copy,
    ids: data.slots.copyIds(),
    speakers: data.speakers.copy(end),
    tags: data.tags.copy(end),
    languageNames: Array.from({ length: data.languages.end() }, (_, number) => data.languages.toText(number)),
  }
}

function clear({ categories, languages, days, years, durations, media, liveSeqs }: SlotArrays, slot: number): void {
  categories[slot] = 0
  languages[slot] = 0
  days[slot] = unknownDay
  years[slot] = 0
  durations[slot] = 0
  media[slot] = 0
  liveSeqs[slot] = 0
}

const sliceSize = 16_000

/** Fills empty columns from a copy, in slices. The result is whether the copy was consistent. */
export function* restoreColumns(data: RecordData, copy: ColumnsCopy): Generator<void, boolean> {
  const end = copy.ids.length
  if (!isConsistent(copy, end) || !hasSameLanguages(data, copy.languageNames)) return false
  const { speakers, tags } = copy
  if (!data.speakers.restore(speakers) || !data.tags.restore(tags)) return false
  yield
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

function* restoreTallies({ tallies, total, speakers, tags }: RecordData, copy: ColumnsCopy): Generator<void, void> {
  const [all, lives] = toFlags(copy.states)
  total.restore(...countValues(new Uint16Array(all.length), copy.states))
  yield
  tallies.category.restore(...countValues(copy.categories, copy.states))
  yield
  tallies.language.restore(...countValues(copy.languages, copy.states))
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

function findLargest(numbers: Uint16Array | Uint32Array): number {
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
  const { states, languages, speakers, tags } = copy
  const { categories, days, years, durations, media, liveSeqs } = copy
  const values = [states, categories, languages, days, years, durations, media, liveSeqs]
  const arrays = [...values, speakers.starts, tags.starts]
  if (end < 1 || arrays.some(({ length }) => length !== end)) return false
  for (let slot = 0; slot < end; slot++) {
    if ((states[slot] ?? 0) > 2 || (languages[slot] ?? 0) >= copy.languageNames.length) return false
  }
  return states[0] === dead
}

/** The numbering of languages is never cleared, so an earlier load may have given other numbers. */
function hasSameLanguages({ languages }: RecordData, names: readonly string[]): boolean {
  return names.every((name, number) => languages.ensureNumber(name) === number)
}

/** As large as the arrays of data that has grown to this size. */
function withRoom(copy: ColumnsCopy, end: number): SlotArrays {
  return createArrays(2 ** Math.ceil(Math.log2(Math.max(1024, end))), copy)
}
