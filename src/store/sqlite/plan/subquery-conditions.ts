import type { Database } from 'bun:sqlite'
import type { Term } from '../../../record/query/search-query.ts'
import type { SearchPart } from '../../read/ranking.ts'
import type { BoundValue, Condition } from '../../read/statements.ts'
import { toMatch } from './match.ts'

/** A condition that looks beyond a row of `listing`. */
export interface SubqueryCondition {
  /** Asks one row after the other. */
  readonly probe: Condition
  /** What one answer costs, where passing a row of an index costs 1. */
  readonly probeCost: number
  /** Asks many rows: all ids are collected first. */
  readonly member: Condition
  /** What must not be there, as if it were asked for; null unless the condition says just that. */
  readonly excluded: SubqueryCondition | null
  /** Where reading begins, so that each row is found by its id; null where it cannot say each id once. */
  readonly source: ConditionSource | null
  /** Where it says that a record has one of many names. */
  readonly piece?: NamePiece
}

/** The records that have, for each piece, a name with it; their ids as a JSON array, and how many. */
export interface NamedRecords {
  readonly ids: string
  readonly count: number
}

/** A piece that many names of a kind have, and how their ids are found. */
export interface NamePiece {
  readonly kind: 'speaker' | 'tag'
  readonly names: { readonly sql: string; readonly values: readonly string[] }
}

export interface ConditionSource extends Condition {
  readonly table: string
  readonly id: string
  /** Whether it says so few ids that each row may be asked more than once. */
  isFew(): boolean
  /** Whether records that are gone may be among them. */
  readonly mayBeGone?: boolean
}

const maxFew = 2000

/** Measured: a row's names take about 1.5 µs, a look for a row among a word's, 70 µs; the next row of an index 0.1 µs. */
const nameProbeCost = 15
const searchProbeCost = 700

export function createSubqueryConditions(db: Database) {
  const toFew = (source: Omit<ConditionSource, 'isFew'>): ConditionSource => {
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${source.table} WHERE ${source.sql} LIMIT ${maxFew})`
    const isFew = () => (db.query<{ count: number }, BoundValue[]>(sql).get(...source.values)?.count ?? 0) < maxFew
    return { ...source, isFew }
  }
  return {
    toSpeaker: createNameConditions(db, 'speaker', toFew),
    toTag: createNameConditions(db, 'tag', toFew),
    toNamed,
    toSearch(all: readonly Term[], none: readonly Term[], part: SearchPart): SubqueryCondition[] {
      if (all.length > 0) return [toMatching(toWholeMatch(all, none, part), toFew)]
      return none.length === 0 ? [] : [toExclusion(toMatch(none, 'OR'), toFew)]
    },
  }
}

type ToFew = (source: Omit<ConditionSource, 'isFew'>) => ConditionSource

/** Pieces of three characters and more are looked up by their trigrams; shorter ones go through the names. */
function createNameConditions(
  db: Database,
  kind: 'speaker' | 'tag',
  toFew: ToFew,
): (piece: string) => SubqueryCondition | null {
  const scan = `SELECT id FROM ${kind} WHERE instr(key, ?)`
  const lookUp = `${scan} AND id IN (SELECT rowid FROM ${kind}_piece WHERE ${kind}_piece MATCH ?)`
  const [findByScan, find] = [scan, lookUp].map((sql) => db.query<{ id: number }, string[]>(`${sql} LIMIT 2`))
  return (piece) => {
    // No name has such a control character, and FTS5 reads a query only up to the first NUL.
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(piece)) return null
    const characters = [...piece]
    const trigrams = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
    const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
    const values = match === '' ? [piece] : [piece, match]
    const [first, second] = (match === '' ? findByScan : find)?.all(...values) ?? []
    if (first === undefined) return null
    if (second !== undefined) {
      const names = { sql: match === '' ? scan : lookUp, values }
      return { ...toNameCondition(kind, { sql: `IN (${names.sql})`, values }), piece: { kind, names } }
    }
    const one = { sql: `${kind}_id = ?`, values: [first.id] }
    const source = toFew({ table: `record_${kind}`, id: 'record_id', ...one })
    return { ...toNameCondition(kind, { sql: '= ?', values: [first.id] }), source }
  }
}

function toNameCondition(kind: 'speaker' | 'tag', { sql, values }: Condition): SubqueryCondition {
  const table = `record_${kind}`
  return {
    // The plus keeps SQLite from trying every name's index for each row.
    probe: { sql: `EXISTS (SELECT 1 FROM ${table} WHERE record_id = listing.id AND +${kind}_id ${sql})`, values },
    probeCost: nameProbeCost,
    member: { sql: `id IN (SELECT record_id FROM ${table} WHERE ${kind}_id ${sql})`, values },
    excluded: null,
    source: null,
  }
}

/** Records that were found already. */
function toNamed({ ids, count }: NamedRecords): SubqueryCondition {
  const member = { sql: 'id IN (SELECT value FROM json_each(?))', values: [ids] }
  const table = '(SELECT value AS record_id FROM json_each(?)) AS named'
  const isFew = () => count < maxFew
  const source = { table, id: 'named.record_id', sql: 'TRUE', values: [ids], isFew, mayBeGone: true }
  return { probe: member, probeCost: 3, member, excluded: null, source }
}

function toWholeMatch(all: readonly Term[], none: readonly Term[], part: SearchPart): string {
  const named = toMatch(all, 'AND', 'title speakers')
  const wanted = part === 'named' ? named : toMatch(all, 'AND')
  const unwanted = [...(part === 'unnamed' ? [named] : []), ...(none.length === 0 ? [] : [toMatch(none, 'OR')])]
  return [wanted, ...unwanted].map((match) => `(${match})`).join(' NOT ')
}

function toMatching(match: string, toFew: ToFew): SubqueryCondition {
  const values = [match]
  return {
    probe: { sql: 'EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = listing.id)', values },
    probeCost: searchProbeCost,
    member: { sql: 'id IN (SELECT rowid FROM search WHERE search MATCH ?)', values },
    excluded: null,
    source: toFew({ table: 'search', id: 'search.rowid', sql: 'search MATCH ?', values }),
  }
}

/** Words alone that must not be there: nearly every row is to be asked, so all are collected in any case. */
function toExclusion(match: string, toFew: ToFew): SubqueryCondition {
  const member = { sql: 'id NOT IN (SELECT rowid FROM search WHERE search MATCH ?)', values: [match] }
  return { probe: member, probeCost: 3, member, excluded: toMatching(match, toFew), source: null }
}
