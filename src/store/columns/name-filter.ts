import type { Filters } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/lookup-many.ts'
import type { RecordData } from './record-data.ts'

/** The ids of the names whose folded form contains a text. */
export type FindNameIds = (kind: 'speaker' | 'tag', part: string) => Promise<readonly number[]>

/** The names that one value of a filter stands for: those that contain a text, or the one with an id. */
interface NamePart {
  readonly kind: 'speaker' | 'tag'
  readonly names: readonly number[]
  /** How many records have these names, counted once for each name. */
  readonly records: number
}

/** Looking up the records of rarer names is cheaper than a pass over all records. */
const maxRare = 2_000

export interface NameFilter {
  /** Null if one of the values stands for no name. */
  find(filters: Filters): Promise<readonly NamePart[] | null>
  /** The records that have the rarest names; null if all names are frequent. */
  listRare(parts: readonly NamePart[]): Promise<readonly number[] | null>
  /** Clears the flags of records that lack one of the names. */
  keep(parts: readonly NamePart[], flags: Uint8Array): void
}

export function createNameFilter(
  db: Database,
  data: RecordData,
  findNameIds: FindNameIds,
  onStep: () => void,
): NameFilter {
  const createLinks = (kind: 'speaker' | 'tag') =>
    createLookup<{ id: number }, number>(
      db,
      (ids) => `SELECT record_id AS id FROM record_${kind} WHERE ${kind}_id IN ${ids}`,
    )
  const listLinks = { speaker: createLinks('speaker'), tag: createLinks('tag') }

  async function findPart(kind: 'speaker' | 'tag', text: string): Promise<NamePart> {
    const names = await findNameIds(kind, text)
    onStep()
    return toPart(kind, names)
  }

  function toPart(kind: 'speaker' | 'tag', ids: readonly number[]): NamePart {
    const { get } = data.tallies[kind]
    const names = ids.filter((id) => get(id, 'all') > 0)
    return { kind, names, records: names.reduce((sum, id) => sum + get(id, 'all'), 0) }
  }

  return {
    async find({ speakers, tags, speakerIds = [], tagIds = [] }) {
      const parts = [...speakerIds.map((id) => toPart('speaker', [id])), ...tagIds.map((id) => toPart('tag', [id]))]
      for (const text of speakers) parts.push(await findPart('speaker', text))
      for (const text of tags) parts.push(await findPart('tag', text))
      return parts.some(({ names }) => names.length === 0) ? null : parts
    },
    async listRare(parts) {
      const [rarest] = parts.toSorted((a, b) => a.records - b.records)
      if (rarest === undefined || rarest.records > maxRare) return null
      const ids: number[] = []
      for await (const chunk of toChunks(rarest.names)) {
        for (const { id } of await listLinks[rarest.kind](chunk)) ids.push(id)
      }
      return ids
    },
    keep(parts, flags) {
      for (const { kind, names } of parts) {
        const lists = kind === 'speaker' ? data.speakers : data.tags
        lists.keep(names, flags)
        onStep()
      }
    },
  }
}
