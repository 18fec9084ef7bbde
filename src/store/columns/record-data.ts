import { type CountedColumn, type Counts, createCounts } from './counts.ts'
import { toDayNumber, toMilliseconds, toNumber } from './day-number.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'
import { createNumbering, type Numbering } from './numbering.ts'
import { createArrays, dead, type SlotArrays, unknownDay } from './slot-arrays.ts'
import { createSlots, type Slots } from './slots.ts'

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

/** The columns in memory, and what follows from them. */
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

/** Told what happens to records, so that other data about them can follow. */
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
    arrays.years[slot] = recorded === null ? 0 : toNumber(recorded, 0, 4) + 1
    arrays.durations[slot] = row.duration ?? -1
    arrays.media[slot] = row.media
    arrays.liveSeqs[slot] = row.liveSeq
    arrays.qualities[slot] = row.quality
    arrays.hosts[slot] = hosts.ensureNumber(row.host)
    arrays.authors[slot] = authors.ensureNumber(row.author)
    arrays.addedMs[slot] = toMilliseconds(row.added)
    arrays.updatedMs[slot] = toMilliseconds(row.updated)
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
