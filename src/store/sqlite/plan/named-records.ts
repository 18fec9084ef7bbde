import type { Database } from '../../database.ts'
import type { FacetIndex } from '../facets/facet-index.ts'
import type { NamePiece } from './id-sets.ts'

/**
 * Finds, in memory, the records that have a name for each piece. Where several pieces match thousands of names each,
 * SQLite would join them in a statement that takes seconds and cannot be interrupted (ADR 28).
 */
export function createNamedRecords(
  db: Database,
  index: FacetIndex,
  onStep: () => void = () => undefined,
): (pieces: readonly NamePiece[]) => Promise<readonly number[]> {
  /** The parts of a search ask for the same pieces. */
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
