import type { Duplicates } from '../../../record/query/findings.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'
import { createMemo } from '../memo.ts'
import { createStatements } from '../statements.ts'

/** Titles that several records have, by the index of titles; whether these are in one event is found out here. */
const repeatedSql = `SELECT listing.id, category_id AS category, listing.title_key AS title FROM listing
  JOIN (SELECT title_key FROM listing GROUP BY title_key HAVING count(*) > 1) AS repeated
  ON repeated.title_key = listing.title_key ORDER BY listing.id`

/** Groups of records that may be the same talk, for callers who see drafts; remembered until the next change (decision 53). */
export function createDuplicateReader(
  db: Database,
  columns: RecordColumns,
  changesCounter: () => number,
  onStep: () => void,
): SlowReads['listDuplicates'] {
  const prepare = createStatements(db, onStep)
  /** Loaded before the snapshot, so that nothing from an older snapshot is kept for it. */
  let changes = changesCounter()
  const groups = createMemo<readonly Duplicates[]>(() => changes)

  async function findVideos(): Promise<readonly Duplicates[]> {
    await columns.refresh()
    if (!columns.isComplete()) await columns.loadAll()
    onStep()
    return toGroups('same_video', groupVideos(columns))
  }

  async function findTitles(): Promise<readonly Duplicates[]> {
    const rows = await prepare<{ id: number; category: number; title: string }>(repeatedSql).all()
    const titles = Map.groupBy(rows, ({ category, title }) => `${category} ${title}`)
    const ids = [...titles.values()].map((group) => group.map(({ id }) => id))
    return toGroups('same_title', ids)
  }

  /** Titles take much longer: they are in no column. */
  async function findGroups(reason: Duplicates['reason'] | undefined): Promise<readonly Duplicates[]> {
    const videos = reason === 'same_title' ? [] : await groups('same_video', findVideos)
    const titles = reason === 'same_video' ? [] : await groups('same_title', findTitles)
    return [...videos, ...titles]
  }

  return ({ page, pageSize, reason }) => {
    changes = changesCounter()
    return db.transaction('read', async () => {
      const all = await findGroups(reason)
      const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
      return { count: all.length, page: number, lines: all.slice((number - 1) * pageSize, number * pageSize) }
    })
  }
}

/** The ids of the records of each video that several have. */
function groupVideos({ data, toId }: RecordColumns): number[][] {
  const { videos } = data.arrays()
  const { flags } = data.counts.visible('all')
  const groups = new Map(Array.from(data.counts.sharedVideos('all'), (video): [number, number[]] => [video, []]))
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] === 1) groups.get(videos[slot] ?? 0)?.push(toId(slot))
  }
  return [...groups.values()]
}

/** Ids ascend, and groups by their first ids. */
function toGroups(reason: Duplicates['reason'], groups: readonly (readonly number[])[]): Duplicates[] {
  return groups
    .filter(({ length }) => length > 1)
    .map((ids) => ({ reason, ids: ids.toSorted((a, b) => a - b) }))
    .sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
}
