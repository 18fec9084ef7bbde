import type { RecordColumns } from '../columns/record-columns.ts'
import { live } from '../columns/slot-arrays.ts'
import type { FirstCategory, PageKind, PageLine, PageRange, PagesQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-needs.ts'

/** The addresses of all pages, by ranges of ids: a range is read by primary key, wherever it is. */
export function createPages({
  db,
  indexes: { columns },
}: SiteReadDeps): Pick<SlowReads, 'listPageRanges' | 'listPages' | 'findFirstCategory'> {
  const listRecords = db.query<PageLine, [number, number]>(
    'SELECT id, slug, updated FROM record WHERE id BETWEEN ? AND ? AND state = 1 ORDER BY id',
  )
  const toListNames = (kind: 'speaker' | 'tag') =>
    db.query<PageLine, [number, number]>(
      `SELECT id, slug, NULL AS updated FROM ${kind} WHERE id BETWEEN ? AND ? ORDER BY id`,
    )
  const listNames = { speaker: toListNames('speaker'), tag: toListNames('tag') }
  const findFirst = db.query<FirstCategory, []>('SELECT slug, added FROM category ORDER BY id LIMIT 1')

  async function list({ kind, fromId, toId }: PagesQuery): Promise<readonly PageLine[]> {
    if (kind === 'video') return listRecords.all(fromId, toId)
    await ensureColumns(columns)
    const names = await listNames[kind].all(fromId, toId)
    return names.filter(({ id }) => columns.countOf(kind, id, 'live') > 0)
  }

  return {
    listPageRanges: ({ size }) =>
      db.transaction('read', async () => {
        await ensureColumns(columns)
        return (['video', 'speaker', 'tag'] as const).flatMap((kind) => toRanges(kind, listIds(columns, kind), size))
      }),
    listPages: (query) => db.transaction('read', () => list(query)),
    findFirstCategory: () => findFirst.get(),
  }
}

function* listIds({ data, toId }: RecordColumns, kind: PageKind): Generator<number> {
  if (kind === 'video') {
    const { states } = data.arrays()
    for (let slot = 1; slot < data.slots.end(); slot++) if (states[slot] === live) yield toId(slot)
    return
  }
  for (const [id, count] of data.counts.by(kind, 'live').entries()) if (count > 0) yield id
}

function toRanges(kind: PageKind, ids: Iterable<number>, size: number): PageRange[] {
  const counts = new Map<number, number>()
  for (const id of ids) {
    const number = Math.floor((id - 1) / size)
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  return Array.from(counts, ([number, count]) => ({ kind, number, count })).sort((a, b) => a.number - b.number)
}
