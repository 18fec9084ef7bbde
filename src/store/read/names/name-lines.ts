import type { NameRow } from '../../../record/query/vocabulary.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { Database } from '../../database.ts'
import type { NameLine, NameLines, NameLinesQuery } from '../../name-reads.ts'
import type { SlowReads } from '../../store.ts'
import { createLookup, toChunks } from '../lookup-many.ts'
import { createCategoryLines } from './category-lines.ts'
import { createMatchingNames, type NameIndexes } from './matching-names.ts'
import type { Vocabulary } from './vocabulary.ts'

type LinkedKind = 'speaker' | 'tag'

/** Lists names with what curators need to know of each. */
export function createNameLines(
  db: Database,
  vocabulary: Vocabulary,
  onStep: () => void,
  indexes: NameIndexes | null,
): SlowReads['listNameLines'] {
  const names = createMatchingNames(db, indexes, onStep)
  const aliases = { speaker: createAliasLists(db, 'speaker'), tag: createAliasLists(db, 'tag') }
  const listCategories = createCategoryLines(db, onStep, indexes)

  async function list(kind: LinkedKind, { initial, ...query }: NameLinesQuery): Promise<NameLines> {
    const wanted = { ...query, kind, visibility: 'all', ...(initial === null ? {} : { initial }) } as const
    const { count, page, rows } = await vocabulary.list(wanted)
    const initials = await vocabulary.listInitials({ kind, visibility: 'all' })
    // The lists of speakers and tags have rows of this type.
    const lines = await db.transaction('read', () => toLines(kind, rows as readonly NameRow[]))
    return { count, page, lines, initials }
  }

  async function toLines(kind: LinkedKind, rows: readonly NameRow[]): Promise<NameLine[]> {
    const ids = rows.map(({ id }) => id)
    const live = await names.count(kind, 'live', ids)
    const others = await aliases[kind](ids)
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, slug: row.slug, count: row.count },
      live: live.get(row.id) ?? 0,
      aliases: others.get(row.id) ?? [],
    }))
  }

  return (query) => (query.kind === 'category' ? listCategories(query) : list(query.kind, query))
}

/** Aliases may have aliases; a damaged chain of more is cut. */
const maxDepth = 20

/** The aliases of each entry, a level of aliases at a time. */
function createAliasLists(db: Database, kind: LinkedKind) {
  type Row = { readonly id: number; readonly name: string; readonly target: number }
  const lookUp = createLookup<Row, number>(
    db,
    (ids) => `SELECT id, name, merged_into AS target FROM ${kind} WHERE merged_into IN ${ids}`,
  )
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, string[]>()
    /** The entry that each alias of this level stands for. */
    let level = new Map(ids.map((id) => [id, id]))
    for (let depth = 0; level.size > 0 && depth < maxDepth; depth++) {
      const next = new Map<number, number>()
      for await (const chunk of toChunks(level.keys())) {
        for (const { id, name, target } of await lookUp(chunk)) {
          const entry = level.get(target) ?? target
          next.set(id, entry)
          found.set(entry, [...(found.get(entry) ?? []), name])
        }
      }
      level = next
    }
    for (const list of found.values()) list.sort(compareCodePoints)
    return found
  }
}
