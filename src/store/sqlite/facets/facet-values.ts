import type { Database, Statement } from 'bun:sqlite'
import type { FacetName } from '../../../record/query/query.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'

/** Which values every record has, in memory: categories, speakers and tags by their ids, texts by numbers of our own. */
export interface FacetValues {
  /** Follows the store to what the connection sees now. */
  refresh(): void
  /** By places. */
  readonly lists: { readonly [F in FacetName]: NumberLists }
  /** Where the records with these ids stand in the lists: ids may be far apart, places are not. */
  toPlaces(ids: readonly number[]): readonly number[]
  /** A count for each place, all 0. */
  createPlaceCounts(): Uint8Array
  /** The ids of the records at the places with this count, in the order in which they were read; some may be gone. */
  toIds(counts: Uint8Array, count: number): number[]
  /** The last change that is known here. */
  seq(): number
  /** What SQLite knows a value by. */
  toKey(name: FacetName, number: number): string
}

/** So many records are read at a time: a few megabytes of JSON. */
const chunkSize = 20_000
/** Reading everything anew takes about as long as so many records one by one. */
const maxFollowed = 5_000

const rowsSql = `SELECT json_group_array(id), json_group_array(category_id), json_group_array(language),
  json_group_array(coalesce(substr(recorded, 1, 4), '')) FROM listing WHERE id BETWEEN ? AND ?`

const toNamesSql = (kind: 'speaker' | 'tag') =>
  `SELECT json_group_array(record_id), json_group_array(${kind}_id) FROM record_${kind} WHERE record_id BETWEEN ? AND ?`

/** `onStep` is called between the steps of a long reading. What it throws ends it; the next one goes on from there. */
export function createFacetValues(db: Database, onStep: () => void = () => undefined): FacetValues {
  const [category, language, year] = [createNumberLists(), createNumberLists(), createNumberLists()]
  const [speaker, tag] = [createNumberLists(), createNumberLists()]
  const lists = { category, language, year, speaker, tag }
  const texts = createNumbering()
  const places = new Map<number, number>()
  /** By place, which begin at 1. */
  const ids = [0]
  const readRows = db.query<unknown, Range>(rowsSql)
  const readSpeakers = db.query<unknown, Range>(toNamesSql('speaker'))
  const readTags = db.query<unknown, Range>(toNamesSql('tag'))
  const readLast = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM version')
  const readChunkEnd = db.query<{ id: number | null }, [number]>(
    `SELECT max(id) AS id FROM (SELECT id FROM listing WHERE id > ? ORDER BY id LIMIT ${chunkSize})`,
  )
  // Every change of a record is a version; one that has gone is not asked for any more.
  const readChanged = db.query<{ id: number }, [number]>(
    `SELECT DISTINCT record_id AS id FROM version WHERE seq > ? LIMIT ${maxFollowed}`,
  )
  let seq = 0
  /** How many were read one by one since everything was. */
  let followed = maxFollowed
  /** While everything is read anew: up to which id it is, and the last change before that began. */
  let loading: { from: number; readonly seq: number } | null = null

  function load(from: number, to: number): void {
    const [rowIds = '[]', categories = '[]', names = '[]', years = '[]'] = readRow(readRows, from, to)
    const loaded = toNumbers(rowIds).map(toPlace)
    setEach(category, loaded, toNumbers(categories))
    setEach(language, loaded, toTexts(names).map(texts.toNumber))
    setEach(year, loaded, toTexts(years).map(texts.toNumber))
    setEach(speaker, loaded, [])
    setEach(tag, loaded, [])
    setRuns(speaker, toPlace, readRow(readSpeakers, from, to))
    setRuns(tag, toPlace, readRow(readTags, from, to))
  }

  function toPlace(id: number): number {
    const known = places.get(id)
    if (known !== undefined) return known
    places.set(id, ids.length)
    return ids.push(id) - 1
  }

  function beginLoading(last: number): void {
    for (const each of Object.values(lists)) each.clear()
    places.clear()
    ids.length = 1
    loading = { from: 0, seq: last }
  }

  function loadRest(state: { from: number; readonly seq: number }): void {
    for (let end = readChunkEnd.get(state.from)?.id; end; end = readChunkEnd.get(state.from)?.id) {
      load(state.from + 1, end)
      state.from = end
      onStep()
    }
    // What has changed since it began is followed next.
    seq = state.seq
    followed = 0
    loading = null
  }

  function refresh(): void {
    if (loading !== null) loadRest(loading)
    const last = readLast.get()?.seq ?? 0
    if (last === seq) return
    const changed = followed < maxFollowed ? readChanged.all(seq) : []
    followed += changed.length
    if (followed >= maxFollowed) {
      beginLoading(last)
      return refresh()
    }
    for (const { id } of changed) load(id, id)
    seq = last
  }

  return {
    lists,
    toKey: (name, number) => (name === 'language' || name === 'year' ? texts.toText(number) : String(number)),
    seq: () => seq,
    createPlaceCounts: () => new Uint8Array(ids.length),
    toIds: (counts, count) => ids.filter((_, place) => place > 0 && counts[place] === count),
    // None stands at 0.
    toPlaces: (ids) => ids.map((id) => places.get(id) ?? 0),
    refresh,
  }
}

type Range = [from: number, to: number]

/** One row of JSON arrays, all of the same length. SQLite hands over one text far faster than as many rows. */
function readRow(statement: Statement<unknown, Range>, from: number, to: number): string[] {
  // Every column is made by `json_group_array`, of values whose kind the callers know.
  const [row = []] = statement.values(from, to)
  return row as string[]
}

const toNumbers = (json: string): number[] => JSON.parse(json)
const toTexts = (json: string): string[] => JSON.parse(json)

/** One number for each place; 0 and what is missing are none. */
function setEach(lists: NumberLists, places: readonly number[], numbers: readonly number[]): void {
  for (const [i, place] of places.entries()) lists.set(place, numbers, i, numbers[i] ? i + 1 : i)
}

/** The tables of names are in the order of records, so all of one stand together. */
function setRuns(
  lists: NumberLists,
  toPlace: (id: number) => number,
  [idsJson = '[]', numbersJson = '[]']: readonly string[],
): void {
  const [ids, numbers] = [toNumbers(idsJson), toNumbers(numbersJson)]
  let from = 0
  for (const [at, id] of ids.entries()) {
    if (ids[at + 1] === id) continue
    lists.set(toPlace(id), numbers, from, at + 1)
    from = at + 1
  }
}

/** Numbers from 1 for texts, in the order in which they come; 0 for no text. */
function createNumbering() {
  const texts = ['']
  const numbers = new Map([['', 0]])
  return {
    toText: (number: number) => texts[number] ?? '',
    toNumber(text: string): number {
      const number = numbers.get(text) ?? texts.push(text) - 1
      numbers.set(text, number)
      return number
    },
  }
}
