import { toVideoAddress } from '../../record/embed/embed.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import { toMediaBits } from '../derive/listing.ts'
import { toDayNumber } from './day-number.ts'
import { createNameFilter, type FindNameIds } from './name-filter.ts'
import type { RecordData } from './record-data.ts'
import { live, unknownDay } from './slot-arrays.ts'
import { keepQuality } from './work/keep-quality.ts'
import { createRareWork } from './work/rare-work.ts'

/** Slots with a flag of 1. Valid until the columns change. */
export interface SlotSet {
  /** One byte per slot, 0 or 1. */
  readonly flags: Uint8Array
  readonly count: number
  /** The slots themselves, ascending, if they were looked up: a few are counted faster than all flags. */
  readonly slots?: Uint32Array
}

export interface SelectNeeds {
  readonly db: Database
  readonly findNameIds: FindNameIds
  /** Called between the steps; may throw. */
  onStep(): void
}

/**
 * The slots that match all filters except the search: each filter is one pass over a flat array, a millisecond per
 * million records. `among` limits them to these records. Null if nothing can match.
 */
export function createSelect(data: RecordData, { db, findNameIds, onStep }: SelectNeeds) {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  const nameFilter = createNameFilter(db, data, findNameIds, onStep)
  const findCategoryIds = async (text: string) => (await findCategories.all(text, text)).map(({ id }) => id)
  const findSource = db.query<{ id: number }, [string]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> ''`,
  )

  const rareWork = createRareWork(db, data)

  async function findIds({ ids, sourceUrl }: Filters, among: readonly number[] | null) {
    const bySource = async (url: string) => (await findSource.all(toVideoAddress(url))).map(({ id }) => id)
    const wanted = sourceUrl === undefined ? null : await bySource(sourceUrl)
    return [among, ids ?? null, wanted].reduce(intersect, null)
  }

  async function select(filters: Filters, among: readonly number[] | null = null): Promise<SlotSet | null> {
    const { visibility, state, category, language } = filters
    if (visibility === 'live' && state === 2) return null
    const categories = category === undefined ? null : await findCategoryIds(category)
    const languageNumber = language === undefined ? 0 : data.languages.findNumber(language)
    if (categories?.length === 0 || languageNumber === undefined) return null
    const names = await nameFilter.find(filters)
    if (names === null) return null
    const rare = await rareWork.find(filters)
    const { bits, outside, sameVideo } = rare
    const byNames = await nameFilter.listRare(names)
    const ids = [await findIds(filters, among), byNames, bits, outside, sameVideo].reduce(intersect, null)
    const { states, categories: categoryIds, languages } = data.arrays()
    const end = data.slots.end()
    const wantedState = visibility === 'live' ? live : (state ?? 0)
    const flags = ids === null ? toStateFlags(states, end, wantedState) : toIdFlags(data, ids, wantedState)
    if (categories !== null) keepOneOf(flags, categoryIds, categories)
    if (language !== undefined) keepOneOf(flags, languages, [languageNumber])
    keepColumns(flags, data, filters)
    keepQuality(flags, data, filters, rare)
    nameFilter.keep(names, flags)
    if (ids === null) return toSlotSet(flags)
    const slots = toKeptSlots(data, ids, flags)
    return { flags, slots, count: slots.length }
  }
  return { select, findCategoryIds, followEvents: rareWork.followEvents }
}

/** Null means all ids. */
function intersect(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null || b === null) return a ?? b
  const wanted = new Set(b)
  return a.filter((id) => wanted.has(id))
}

/** `state` 0: any. */
function toStateFlags(states: Uint8Array, end: number, state: number): Uint8Array {
  const flags = new Uint8Array(end)
  if (state === 0) for (let slot = 1; slot < end; slot++) flags[slot] = states[slot] === 0 ? 0 : 1
  else for (let slot = 1; slot < end; slot++) flags[slot] = states[slot] === state ? 1 : 0
  return flags
}

function toIdFlags({ slots, arrays }: RecordData, ids: readonly number[], state: number): Uint8Array {
  const flags = new Uint8Array(slots.end())
  const { states } = arrays()
  for (const id of ids) {
    const slot = slots.toSlot(id)
    const found = states[slot] ?? 0
    if (slot !== 0 && found !== 0 && (state === 0 || found === state)) flags[slot] = 1
  }
  return flags
}

/** The slots of these ids that have kept their flags, ascending and each once. */
function toKeptSlots({ slots }: RecordData, ids: readonly number[], flags: Uint8Array): Uint32Array {
  const sorted = Uint32Array.from(ids, slots.toSlot).sort()
  return sorted.filter((slot, i) => flags[slot] === 1 && slot !== sorted[i - 1])
}

function keepOneOf(flags: Uint8Array, values: Uint32Array | Uint16Array, wanted: readonly number[]): void {
  const [first = 0, second = first] = wanted
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot]
    if (value !== first && value !== second) flags[slot] = 0
  }
}

function keepColumns(flags: Uint8Array, data: RecordData, filters: Filters): void {
  const { recordedAfter, recordedBefore, durationMin, durationMax, has, hasAny = [] } = filters
  const { days, durations, media } = data.arrays()
  if (recordedAfter !== undefined || recordedBefore !== undefined) {
    // Unknown days match no range.
    const after = recordedAfter === undefined ? unknownDay + 1 : toDayNumber(recordedAfter)
    const before = recordedBefore === undefined ? Number.POSITIVE_INFINITY : toDayNumber(recordedBefore)
    keepBetween(flags, days, after, before)
  }
  if (durationMin !== undefined || durationMax !== undefined) {
    keepBetween(flags, durations, durationMin ?? 0, durationMax ?? Number.POSITIVE_INFINITY)
  }
  const all = toMediaBits(has)
  if (all !== 0) {
    for (let slot = 0; slot < flags.length; slot++) if (((media[slot] ?? 0) & all) !== all) flags[slot] = 0
  }
  const any = toMediaBits(hasAny)
  if (any !== 0) {
    for (let slot = 0; slot < flags.length; slot++) if (((media[slot] ?? 0) & any) === 0) flags[slot] = 0
  }
}

function keepBetween(flags: Uint8Array, values: Int32Array, from: number, to: number): void {
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    if (value < from || value > to) flags[slot] = 0
  }
}

/** Fewer slots than this share are listed: that is one pass instead of several later. */
const listedShare = 1 / 8

function toSlotSet(flags: Uint8Array): SlotSet {
  const count = countFlags(flags)
  return count > flags.length * listedShare ? { flags, count } : { flags, count, slots: listSlots(flags, count) }
}

export function listSlots(flags: Uint8Array, count: number): Uint32Array {
  const slots = new Uint32Array(count)
  for (let slot = flags.indexOf(1), i = 0; slot >= 0; slot = flags.indexOf(1, slot + 1)) slots[i++] = slot
  return slots
}

export function countFlags(flags: Uint8Array): number {
  let count = 0
  for (let slot = 0; slot < flags.length; slot++) count += flags[slot] ?? 0
  return count
}

/** The set without others. */
export function subtract({ flags }: SlotSet, others: SlotSet): SlotSet {
  const rest = flags.slice()
  for (let slot = 0; slot < rest.length; slot++) if (others.flags[slot] === 1) rest[slot] = 0
  return { flags: rest, count: countFlags(rest) }
}
