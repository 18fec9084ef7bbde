import type { Database } from 'bun:sqlite'
import type { FacetValues } from '../facets/facet-values.ts'
import type { NamedRecords, NamePiece } from './subquery-conditions.ts'

/**
 * In memory: where several pieces match thousands of names each, SQLite would collect the records of every one of them
 * in a statement that takes seconds and cannot be ended (ADR 28).
 */
export function createNamedRecords(
  db: Database,
  values: FacetValues,
  onStep: () => void = () => undefined,
): (pieces: readonly NamePiece[]) => NamedRecords {
  /** The parts of a search are asked for with the same pieces. */
  let last: { readonly key: string; readonly found: NamedRecords } | null = null

  const readNames = ({ names }: NamePiece): number[] => {
    const sql = `SELECT json_group_array(id) AS ids FROM (${names.sql})`
    return JSON.parse(db.query<{ ids: string }, string[]>(sql).get(...names.values)?.ids ?? '[]')
  }

  function find(pieces: readonly NamePiece[]): NamedRecords {
    const found = values.createPlaceCounts()
    for (const [index, piece] of pieces.entries()) {
      values.lists[piece.kind].raise(readNames(piece), found, index)
      onStep()
    }
    const ids = values.toIds(found, pieces.length)
    return { ids: JSON.stringify(ids), count: ids.length }
  }

  return (pieces) => {
    values.refresh()
    const key = JSON.stringify([values.seq(), pieces])
    if (last?.key !== key) last = { key, found: find(pieces) }
    return last.found
  }
}
