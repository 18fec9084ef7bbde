import type { CountedFacet } from '../../record/query/facets.ts'
import type { Filters } from '../../record/query/query.ts'
import type { LanguageRow } from '../../record/query/vocabulary.ts'
import type { Visibility } from '../../record/visibility.ts'
import { type Change, createChangeFollower } from './change-follower.ts'
import { countByTally } from './count-by-tally.ts'
import { type DayWindow, findDayWindow } from './day-window.ts'
import { createFacetCounts, type Facets } from './facets.ts'
import { compareCodePoints } from './numbering.ts'
import { createRecordData, type RecordData, type RecordWatcher } from './record-data.ts'
import { createSelect, type SelectNeeds, type SlotSet } from './select.ts'
import { live, unknownDay } from './slot-arrays.ts'

/**
 * The values that records are filtered and counted by, in flat arrays in memory (ADR 43). Each record has a slot; slots
 * are dense, ids need not be. Loaded in the background, then kept up to date from the change log. Everything except
 * `loadSome` reads within the caller's transaction.
 */
export interface RecordColumns {
  /**
   * Applies all changes that the caller's snapshot has. If they are very many, or while the first load is going on,
   * `isComplete` is false afterwards, and the columns must not be used.
   */
  refresh(): Promise<void>
  isComplete(): boolean
  /** One step of the background load, in a transaction of its own; false when there is nothing left to load. */
  loadSome(): Promise<boolean>
  /** Loads all that is missing within the caller's transaction. If `onStep` throws, the next call goes on. */
  loadAll(): Promise<void>
  /** 0 if the id is unknown. The slot of an erased record is not visible to anybody. */
  toSlot(id: number): number
  toId(slot: number): number
  /** Slots are 1 … slotEnd - 1. */
  slotEnd(): number
  isVisible(slot: number, visibility: Visibility): boolean
  /** Days since 1970-01-01; 0 if unknown. */
  dayOf(slot: number): number
  /** The slots, of these records or of all, that match all filters except the search; null if nothing can match. */
  select(filters: Filters, among?: readonly number[]): Promise<SlotSet | null>
  /** The number of records that match all filters except the search, if there is a running count; null otherwise. */
  tally(filters: Filters): Promise<number | null>
  /** The records of a set on the days of its records from `offset` to `offset + limit` in the default order of lists. */
  findDayWindow(slots: SlotSet, limit: number, offset: number): DayWindow
  /** `maxNames` limits categories, speakers and tags. */
  countFacets(names: readonly CountedFacet[], slots: SlotSet, maxNames?: number): Promise<Facets>
  /** How many records a caller sees. */
  countAll(visibility: Visibility): number
  /** How many records of a caller have this category, speaker or tag. */
  countOf(kind: 'category' | 'speaker' | 'tag', id: number, visibility: Visibility): number
  /** How many speakers or tags the records of a caller have. */
  countNames(kind: 'speaker' | 'tag', visibility: Visibility): number
  /** The languages of a caller's records, in the order of their names. */
  listLanguages(visibility: Visibility): LanguageRow[]
  /** The ids of a record's speakers or tags; valid until the columns change. */
  namesOf(kind: 'speaker' | 'tag', slot: number): Uint32Array
  /** Moves whenever anything in the columns changes. */
  revision(): number
  /** The last change that was applied. */
  lastChange(): Change
  /** For passes over all records; its arrays are valid until the columns change. */
  readonly data: ColumnData
}

export type ColumnData = Omit<RecordData, 'set' | 'remove' | 'clear'>

export interface ColumnOptions {
  /** Called between the steps of a load, a filter or a facet; may throw. */
  onStep?(): void
  readonly watcher?: RecordWatcher
  /** Moves when data derived from records was rebuilt, which writes no versions. NaN: not known at the moment. */
  rebuildCounter?(): number
  /** Records per step of a load. */
  readonly chunkSize?: number
}

export type ColumnNeeds = Omit<SelectNeeds, 'onStep'> & ColumnOptions

export function createRecordColumns(needs: ColumnNeeds): RecordColumns {
  const { db, findNameIds, onStep = () => undefined, rebuildCounter = () => 0, chunkSize } = needs
  const data = createRecordData(needs.watcher)
  const follower = createChangeFollower({ db, data, onStep, rebuildCounter, chunkSize })
  const { select, ...countNeeds } = createSelect(data, { db, findNameIds, onStep })

  return {
    ...follower,
    loadSome: () => db.transaction('read', follower.loadSome),
    toSlot: data.slots.toSlot,
    toId: data.slots.toId,
    slotEnd: data.slots.end,
    isVisible(slot, visibility) {
      const state = data.arrays().states[slot] ?? 0
      return visibility === 'all' ? state !== 0 : state === live
    },
    dayOf(slot) {
      const day = data.arrays().days[slot] ?? 0
      return day === unknownDay ? 0 : day
    },
    select,
    tally: (filters) => countByTally(data, filters, countNeeds),
    findDayWindow: (slots, limit, offset) => findDayWindow(data, slots, limit, offset),
    countFacets: createFacetCounts(db, data, onStep),
    data,
    countAll: (visibility) => data.total.get(0, visibility),
    countOf: (kind, id, visibility) => data.tallies[kind].get(id, visibility),
    countNames: (kind, visibility) => data.tallies[kind].countNumbers(visibility),
    listLanguages: (visibility) => listLanguages(data, visibility),
    namesOf: (kind, slot) => (kind === 'speaker' ? data.speakers : data.tags).get(slot),
  }
}

function listLanguages({ languages, tallies }: RecordData, visibility: Visibility): LanguageRow[] {
  const rows: LanguageRow[] = []
  // Number 0 is the unknown language.
  for (let number = 1; number < languages.end(); number++) {
    const count = tallies.language.get(number, visibility)
    if (count > 0) rows.push({ name: languages.toText(number), count })
  }
  return rows.sort((a, b) => compareCodePoints(a.name, b.name))
}
