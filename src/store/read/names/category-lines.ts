import { toFolded } from '../../../record/text/fold.ts'
import { toInitial, toWordStartTest } from '../../../record/text/words.ts'
import { compareCodePoints } from '../../columns/numbering.ts'
import type { Database } from '../../database.ts'
import type { NameLine, NameLines, NameLinesQuery } from '../../name-reads.ts'
import { countInitials } from './initials.ts'
import { compareUse, type NameIndexes } from './matching-names.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly target: number | null
}

type KeyedLine = NameLine & { readonly key: string }

/** Lists categories as other names. There are a few hundred, so they are sorted and paged here. */
export function createCategoryLines(db: Database, onStep: () => void, indexes: NameIndexes | null) {
  const listRows = db.query<Row, []>('SELECT id, title AS name, slug, merged_into AS target FROM category')
  const listCounts = db.query<{ id: number; state: number; count: number }, []>(
    'SELECT category_id AS id, state, count(*) AS count FROM listing GROUP BY category_id, state',
  )

  /** How many records a category has, and how many live ones. */
  async function createCounts(): Promise<(id: number) => readonly [count: number, live: number]> {
    await indexes?.columns.refresh()
    const columns = indexes?.columns.isComplete() ? indexes.columns : null
    if (columns !== null)
      return (id) => [columns.countOf('category', id, 'all'), columns.countOf('category', id, 'live')]
    const counts = new Map<number, [number, number]>()
    for (const { id, state, count } of await listCounts.all()) {
      const [all, live] = counts.get(id) ?? [0, 0]
      counts.set(id, [all + count, state === 1 ? count : live])
    }
    return (id) => counts.get(id) ?? [0, 0]
  }

  async function read({ slug, prefix, initial, order, page: wanted, pageSize }: NameLinesQuery): Promise<NameLines> {
    const all = toLines(await listRows.all(), await createCounts())
    onStep()
    const begins = toWordStartTest(prefix)
    const isFound = (line: KeyedLine) =>
      (slug === undefined || line.slug === slug) &&
      (initial === null || toInitial(line.key) === initial) &&
      begins(line.key)
    const found = all.filter(isFound)
    found.sort(order === 'use' ? compareUse : compareKeys)
    const page = wanted === 'last' ? Math.max(1, Math.ceil(found.length / pageSize)) : wanted
    const lines = found.slice((page - 1) * pageSize, page * pageSize).map(({ key: _, ...line }) => line)
    return { count: found.length, page, lines, initials: countInitials(all.map(({ key }) => key)) }
  }

  return (query: NameLinesQuery) => db.transaction('read', () => read(query))
}

/** One that was merged is an alias, unless it has records again (decision 52). */
function toLines(rows: readonly Row[], countOf: (id: number) => readonly [number, number]): KeyedLine[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const aliases = Map.groupBy(
    rows.filter(({ target }) => target !== null),
    (row) => findEnd(row, byId),
  )
  return rows.flatMap(({ id, name, slug, target }) => {
    const [count, live] = countOf(id)
    if (target !== null && count === 0) return []
    const others = (aliases.get(id) ?? []).map((alias) => alias.name).sort(compareCodePoints)
    return [{ id, name, slug, count, live, aliases: others, key: toFolded(name) }]
  })
}

/** A damaged chain may be a loop. */
function findEnd(row: Row, byId: ReadonlyMap<number, Row>): number {
  const seen = new Set<number>()
  let end = row
  while (end.target !== null && !seen.has(end.id)) {
    seen.add(end.id)
    end = byId.get(end.target) ?? { ...end, target: null }
  }
  return end.id
}

const compareKeys = (a: KeyedLine, b: KeyedLine) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name)
