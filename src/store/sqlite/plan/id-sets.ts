import type { Database } from '../../database.ts'
import type { BoundValue, Condition } from '../../read/statements.ts'
import type { FacetIndex } from '../facets/facet-index.ts'

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

/** A text that many names contain, and the query for their ids. */
export interface NamePiece {
  readonly kind: 'speaker' | 'tag'
  readonly names: { readonly sql: string; readonly values: readonly string[] }
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

/**
 * The records with a speaker or tag whose folded name contains a text; null if no name does. Texts of three characters
 * and more are looked up in the trigram index, shorter ones by a scan of the names.
 */
export function createNameSets(db: Database, kind: 'speaker' | 'tag'): (piece: string) => Promise<IdSet | null> {
  const scan = `SELECT id FROM ${kind} WHERE instr(key, ?)`
  const lookup = `${scan} AND id IN (SELECT rowid FROM ${kind}_piece WHERE ${kind}_piece MATCH ?)`
  const findByScan = db.query<{ id: number }, string[]>(`${scan} LIMIT 2`)
  const findByLookup = db.query<{ id: number }, string[]>(`${lookup} LIMIT 2`)
  return async (piece) => {
    // No name has control characters, and FTS5 reads a query only up to the first NUL.
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(piece)) return null
    const match = toTrigramMatch(piece)
    const values = match === '' ? [piece] : [piece, match]
    const [first, second] = await (match === '' ? findByScan : findByLookup).all(...values)
    if (first === undefined) return null
    if (second !== undefined) {
      const names = { sql: match === '' ? scan : lookup, values }
      return { ...toNameSet(kind, { sql: `IN (${names.sql})`, values }), piece: { kind, names } }
    }
    const one = { sql: `${kind}_id = ?`, values: [first.id] }
    const source = createSource(db, { table: `record_${kind}`, id: 'record_id', ...one })
    return { ...toNameSet(kind, { sql: '= ?', values: [first.id] }), source }
  }
}

function toTrigramMatch(piece: string): string {
  const characters = [...piece]
  const trigrams = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
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
  db: Database,
  index: FacetIndex,
  onStep: () => void = () => undefined,
): (pieces: readonly NamePiece[]) => Promise<readonly number[]> {
  /** Caches the last result: the parts of a ranked search repeat the same filter. */
  let last: { readonly key: string; readonly ids: readonly number[] } | null = null

  const readNameIds = async ({ names }: NamePiece): Promise<number[]> => {
    const sql = `SELECT json_group_array(id) AS ids FROM (${names.sql})`
    const found = await db.query<{ ids: string }, string[]>(sql).get(...names.values)
    return JSON.parse(found?.ids ?? '[]')
  }

  async function find(pieces: readonly NamePiece[]): Promise<number[]> {
    const found = index.createSlotCounts()
    for (const [step, piece] of pieces.entries()) {
      index.lists[piece.kind].raise(await readNameIds(piece), found, step)
      onStep()
    }
    return index.toIds(found, pieces.length)
  }

  return async (pieces) => {
    await index.refresh()
    const key = JSON.stringify([index.seq(), pieces])
    if (last?.key !== key) last = { key, ids: await find(pieces) }
    return last.ids
  }
}
