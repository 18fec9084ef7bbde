import { toVideoUrl } from '../../record/embed.ts'
import { type Finding, type FindingCode, findingCodes, toQualityBits } from '../../record/quality/finding-codes.ts'
import { type EventDates, isOutsideEvent, toFindings } from '../../record/quality/findings.ts'
import type {
  CountedFindings,
  EventFindings,
  EventFindingsQuery,
  FindingCount,
  FindingCountsQuery,
  FindingFilters,
} from '../../record/query/findings.ts'
import { fromBody } from '../../record/record.ts'
import { toSortKey } from '../../record/text/fold.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import type { SlowReads, WorkRow } from '../store.ts'
import { type EventDays, keepOutside, keepSameVideo, readEventDays } from './list/filters.ts'
import { createMemo } from './memo.ts'
import { createLookup, createStatements } from './statements.ts'

const eventDates = 'start_date AS "startDate", end_date AS "endDate"'

/** One more than a finding names, to know whether there are more. */
const maxOthers = 6

export function createFindingReader(
  db: Database,
  counter: FindingCounter,
): Pick<SlowReads, 'findFindings' | 'countFindings'> {
  const findRecord = db.query<EventDates & { body: Uint8Array }, [number]>(
    `SELECT body, ${eventDates} FROM record JOIN listing ON listing.id = record.id
     LEFT JOIN category ON category.id = category_id WHERE record.id = ?`,
  )
  const listOthers = db.query<{ id: number }, [string, number, number]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' AND id <> ? ORDER BY id LIMIT ?`,
  )
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  const lookUpNames = createLookup<{ id: number; title: string; slug: string }, number>(
    db,
    (ids) => `SELECT id, title, slug FROM category WHERE id IN ${ids}`,
  )

  async function find(id: number): Promise<readonly Finding[] | null> {
    const row = await findRecord.get(id)
    if (row === null) return null
    const record = fromBody(row.body)
    const others = await listOthers.all(toVideoUrl(record.source_url), id, maxOthers)
    return toFindings(record, { event: row, sameVideo: others.map((other) => other.id) })
  }

  async function select({ code, category }: FindingFilters): Promise<readonly NumberedCount[]> {
    const all = await counter.count()
    const wanted = category === undefined ? null : await findCategories.all(category, category)
    const ids = wanted && new Set(wanted.map(({ id }) => id))
    return all.filter((each) => (code === undefined || each.code === code) && (ids === null || ids.has(each.category)))
  }

  async function nameCategories(rows: readonly NumberedCount[]): Promise<FindingCount[]> {
    const names = new Map(
      (await lookUpNames([...new Set(rows.map(({ category }) => category))])).map((row) => [row.id, row]),
    )
    return rows.map(({ code, category, count }) => {
      const { title = '', slug = '' } = names.get(category) ?? {}
      return { code, category: title, slug, count }
    })
  }

  async function count({ page, pageSize, ...filters }: FindingCountsQuery): Promise<CountedFindings> {
    const found = await select(filters)
    const number = page === 'last' ? Math.max(1, Math.ceil(found.length / pageSize)) : page
    const rows = await nameCategories(found.slice((number - 1) * pageSize, number * pageSize))
    const codes = filters.code === undefined ? findingCodes : [filters.code]
    const totals = codes.map((code) => ({ code, count: sum(found.filter((each) => each.code === code)) }))
    return { count: found.length, page: number, rows, totals }
  }

  return {
    findFindings: ({ id }) => db.transaction('read', () => find(id)),
    countFindings(query) {
      counter.begin()
      return db.transaction('read', () => count(query))
    },
  }
}

const sum = (rows: readonly NumberedCount[]) => rows.reduce((total, { count }) => total + count, 0)

/** How many records of a category, by its id, have a finding. */
interface NumberedCount {
  readonly code: FindingCode
  readonly category: number
  readonly count: number
}

/** Counts the findings of all records by category; remembered until the next change (decision 53). */
interface FindingCounter {
  /** Before the snapshot in which `count` is called, so that nothing from an older one is kept for it. */
  begin(): void
  count(): Promise<readonly NumberedCount[]>
  /** Of the changes that `count` knows. */
  changes(): number
}

export function createFindingCounter(
  db: Database,
  columns: RecordColumns,
  changesCounter: () => number,
  onStep: () => void,
): FindingCounter {
  const prepare = createStatements(db)
  let changes = changesCounter()
  const counts = createMemo<readonly NumberedCount[]>(() => changes)

  async function countAll(): Promise<readonly NumberedCount[]> {
    await columns.refresh()
    if (!columns.isComplete()) await columns.loadAll()
    onStep()
    return countFindings(columns, await readEventDays(prepare))
  }

  return {
    begin() {
      changes = changesCounter()
    },
    count: () => counts('all', countAll),
    changes: () => changes,
  }
}

/** The largest first; ties in the order of codes, then of categories. */
function countFindings({ data }: RecordColumns, events: EventDays): NumberedCount[] {
  const { categories, qualities } = data.arrays()
  const { flags } = data.counts.visible('all')
  const width = findingCodes.length
  const counts = new Uint32Array(width * data.counts.by('category', 'all').length)
  const ownBits = toQualityBits(findingCodes)
  const [outside, same] = [flags.slice(), flags.slice()]
  keepOutside(outside, data, events)
  keepSameVideo(same, data, 'all')
  const [outsideAt, sameAt] = [findingCodes.indexOf('outside_event'), findingCodes.indexOf('same_video')]
  const add = (index: number, count: number) => {
    counts[index] = (counts[index] ?? 0) + count
  }
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] === 0) continue
    const start = width * (categories[slot] ?? 0)
    // The numbers of bits are those of the codes. A loop: a function per bit takes twice as long.
    for (let rest = (qualities[slot] ?? 0) & ownBits; rest !== 0; rest &= rest - 1) {
      add(start + 31 - Math.clz32(rest & -rest), 1)
    }
    add(start + outsideAt, outside[slot] ?? 0)
    add(start + sameAt, same[slot] ?? 0)
  }
  return toRows(counts, width)
}

function toRows(counts: Uint32Array, width: number): NumberedCount[] {
  const rows: (NumberedCount & { readonly index: number })[] = []
  for (let at = 0; at < counts.length; at++) {
    const [code, count] = [findingCodes[at % width], counts[at] ?? 0]
    if (count > 0 && code !== undefined) rows.push({ code, category: Math.floor(at / width), count, index: at % width })
  }
  return rows.sort((a, b) => b.count - a.count || a.index - b.index || a.category - b.category)
}

interface CategoryNames {
  readonly id: number
  readonly title: string
  readonly slug: string
}

/** The findings of each event, drafts included; remembered until the next change (decision 53). */
export function createEventFindings(
  db: Database,
  columns: RecordColumns,
  counter: FindingCounter,
): SlowReads['listEventFindings'] {
  const listNames = db.query<CategoryNames, []>('SELECT id, title, slug FROM category')
  const orders = createMemo<readonly EventFindings[]>(counter.changes)

  async function findAll(): Promise<readonly EventFindings[]> {
    const byEvent = Map.groupBy(await counter.count(), ({ category }) => category)
    const names = await listNames.all()
    return names.flatMap(({ id, title, slug }) => {
      const findings = (byEvent.get(id) ?? []).map(({ code, count }) => ({ code, count }))
      const total = findings.reduce((sum, { count }) => sum + count, 0)
      return total === 0
        ? []
        : [{ category: title, slug, talks: columns.countOf('category', id, 'all'), total, findings }]
    })
  }

  const sort = (order: EventFindingsQuery['order']) =>
    orders(order, async () => sortEvents(await orders('', findAll), order))

  return ({ order, page, pageSize }) => {
    counter.begin()
    return db.transaction('read', async () => {
      const all = await sort(order)
      const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
      return { count: all.length, page: number, lines: all.slice((number - 1) * pageSize, number * pageSize) }
    })
  }
}

/** By title, by talks, or by one finding, which also limits the list to events that have it; ties by title. */
function sortEvents(events: readonly EventFindings[], order: EventFindingsQuery['order']): readonly EventFindings[] {
  const keyed = events.map((event) => ({ event, title: toSortKey(event.category), size: toSize(event, order) }))
  return keyed
    .filter(({ size }) => order === 'title' || size > 0)
    .sort((a, b) => b.size - a.size || (a.title < b.title ? -1 : 1))
    .map(({ event }) => event)
}

function toSize({ total, talks, findings }: EventFindings, order: EventFindingsQuery['order']): number {
  if (order === 'title') return 0
  if (order === 'talks') return talks
  return order === 'total' ? total : (findings.find(({ code }) => code === order)?.count ?? 0)
}

interface Row extends EventDates {
  readonly id: number
  readonly quality: number
  readonly author: string
  readonly recorded: string | null
  /** 1 if another record has the same video. */
  readonly shared: number
}

const toSql = (ids: string) => `SELECT listing.id, quality, author, recorded, ${eventDates},
    CASE WHEN source_url <> '' AND EXISTS (SELECT 1 FROM listing AS other WHERE other.source_url = listing.source_url
      AND other.source_url <> '' AND other.id <> listing.id) THEN 1 ELSE 0 END AS shared
  FROM listing LEFT JOIN category ON category.id = category_id WHERE listing.id IN ${ids}`

/** Reads the columns of work lists that are not fields of records. */
export function createWorkRowReader(db: Database): SlowReads['listWorkRows'] {
  const lookUp = createLookup<Row, number>(db, toSql)
  return ({ ids }) =>
    db.transaction('read', async () => {
      const found = new Map((await lookUp(ids)).map((row) => [row.id, toWorkRow(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    })
}

function toWorkRow(row: Row): WorkRow {
  return { id: row.id, by: row.author, findings: findingCodes.filter((code) => hasFinding(row, code)) }
}

function hasFinding({ quality, recorded, shared, ...event }: Row, code: FindingCode): boolean {
  if (code === 'outside_event') return isOutsideEvent(recorded, event)
  if (code === 'same_video') return shared === 1
  return (quality & toQualityBits([code])) !== 0
}
