import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import type { BoundValue, Condition } from '../../read/statements.ts'
import { toNameIdsSql } from './name-ids.ts'

/** A filter that is not on a column of `listing`, as a set of record ids: a speaker, a tag or a search. */
export interface IdSet {
  /** Tests a single row, for an index scan. */
  readonly probe: Condition
  /** The cost of one probe, in rows of an index scan. */
  readonly probeCost: number
  /** Tests rows after all ids of the set are collected. */
  readonly member: Condition
  /** Joins the ids to their rows; null if it could return an id twice. */
  readonly source: IdSource | null
  /** For the set of all ids except some: those. */
  readonly excluded?: IdSet
  /** Set if many names contain the text. */
  readonly piece?: NamePiece
}

export interface IdSource extends Condition {
  readonly table: string
  readonly id: string
  /** Whether it has so few ids that probing each row is cheaper than collecting another set. */
  isSmall(): Promise<boolean>
}

/** A text that many names contain. */
export interface NamePiece {
  readonly kind: 'speaker' | 'tag'
  readonly text: string
}

/** Cheaper probes are run for each row of a small set. */
export const maxCheapProbe = 100
const maxSmall = 2000

/** Measured: reading the names of a row takes about 1.5 µs, the next row of an index scan 0.1 µs. */
const nameProbeCost = 15
/** A lookup in a set that is already collected. */
export const memberProbeCost = 3

/** Counts at most `maxSmall` ids. */
export function createSource(db: Database, source: Omit<IdSource, 'isSmall'>): IdSource {
  const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${source.table} WHERE ${source.sql} LIMIT ${maxSmall})`
  const isSmall = async () =>
    ((await db.query<{ count: number }, BoundValue[]>(sql).get(...source.values))?.count ?? 0) < maxSmall
  return { ...source, isSmall }
}

/** The records with a speaker or tag whose folded name contains a text; null if no name does. */
export function createNameSets(db: Database, kind: 'speaker' | 'tag'): (text: string) => Promise<IdSet | null> {
  return async (text) => {
    const names = toNameIdsSql(kind, text)
    if (names === null) return null
    const { sql, values } = names
    const [first, second] = await db.query<{ id: number }, string[]>(`${sql} LIMIT 2`).all(...values)
    if (first === undefined) return null
    if (second !== undefined) return { ...toNameSet(kind, { sql: `IN (${sql})`, values }), piece: { kind, text } }
    return toIdNameSet(db, kind, first.id)
  }
}

/** The records with one speaker or tag. */
export function toIdNameSet(db: Database, kind: 'speaker' | 'tag', id: number): IdSet {
  const one = { sql: `${kind}_id = ?`, values: [id] }
  const source = createSource(db, { table: `record_${kind}`, id: 'record_id', ...one })
  return { ...toNameSet(kind, { sql: '= ?', values: [id] }), source }
}

function toNameSet(kind: 'speaker' | 'tag', { sql, values }: Condition): IdSet {
  const table = `record_${kind}`
  return {
    // The unary plus keeps SQLite from probing the index of every name for each row.
    probe: { sql: `EXISTS (SELECT 1 FROM ${table} WHERE record_id = listing.id AND +${kind}_id ${sql})`, values },
    probeCost: nameProbeCost,
    member: { sql: `id IN (SELECT record_id FROM ${table} WHERE ${kind}_id ${sql})`, values },
    source: null,
  }
}

/** Ids found in memory. */
export function toKnownSet(ids: readonly number[]): IdSet {
  const json = JSON.stringify(ids)
  const member = { sql: 'id IN (SELECT value FROM json_each(?))', values: [json] }
  const table = '(SELECT value AS record_id FROM json_each(?)) AS known'
  const isSmall = async () => ids.length < maxSmall
  const source = { table, id: 'known.record_id', sql: 'TRUE', values: [json], isSmall }
  return { probe: member, probeCost: memberProbeCost, member, source }
}

/**
 * Finds, in memory, the records that match all name parts. If several parts match thousands of names each, SQLite would
 * join them in a statement that takes seconds and cannot be interrupted (ADR 28).
 */
export function createNamedRecords(
  columns: RecordColumns,
): (pieces: readonly NamePiece[]) => Promise<readonly number[]> {
  /** Caches the last result: the parts of a ranked search repeat the same filter. */
  let last: { readonly key: string; readonly ids: readonly number[] } | null = null

  async function find(pieces: readonly NamePiece[]): Promise<number[]> {
    const toTexts = (wanted: NamePiece['kind']) => pieces.flatMap(({ kind, text }) => (kind === wanted ? [text] : []))
    const filters = { visibility: 'all', speakers: toTexts('speaker'), tags: toTexts('tag'), has: [] } as const
    const flags = (await columns.select(filters))?.flags ?? []
    return Array.from(flags, (flag, slot) => (flag === 1 ? columns.toId(slot) : 0)).filter((id) => id > 0)
  }

  return async (pieces) => {
    await columns.refresh()
    if (!columns.isComplete()) await columns.loadAll()
    const key = JSON.stringify([columns.revision(), pieces])
    if (last?.key !== key) last = { key, ids: await find(pieces) }
    return last.ids
  }
}
