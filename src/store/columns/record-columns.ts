import type { NameKind } from '../../record/name.ts'
import type { CountedFacet, FileKind, Filters } from '../../record/query/query.ts'
import type { LanguageRow } from '../../record/query/vocabulary.ts'
import { live, type Visibility } from '../../record/state.ts'
import type { Database } from '../database.ts'
import { type FilterSql, keepMatches } from '../read/list/filters.ts'
import { createStatements } from '../read/statements.ts'
import { type Change, createChangeFollower } from './change-follower.ts'
import { createFacetCounts, type Facets, findFileKinds } from './facets.ts'
import { compareCodePoints } from './numbering.ts'
import { type CountedKind, countFlags, createRecordData, type RecordData, type RecordWatcher } from './record-data.ts'
import { type SlotSet, unknownDay } from './slots.ts'

/**
 * The values that records are filtered and counted by, in flat arrays in memory (decision 43). Each record has a slot; slots
 * are dense, ids need not be. Loaded in the background, then kept up to date from the change log. Everything except
 * `loadSome` reads within the caller's transaction.
 */
export interface RecordColumns {
  /**
   * Applies all changes in the caller's snapshot. If there are too many, or during the first load, `isComplete` is false
   * afterwards, and the columns must not be used.
   */
  refresh(): Promise<void>
  isComplete(): boolean
  /** One step of the background load, in its own transaction; false when nothing is left to load. */
  loadSome(): Promise<boolean>
  /** Loads the rest within the caller's transaction. If `onStep` throws, the next call continues. */
  loadAll(): Promise<void>
  /** 0 if the id is unknown. The slot of an erased record is not visible to anybody. */
  toSlot(id: number): number
  toId(slot: number): number
  /** Slots are 1 … slotEnd - 1. */
  slotEnd(): number
  isVisible(slot: number, visibility: Visibility): boolean
  /** Days since 1970-01-01; 0 if unknown. */
  dayOf(slot: number): number
  /** The records that match all filters: each filter is one pass over a flat array, 0.1 ms for 100,000 records. */
  select(filters: Filters): Promise<SlotSet>
  listIds(set: SlotSet): number[]
  /** The records of a set on the days of a page. */
  findDays(set: SlotSet, page: PageByDay): DayWindow
  /** `maxNames` limits categories, speakers and tags. */
  countFacets(names: readonly CountedFacet[], slots: SlotSet, maxNames?: number): Promise<Facets>
  /** The kinds of files that the records of a set have. */
  listFileKinds(slots: SlotSet): FileKind[]
  /** How many records a caller sees. */
  countAll(visibility: Visibility): number
  /** How many records with this category, speaker or tag a caller sees. */
  countOf(kind: CountedKind, id: number, visibility: Visibility): number
  /** How many categories, speakers or tags the visible records have. */
  countNames(kind: CountedKind, visibility: Visibility): number
  /** The languages of the visible records, in the order of their names. */
  listLanguages(visibility: Visibility): LanguageRow[]
  /** The ids of a record's speakers or tags; valid until the columns change. */
  namesOf(kind: NameKind, slot: number): Uint32Array
  /** Moves whenever anything in the columns changes. */
  revision(): number
  /** The last change that was applied. */
  lastChange(): Change
  /** For passes over all records; its arrays are valid until the columns change. */
  readonly data: ColumnData
}

/** A page in an order that begins with the day. */
interface PageByDay {
  readonly limit: number
  readonly offset: number
  readonly isDescending: boolean
}

/** The records of a few whole days. */
interface DayWindow {
  readonly ids: readonly number[]
  /** The number of records on days before these in the order. */
  readonly before: number
  /** Whether none of these days is known. */
  readonly areUnknown: boolean
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

export interface ColumnDeps extends ColumnOptions {
  readonly db: Database
  readonly sql: FilterSql
}

export function createRecordColumns(deps: ColumnDeps): RecordColumns {
  const { db, sql, onStep = () => undefined, rebuildCounter = () => 0, chunkSize } = deps
  const data = createRecordData(deps.watcher)
  const { counts } = data
  const prepare = createStatements(db, onStep)
  const follower = createChangeFollower({ db, data, onStep, rebuildCounter, chunkSize })

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
    async select(filters) {
      const visible = counts.visible(filters.visibility)
      const flags = visible.flags.slice()
      const isFiltered = await keepMatches({ flags, data, prepare, sql, filters }, onStep)
      return { flags, count: isFiltered ? countFlags(flags) : visible.count }
    },
    listIds({ flags }) {
      const ids: number[] = []
      for (let slot = flags.indexOf(1); slot >= 0; slot = flags.indexOf(1, slot + 1)) ids.push(data.slots.toId(slot))
      return ids
    },
    findDays: (set, page) => findDays(data, set, page),
    countFacets: createFacetCounts(db, data, onStep),
    listFileKinds: (slots) => findFileKinds(slots, data.arrays().media),
    data,
    countAll: (visibility) => counts.visible(visibility).count,
    countOf: (kind, id, visibility) => counts.by(kind, visibility)[id] ?? 0,
    countNames: (kind, visibility) => counts.by(kind, visibility).reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0),
    listLanguages: (visibility) => listLanguages(data, visibility),
    namesOf: (kind, slot) => (kind === 'speaker' ? data.speakers : data.tags).get(slot),
  }
}

/** Sorting these gives a page without sorting the whole set. */
function findDays(
  { slots, counts, arrays }: RecordData,
  { flags }: SlotSet,
  { limit, offset, isDescending }: PageByDay,
): DayWindow {
  const { days } = arrays()
  const sorted = counts.byDay(isDescending)
  let ids: number[] = []
  let [before, found, day, firstDay] = [0, 0, Number.NaN, Number.NaN]
  for (let i = 0; i < sorted.length; i++) {
    const slot = sorted[i] ?? 0
    if (days[slot] !== day) {
      if (found >= offset + limit) break
      // The page begins after these days.
      day = days[slot] ?? unknownDay
      if (found <= offset) [ids, before, firstDay] = [[], found, day]
    }
    if (flags[slot] !== 1) continue
    ids.push(slots.toId(slot))
    found++
  }
  return { ids, before, areUnknown: firstDay === unknownDay }
}

function listLanguages({ languages, counts }: RecordData, visibility: Visibility): LanguageRow[] {
  const rows: LanguageRow[] = []
  for (const [number, count] of counts.by('language', visibility).entries()) {
    // Number 0 is the unknown language.
    if (count > 0 && number > 0) rows.push({ name: languages.toText(number), count })
  }
  return rows.sort((a, b) => compareCodePoints(a.name, b.name))
}
