import { type FacetName, facetNames } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import { textFacets } from '../../derive/listing.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'

/**
 * The facet values of every record, in memory: categories, speakers and tags by their ids, texts by numbers of our own
 * (ADR 13). Each record has a slot; ids may be far apart, slots are not.
 */
export interface FacetIndex {
  /** Applies all changes that the connection's snapshot has. */
  refresh(): Promise<void>
  /** The values of every slot, by facet. */
  readonly lists: { readonly [F in FacetName]: NumberLists }
  toSlots(ids: readonly number[]): readonly number[]
  /** A count for each slot, all 0. */
  createSlotCounts(): Uint8Array
  /** The ids of the records in slots with this count; erased ones may be among them. */
  toIds(counts: Uint8Array, count: number): number[]
  /** The last change that was applied. */
  seq(): number
  /** The id or text of a value. */
  toKey(name: FacetName, number: number): string
}

/** A few megabytes of JSON. */
const chunkSize = 20_000
/** Reloading everything takes about as long as this many single records. */
const maxReloaded = 5_000

const textNames = facetNames.filter((name) => name in textFacets)

/** JSON arrays of the same length: one long text is far faster than one row per value. */
const rowsSql = `SELECT json_group_array(id) AS ids, json_group_array(category_id) AS categories,
  ${textNames.map((name) => `json_group_array(coalesce(${textFacets[name]}, '')) AS ${name}`).join(', ')}
  FROM listing WHERE id BETWEEN ? AND ?`

const toLinksSql = (kind: 'speaker' | 'tag') => `SELECT json_group_array(record_id) AS ids,
  json_group_array(${kind}_id) AS names FROM record_${kind} WHERE record_id BETWEEN ? AND ?`

type Range = [from: number, to: number]
type ListingRow = { readonly ids: string; readonly categories: string } & { readonly [F in FacetName]?: string }
type LinkRow = { readonly ids: string; readonly names: string }

/** `onStep` is called between the chunks of a long load. If it throws, the next call continues the load. */
export function createFacetIndex(db: Database, onStep: () => void = () => undefined): FacetIndex {
  // `fromEntries` loses the keys; every facet name is one.
  const lists = Object.fromEntries(facetNames.map((name) => [name, createNumberLists()])) as FacetIndex['lists']
  const texts = createNumbering()
  const slots = createSlots()
  const readRows = db.query<ListingRow, Range>(rowsSql)
  const readLinks = {
    speaker: db.query<LinkRow, Range>(toLinksSql('speaker')),
    tag: db.query<LinkRow, Range>(toLinksSql('tag')),
  }
  const findLastSeq = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM version')
  const findChunkEnd = db.query<{ id: number | null }, [number]>(
    `SELECT max(id) AS id FROM (SELECT id FROM listing WHERE id > ? ORDER BY id LIMIT ${chunkSize})`,
  )
  // Every change writes a version. An erased record keeps its slot, but no query returns its id.
  const listChanged = db.query<{ id: number }, [number]>(
    `SELECT DISTINCT record_id AS id FROM version WHERE seq > ? LIMIT ${maxReloaded}`,
  )
  let seq = 0
  /** Records that were reloaded one by one since the last full load. */
  let reloaded = maxReloaded
  /** Progress of a full load: the last id loaded, and the last change before it began. */
  let loading: { lastId: number; readonly seq: number } | null = null

  async function load(from: number, to: number): Promise<void> {
    const row = await readRows.get(from, to)
    const loaded = parseNumbers(row?.ids).map(slots.ensureSlot)
    setEach(lists.category, loaded, parseNumbers(row?.categories))
    for (const name of textNames) setEach(lists[name], loaded, parseTexts(row?.[name]).map(texts.ensureNumber))
    for (const kind of ['speaker', 'tag'] as const) {
      setEach(lists[kind], loaded, [])
      const { ids, names } = (await readLinks[kind].get(from, to)) ?? {}
      setRuns(lists[kind], slots.ensureSlot, parseNumbers(ids), parseNumbers(names))
    }
  }

  function beginLoading(last: number): void {
    for (const each of Object.values(lists)) each.clear()
    slots.clear()
    loading = { lastId: 0, seq: last }
  }

  async function loadRest(state: { lastId: number; readonly seq: number }): Promise<void> {
    for (let end = (await findChunkEnd.get(state.lastId))?.id; end; end = (await findChunkEnd.get(state.lastId))?.id) {
      await load(state.lastId + 1, end)
      state.lastId = end
      onStep()
    }
    // Changes since the load began are applied next.
    seq = state.seq
    reloaded = 0
    loading = null
  }

  async function refresh(): Promise<void> {
    if (loading !== null) await loadRest(loading)
    const last = (await findLastSeq.get())?.seq ?? 0
    if (last === seq) return
    const changed = reloaded < maxReloaded ? await listChanged.all(seq) : []
    reloaded += changed.length
    if (reloaded >= maxReloaded) {
      beginLoading(last)
      return refresh()
    }
    for (const { id } of changed) await load(id, id)
    seq = last
  }

  return {
    lists,
    refresh,
    toKey: (name, number) => (name in textFacets ? texts.toText(number) : String(number)),
    seq: () => seq,
    createSlotCounts: () => new Uint8Array(slots.ids.length),
    toIds: (counts, count) => slots.ids.filter((_, slot) => slot > 0 && counts[slot] === count),
    toSlots: (ids) => ids.map(slots.toSlot),
  }
}

// The columns are arrays made by `json_group_array`, of values whose type the caller knows.
const parseNumbers = (json = '[]'): number[] => JSON.parse(json)
const parseTexts = (json = '[]'): string[] => JSON.parse(json)

/** One value per slot; 0 or undefined means none. */
function setEach(lists: NumberLists, slots: readonly number[], numbers: readonly number[]): void {
  for (const [i, slot] of slots.entries()) lists.set(slot, numbers, i, numbers[i] ? i + 1 : i)
}

/** Several values per record. The rows of a record are adjacent, because the primary key starts with its id. */
function setRuns(
  lists: NumberLists,
  toSlot: (id: number) => number,
  ids: readonly number[],
  numbers: readonly number[],
): void {
  let from = 0
  for (const [at, id] of ids.entries()) {
    if (ids[at + 1] === id) continue
    lists.set(toSlot(id), numbers, from, at + 1)
    from = at + 1
  }
}

/** Slots from 1 in order of arrival; 0 means unknown. */
function createSlots() {
  const slots = new Map<number, number>()
  const ids = [0]
  return {
    /** The record id of each slot. */
    ids,
    toSlot: (id: number) => slots.get(id) ?? 0,
    ensureSlot(id: number): number {
      const known = slots.get(id)
      if (known !== undefined) return known
      slots.set(id, ids.length)
      return ids.push(id) - 1
    },
    clear() {
      slots.clear()
      ids.length = 1
    },
  }
}

/** Numbers from 1 for texts, in order of arrival; 0 for the empty text. */
function createNumbering() {
  const texts = ['']
  const numbers = new Map([['', 0]])
  return {
    toText: (number: number) => texts[number] ?? '',
    ensureNumber(text: string): number {
      const number = numbers.get(text) ?? texts.push(text) - 1
      numbers.set(text, number)
      return number
    },
  }
}
