import type { Database, Statement } from 'bun:sqlite'
import type { FacetName } from '../../record/query.ts'
import { createNumberLists, type NumberLists } from './number-lists.ts'

/** Which values every record has, in memory: categories, speakers and tags by their ids, texts by numbers of our own. */
export interface FacetValues {
  /** Follows the store to what the connection sees now. */
  refresh(): void
  readonly lists: { readonly [F in FacetName]: NumberLists }
  /** What SQLite knows a value by. */
  toKey(name: FacetName, number: number): string
}

/** So many ids are read at a time: a few megabytes of JSON. */
const chunkSize = 20_000
/** Reading everything anew takes about as long as so many records one by one. */
const maxFollowed = 5_000

const rowsSql = `SELECT json_group_array(id), json_group_array(category_id), json_group_array(language),
  json_group_array(coalesce(substr(recorded, 1, 4), '')) FROM listing WHERE id BETWEEN ? AND ?`

const toNamesSql = (kind: 'speaker' | 'tag') =>
  `SELECT json_group_array(record_id), json_group_array(${kind}_id) FROM record_${kind} WHERE record_id BETWEEN ? AND ?`

export function createFacetValues(db: Database): FacetValues {
  const [category, language, year] = [createNumberLists(), createNumberLists(), createNumberLists()]
  const [speaker, tag] = [createNumberLists(), createNumberLists()]
  const lists = { category, language, year, speaker, tag }
  const texts = createNumbering()
  const readRows = db.query<unknown, Range>(rowsSql)
  const readSpeakers = db.query<unknown, Range>(toNamesSql('speaker'))
  const readTags = db.query<unknown, Range>(toNamesSql('tag'))
  const readLast = db.query<{ seq: number; id: number }, []>(
    `SELECT coalesce((SELECT max(seq) FROM version), 0) AS seq, coalesce((SELECT max(id) FROM listing), 0) AS id`,
  )
  // Every change of a record is a version; one that has gone is not asked for any more.
  const readChanged = db.query<{ id: number }, [number]>(
    `SELECT DISTINCT record_id AS id FROM version WHERE seq > ? LIMIT ${maxFollowed}`,
  )
  let seq = 0
  /** How many were read one by one since everything was. */
  let followed = maxFollowed

  function load(from: number, to: number): void {
    const [ids = '', categories = '', names = '', years = ''] = readRow(readRows, from, to)
    const known = toNumbers(ids)
    setEach(category, known, toNumbers(categories))
    setEach(language, known, toTexts(names).map(texts.toNumber))
    setEach(year, known, toTexts(years).map(texts.toNumber))
    setEach(speaker, known, [])
    setEach(tag, known, [])
    setRuns(speaker, readRow(readSpeakers, from, to))
    setRuns(tag, readRow(readTags, from, to))
  }

  function loadAll(lastId: number): void {
    for (const each of Object.values(lists)) each.clear()
    for (let from = 1; from <= lastId; from += chunkSize) load(from, from + chunkSize - 1)
    followed = 0
  }

  return {
    lists,
    toKey: (name, number) => (name === 'language' || name === 'year' ? texts.toText(number) : String(number)),
    refresh() {
      const last = readLast.get() ?? { seq: 0, id: 0 }
      if (last.seq === seq) return
      const changed = followed < maxFollowed ? readChanged.all(seq) : []
      followed += changed.length
      if (followed >= maxFollowed) loadAll(last.id)
      else for (const { id } of changed) load(id, id)
      seq = last.seq
    },
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

/** One number for each id; 0 and what is missing are none. */
function setEach(lists: NumberLists, ids: readonly number[], numbers: readonly number[]): void {
  for (const [i, id] of ids.entries()) lists.set(id, numbers, i, numbers[i] ? i + 1 : i)
}

/** The tables of names are in the order of records, so all of one stand together. */
function setRuns(lists: NumberLists, [idsJson = '', numbersJson = '']: readonly string[]): void {
  const [ids, numbers] = [toNumbers(idsJson), toNumbers(numbersJson)]
  let from = 0
  for (const [at, id] of ids.entries()) {
    if (ids[at + 1] === id) continue
    lists.set(id, numbers, from, at + 1)
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
