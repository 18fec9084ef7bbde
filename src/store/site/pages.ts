import { toPartTrait } from '../../record/companion/chapters.ts'
import type { EntryKind, NameKind } from '../../record/name.ts'
import { live } from '../../record/state.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import type { FirstCategory, PageKind, PageLine, PageRange, PageRef, PagesQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

/** The pages of all records and names, by ranges of ids: any range is read by primary key. */
export function createPages({
  db,
  indexes: { columns },
}: SiteReadDeps): Pick<
  SlowReads,
  'listPageRanges' | 'listPages' | 'findLivePages' | 'findWhole' | 'findFirstCategory'
> {
  const listRecords = db.query<PageLine, [number, number]>(
    'SELECT id, slug, updated FROM record WHERE id BETWEEN ? AND ? AND state = 1 ORDER BY id',
  )
  const lookUp = createLookup<PageRef, number>(
    db,
    (ids) => `SELECT id, slug FROM record WHERE id IN ${ids} AND state = 1`,
  )
  const findWhole = db.query<PageRef, [string]>(
    `SELECT id, slug FROM companion_trait JOIN record ON id = record_id WHERE trait = ? AND state = 1 ORDER BY id LIMIT 1`,
  )
  const toListNames = (kind: NameKind) =>
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
    async findLivePages(ids) {
      const found = new Map<number, PageRef>()
      for await (const chunk of toChunks([...new Set(ids)]))
        for (const page of await lookUp(chunk)) found.set(page.id, page)
      return found
    },
    findWhole: (id) => findWhole.get(toPartTrait(id)),
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

interface RefRow extends PageRef {
  readonly name: string
}

/** Finds ids and slugs for links. Cached until the store changes: most pages link to the same few names. */
export function createPageRefs(
  db: Database,
  changesCounter: () => number,
): Pick<SlowReads, 'findCategorySlugs' | 'findNameIds'> {
  const find = {
    category: createRefs(db, 'category', 'title', changesCounter),
    speaker: createRefs(db, 'speaker', 'name', changesCounter),
    tag: createRefs(db, 'tag', 'name', changesCounter),
  }
  return {
    async findCategorySlugs(titles) {
      const found = await find.category(titles)
      return new Map(Array.from(found, ([title, { slug }]) => [title, slug]))
    },
    findNameIds: ({ kind, names }) => find[kind](names),
  }
}

/** Bounds the cache: an archive may have millions of names. */
const maxKnown = 10_000

function createRefs(db: Database, table: EntryKind, column: 'title' | 'name', changesCounter: () => number) {
  const lookup = createLookup<RefRow, string>(
    db,
    (names) => `SELECT id, slug, ${column} AS name FROM ${table} WHERE ${column} IN ${names}`,
  )
  /** Null for a name that the store does not have. */
  const known = new Map<string, PageRef | null>()
  let counter = changesCounter()

  async function read(names: readonly string[]): Promise<void> {
    for await (const chunk of toChunks(names)) {
      const rows = await lookup(chunk)
      for (const name of chunk) known.set(name, null)
      for (const { id, slug, name } of rows) known.set(name, { id, slug })
    }
  }

  return async (names: readonly string[]): Promise<ReadonlyMap<string, PageRef>> => {
    // Loaded before the read: a change in between clears the cache at the next call.
    const current = changesCounter()
    if (current !== counter || known.size > maxKnown) known.clear()
    counter = current
    const distinct = new Set(names)
    await read([...distinct].filter((name) => !known.has(name)))
    const found = new Map<string, PageRef>()
    for (const name of distinct) {
      const address = known.get(name) ?? null
      if (address !== null) found.set(name, address)
    }
    return found
  }
}
