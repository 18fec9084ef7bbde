import { toDayNumber, toMilliseconds, toNumber } from './day-number.ts'
import { createHashNumbering, type HashNumbering } from './hash-numbering.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'
import { createNumbering, type Numbering } from './numbering.ts'
import { createArrays, dead, live, type SlotArrays, unknownDay } from './slot-arrays.ts'
import { createSlots, type Slots } from './slots.ts'
import { createTally, type Tally } from './tally.ts'
import { type BitSlots, createBitSlots } from './work/bit-slots.ts'
import { createOutsideSlots, type OutsideSlots } from './work/outside-slots.ts'
import { createSharedVideos, type SharedVideos } from './work/shared-videos.ts'

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

/** What records are counted by. */
export const talliedKinds = ['category', 'language', 'speaker', 'tag', 'video', 'host', 'author'] as const
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
  readonly hosts: Numbering
  readonly authors: Numbering
  readonly videos: HashNumbering
  readonly tallies: { readonly [K in TalliedKind]: Tally }
  /** The slots by the values of `qualities`. */
  readonly bitSlots: BitSlots
  readonly outside: OutsideSlots
  readonly sharedVideos: SharedVideos
  /** Counts records; its only number is 0. */
  readonly total: Tally
  set(row: RecordRow, speakers: readonly number[], tags: readonly number[]): void
  remove(id: number): void
  clear(): void
}

/** Told what happens to records, so that other data about them can follow. */
export interface RecordWatcher {
  /** A record is new or may have changed. */
  changed(slot: number): void
  removed(slot: number): void
  cleared(): void
}

const noWatcher: RecordWatcher = { changed: () => undefined, removed: () => undefined, cleared: () => undefined }

const firstSize = 1024
export const noRange = { first: 0x7fffffff, last: unknownDay }

export function createRecordData(watcher = noWatcher): RecordData {
  const slots = createSlots()
  const [speakers, tags, languages] = [createNumberLists(), createNumberLists(), createNumbering()]
  const [hosts, authors, videos] = [createNumbering(), createNumbering(), createHashNumbering()]
  const tallies = {
    ...{ category: createTally(), language: createTally(), speaker: createTally(), tag: createTally() },
    ...{ video: createTally(), host: createTally(), author: createTally() },
  }
  const [total, bitSlots] = [createTally(), createBitSlots()]
  let arrays = createArrays(firstSize, null)
  const [outside, sharedVideos] = [createOutsideSlots(() => arrays), createSharedVideos()]
  let [first, last] = [noRange.first, noRange.last]

  /** Counts a slot in, or out before its values change. */
  function tally(slot: number, speakerIds: ArrayLike<number>, tagIds: ArrayLike<number>, step: 1 | -1): void {
    const isLive = arrays.states[slot] === live
    total.add(0, isLive, step)
    tallies.category.add(arrays.categories[slot] ?? 0, isLive, step)
    tallies.language.add(arrays.languages[slot] ?? 0, isLive, step)
    tallies.video.add(arrays.videos[slot] ?? 0, isLive, step)
    tallies.host.add(arrays.hosts[slot] ?? 0, isLive, step)
    tallies.author.add(arrays.authors[slot] ?? 0, isLive, step)
    const act = step === 1 ? 'add' : 'remove'
    bitSlots[act](slot, arrays.qualities[slot] ?? 0, isLive)
    sharedVideos[act](slot, arrays.videos[slot] ?? 0)
    outside[act](slot)
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
    arrays.qualities[slot] = row.quality
    arrays.hosts[slot] = hosts.ensureNumber(row.host)
    arrays.authors[slot] = authors.ensureNumber(row.author)
    arrays.addedMs[slot] = toMilliseconds(row.added)
    arrays.updatedMs[slot] = toMilliseconds(row.updated)
    arrays.videos[slot] = videos.ensureNumber(row.video)
  }

  return {
    ...{ slots, speakers, tags, languages, hosts, authors, videos, tallies, bitSlots, outside, sharedVideos, total },
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
      for (const each of [slots, speakers, tags, hosts, authors, videos, total]) each.clear()
      for (const each of [...Object.values(tallies), bitSlots, outside, sharedVideos]) each.clear()
      arrays.states.fill(dead)
      first = noRange.first
      last = noRange.last
      watcher.cleared()
    },
  }
}
