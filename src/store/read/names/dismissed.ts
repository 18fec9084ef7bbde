import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import type { DismissedLine } from '../../name-reads.ts'
import type { SlowReads } from '../../store.ts'
import { readLogPage } from '../change-log.ts'
import { createLookup, toChunks } from '../lookup-many.ts'
import { createMatchingNames, type NameIndexes } from './matching-names.ts'

type LinkedKind = 'speaker' | 'tag'
type Row = { readonly ids: string; readonly at: Timestamp; readonly by: string }

/** Lists the groups that people have called different, with their names as they are now. */
export function createDismissedReader(
  db: Database,
  onStep: () => void,
  indexes: NameIndexes | null,
): SlowReads['listDismissed'] {
  const count = db.query<{ count: number }, [string]>('SELECT count(*) AS count FROM dismissed_variant WHERE kind = ?')
  const list = db.query<Row, [string, number, number]>(
    'SELECT ids, at, author AS "by" FROM dismissed_variant WHERE kind = ? ORDER BY at DESC, ids LIMIT ? OFFSET ?',
  )
  const toLookup = (kind: LinkedKind) =>
    createLookup<{ id: number; name: string }, number>(db, (ids) => `SELECT id, name FROM ${kind} WHERE id IN ${ids}`)
  const lookUp = { speaker: toLookup('speaker'), tag: toLookup('tag') }
  const matching = createMatchingNames(db, indexes, onStep)

  async function readNames(kind: LinkedKind, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const names = new Map<number, string>()
    for await (const chunk of toChunks(ids)) for (const { id, name } of await lookUp[kind](chunk)) names.set(id, name)
    return names
  }

  async function readLines(kind: LinkedKind, limit: number, offset: number): Promise<DismissedLine[]> {
    const groups = (await list.all(kind, limit, offset)).map((row) => ({ ...row, ids: parseIds(row.ids) }))
    const ids = [...new Set(groups.flatMap((group) => group.ids))]
    const names = await readNames(kind, ids)
    const counts = await matching.count(kind, 'all', ids)
    const toName = (id: number) => ({ id, name: names.get(id) ?? '', count: counts.get(id) ?? 0 })
    return groups.map(({ ids: members, at, by }) => {
      const known = members.filter((id) => names.has(id)).map(toName)
      return { ids: members, at, by, names: known.sort((a, b) => b.count - a.count || a.id - b.id) }
    })
  }

  return ({ kind, ...paging }) =>
    db.transaction('read', async () =>
      readLogPage(paging, (await count.get(kind))?.count ?? 0, (limit, offset) => readLines(kind, limit, offset)),
    )
}

/** As the writer stored them. */
const parseIds = (ids: string): number[] => JSON.parse(ids)
