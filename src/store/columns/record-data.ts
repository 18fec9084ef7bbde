import { mediaKinds } from '../../record/fields.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'
import { createNumbering, type Numbering } from './numbering.ts'
import { createSlots, type Slots } from './slots.ts'
import { createTally, type Tally } from './tally.ts'

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
}

/** One value per slot. */
export interface SlotArrays {
  /** 0: no record, or an erased one. */
  readonly states: Uint8Array
  readonly categories: Uint32Array
  readonly languages: Uint16Array
  /** Days since 1970-01-01. */
  readonly days: Int32Array
  /** The year plus one; 0 if the day is unknown. */
  readonly years: Uint16Array
  /** In seconds; -1 if unknown. */
  readonly durations: Int32Array
  /** One bit per entry of `mediaKinds`, and `sourceBit`. */
  readonly media: Uint8Array
  /** The seq of the version by which the record became live; 0 if it is not live, or if that is unknown (ADR 47). */
  readonly liveSeqs: Float64Array
}

export const unknownDay = -0x80000000
/** Set in `media` if the record has a source URL. */
export const sourceBit = 1 << mediaKinds.length
export const dead = 0
export const live = 1

/** Facets and names that records are counted by. */
export const talliedKinds = ['category', 'language', 'speaker', 'tag'] as const
export type TalliedKind = (typeof talliedKinds)[number]

/** The columns in memory, and the counts that follow from them. */
export interface RecordData {
  readonly slots: Slots
  arrays(): SlotArrays
  /** The first and the last day that a record ever had; `first` is greater than `last` if none had one. */
  dayRange(): { readonly first: number; readonly last: number }
  readonly speakers: NumberLists
  readonly tags: NumberLists
  readonly languages: Numbering
  readonly tallies: { readonly [K in TalliedKind]: Tally }
  /** Counts records; its only number is 0. */
  readonly total: Tally
  set(row: RecordRow, speakers: readonly number[], tags: readonly number[]): void
  remove(id: number): void
  clear(): void
  /** For `columns-copy.ts`, which restores all columns at once. */
  replaceArrays(arrays: SlotArrays, dayRange: ReturnType<RecordData['dayRange']>): void
}

/** Told what happens to records, so that other data about them can follow. */
export interface RecordWatcher {
  /** A record is new or may have changed. */
  changed(slot: number): void
  removed(slot: number): void
  cleared(): void
  /** All records were restored at once from a copy. */
  restored?(data: RecordData): void
}

const noWatcher: RecordWatcher = { changed: () => undefined, removed: () => undefined, cleared: () => undefined }

const firstSize = 1024
export const noRange = { first: 0x7fffffff, last: unknownDay }

export function createRecordData(watcher = noWatcher): RecordData {
  const slots = createSlots()
  const [speakers, tags, languages] = [createNumberLists(), createNumberLists(), createNumbering()]
  const tallies = { category: createTally(), language: createTally(), speaker: createTally(), tag: createTally() }
  const total = createTally()
  let arrays = createArrays(firstSize, null)
  let [first, last] = [noRange.first, noRange.last]

  /** Counts a slot in, or out before its values change. */
  function tally(slot: number, speakerIds: ArrayLike<number>, tagIds: ArrayLike<number>, step: 1 | -1): void {
    const isLive = arrays.states[slot] === live
    total.add(0, isLive, step)
    tallies.category.add(arrays.categories[slot] ?? 0, isLive, step)
    tallies.language.add(arrays.languages[slot] ?? 0, isLive, step)
    for (let i = 0; i < speakerIds.length; i++) tallies.speaker.add(speakerIds[i] ?? 0, isLive, step)
    for (let i = 0; i < tagIds.length; i++) tallies.tag.add(tagIds[i] ?? 0, isLive, step)
  }

  function setDay(slot: number, recorded: string | null): void {
    const day = recorded === null ? unknownDay : toDayNumber(recorded)
    arrays.days[slot] = day
    arrays.years[slot] = recorded === null ? 0 : toNumber(recorded, 0, 4) + 1
    if (recorded === null) return
    if (day < first) first = day
    if (day > last) last = day
  }

  function setValues(slot: number, row: RecordRow): void {
    arrays.states[slot] = row.state
    arrays.categories[slot] = row.category
    arrays.languages[slot] = languages.ensureNumber(row.language)
    setDay(slot, row.recorded)
    arrays.durations[slot] = row.duration ?? -1
    arrays.media[slot] = row.media
    arrays.liveSeqs[slot] = row.liveSeq
  }

  return {
    ...{ slots, speakers, tags, languages, tallies, total },
    arrays: () => arrays,
    dayRange: () => ({ first, last }),
    set(row, speakerIds, tagIds) {
      const slot = slots.ensureSlot(row.id)
      if (slot >= arrays.states.length) arrays = createArrays(2 * arrays.states.length, arrays)
      if (arrays.states[slot] !== dead) tally(slot, speakers.get(slot), tags.get(slot), -1)
      setValues(slot, row)
      speakers.set(slot, speakerIds, 0, speakerIds.length)
      tags.set(slot, tagIds, 0, tagIds.length)
      tally(slot, speakerIds, tagIds, 1)
      watcher.changed(slot)
    },
    remove(id) {
      const slot = slots.toSlot(id)
      if (slot === 0 || arrays.states[slot] === dead) return
      tally(slot, speakers.get(slot), tags.get(slot), -1)
      arrays.states[slot] = dead
      for (const lists of [speakers, tags]) lists.set(slot, [], 0, 0)
      watcher.removed(slot)
    },
    clear() {
      for (const each of [slots, speakers, tags, total, ...Object.values(tallies)]) each.clear()
      arrays.states.fill(dead)
      first = noRange.first
      last = noRange.last
      watcher.cleared()
    },
    replaceArrays(replacement, dayRange) {
      arrays = replacement
      first = dayRange.first
      last = dayRange.last
    },
  }
}

/** Larger arrays with the values of old ones. */
export function createArrays(size: number, old: SlotArrays | null): SlotArrays {
  const arrays = {
    states: new Uint8Array(size),
    categories: new Uint32Array(size),
    languages: new Uint16Array(size),
    days: new Int32Array(size),
    years: new Uint16Array(size),
    durations: new Int32Array(size),
    media: new Uint8Array(size),
    liveSeqs: new Float64Array(size),
  }
  if (old === null) return arrays
  arrays.states.set(old.states)
  arrays.categories.set(old.categories)
  arrays.languages.set(old.languages)
  arrays.days.set(old.days)
  arrays.years.set(old.years)
  arrays.durations.set(old.durations)
  arrays.media.set(old.media)
  arrays.liveSeqs.set(old.liveSeqs)
  return arrays
}

/**
 * `YYYY-MM-DD` as days since 1970-01-01. Counts years from March, so that leap days come last; the load
 * would spend a tenth of its time in `Date.parse`.
 */
export function toDayNumber(day: string): number {
  const month = toNumber(day, 5, 7)
  const year = toNumber(day, 0, 4) - (month < 3 ? 1 : 0)
  const dayOfYear = Math.floor((153 * (month < 3 ? month + 9 : month - 3) + 2) / 5) + toNumber(day, 8, 10) - 1
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return 365 * year + leapDays + dayOfYear - daysBefore1970
}

/** From 0000-03-01 on. */
const daysBefore1970 = 719_468
const zero = '0'.charCodeAt(0)

function toNumber(digits: string, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) number = 10 * number + digits.charCodeAt(i) - zero
  return number
}
