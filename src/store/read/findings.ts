import {
  type BesideCode,
  besideCodes,
  type Decided,
  type FindingCode,
  findingCodes,
  isFindingCode,
  type RecordFindings,
  toQualityBits,
} from '../../record/quality/finding-codes.ts'
import { type EventDates, isOutsideEvent, toFindings } from '../../record/quality/findings.ts'
import type {
  CountedFindings,
  EventFindings,
  EventFindingsQuery,
  FindingCount,
  FindingCountsQuery,
  FindingFilters,
  WorkRow,
} from '../../record/query/findings.ts'
import { fromBody } from '../../record/record.ts'
import { toSortKey } from '../../record/text/fold.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'
import type { SlowReads } from '../store.ts'
import { sameVideoSql, toSettledVideosSql, toSharedSql } from '../write/duplicate-rows.ts'
import { lastSeqSql } from '../write/version-rows.ts'
import { type Beside, createBesideLookup, hasBeside, toBesideSql } from './beside-findings.ts'
import { type EventDays, keepOutside, keepSameVideo, readEventDays } from './list/finding-columns.ts'
import { createMemo } from './memo.ts'
import { createLookup, createStatements, type Statements } from './statements.ts'

const eventDates = 'start_date AS "startDate", end_date AS "endDate"'

/** One more than a finding names, to know whether there are more. */
const maxOthers = 6

export function createFindingReader(
  db: Database,
  counter: FindingCounter,
): Pick<SlowReads, 'findFindings' | 'countFindings' | 'findLastSeq'> {
  const findRecord = db.query<EventDates & { body: Uint8Array }, [number]>(
    `SELECT body, ${eventDates} FROM record JOIN listing ON listing.id = record.id
     LEFT JOIN category ON category.id = category_id WHERE record.id = ?`,
  )
  const listOthers = db.query<{ id: number }, [number, number]>(
    `SELECT other.id FROM listing JOIN listing AS other ON ${sameVideoSql} WHERE listing.id = ?
     ORDER BY other.id LIMIT ?`,
  )
  const findSeq = db.query<{ seq: number }, [number]>(
    'SELECT seq FROM version WHERE record_id = ? ORDER BY number DESC LIMIT 1',
  )
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const lookUpBeside = createBesideLookup(db)
  const lookUpAccepted = createAcceptedLookup(db)
  const listHidden = createHiddenList(db)
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  const lookUpNames = createLookup<{ id: number; title: string; slug: string }, number>(
    db,
    (ids) => `SELECT id, title, slug FROM category WHERE id IN ${ids}`,
  )

  async function find(id: number): Promise<RecordFindings | null> {
    const row = await findRecord.get(id)
    if (row === null) return null
    const record = fromBody(row.body)
    const others = await listOthers.all(id, maxOthers)
    const hidden = new Set((await listHidden()).map(({ code }) => code))
    const beside = (await lookUpBeside([id]))(id)
    const all = toFindings(record, { event: row, sameVideo: others.map((other) => other.id), ...beside })
    const shown = all.filter(({ code }) => !hidden.has(code))
    const decided = new Map((await lookUpAccepted([id])).map(({ code, by, at }) => [code, { by, at }]))
    return {
      findings: shown.filter(({ code }) => !decided.has(code)),
      accepted: shown.flatMap((finding) => {
        const said = decided.get(finding.code)
        return said === undefined ? [] : [{ ...finding, ...said }]
      }),
      asOf: (await findSeq.get(id))?.seq ?? 0,
    }
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
    const hidden = await listHidden()
    const isShown = (code: FindingCode) => filters.code === code || !hidden.some((each) => each.code === code)
    const all = await select(filters)
    const found = all.filter(({ code }) => isShown(code))
    const number = page === 'last' ? Math.max(1, Math.ceil(found.length / pageSize)) : page
    const rows = await nameCategories(found.slice((number - 1) * pageSize, number * pageSize))
    const toTotal = (code: FindingCode) => sum(all.filter((each) => each.code === code))
    const codes = filters.code === undefined ? findingCodes.filter(isShown) : [filters.code]
    return {
      ...{ count: found.length, page: number, rows },
      totals: codes.map((code) => ({ code, count: toTotal(code) })),
      hidden: hidden.map((each) => ({ ...each, count: toTotal(each.code) })),
    }
  }

  return {
    findFindings: ({ id }) => db.transaction('read', () => find(id)),
    findLastSeq: async () => ({ seq: (await findLastSeq.get())?.seq ?? 0 }),
    countFindings(query) {
      counter.begin()
      return db.transaction('read', () => count(query))
    },
  }
}

interface Accepted extends Decided {
  readonly id: number
  readonly code: FindingCode
}

/** Codes that another version of the program knew are left out. */
const isKnown = <Row extends { readonly code: string }>(row: Row): row is Row & { readonly code: FindingCode } =>
  isFindingCode(row.code)

function createAcceptedLookup(db: Database) {
  const lookUp = createLookup<Omit<Accepted, 'code'> & { code: string }, number>(
    db,
    (ids) => `SELECT record_id AS id, code, author AS "by", at FROM accepted_finding WHERE record_id IN ${ids}`,
  )
  return async (ids: readonly number[]): Promise<readonly Accepted[]> => (await lookUp(ids)).filter(isKnown)
}

/** The findings that are hidden for all, in the order of their codes. */
function createHiddenList(db: Database) {
  const list = db.query<Decided & { code: string }, []>(
    'SELECT code, author AS "by", at FROM hidden_finding ORDER BY code',
  )
  return async () => (await list.all()).filter(isKnown)
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
    const settled = (await prepare<{ id: number }>(toSettledVideosSql('all')).all()).map(({ id }) => id)
    const accepted = await readAccepted(prepare, columns)
    const counts = countFindings(columns, await readEventDays(prepare), settled, accepted)
    for (const code of besideCodes) await countBeside(code, counts, accepted)
    return toRows(counts, findingCodes.length)
  }

  async function countBeside(code: BesideCode, counts: Uint32Array, accepted: Uint32Array): Promise<void> {
    const { categories } = columns.data.arrays()
    const position = findingCodes.indexOf(code)
    const ids = prepare<{ id: number }>(`SELECT DISTINCT id FROM (${toBesideSql(code)}) AS found`)
    for (const { id } of await ids.all()) {
      const slot = columns.data.slots.toSlot(id)
      if ((((accepted[slot] ?? 0) >> position) & 1) === 1) continue
      const index = findingCodes.length * (categories[slot] ?? 0) + position
      counts[index] = (counts[index] ?? 0) + 1
    }
  }

  return {
    begin() {
      changes = changesCounter()
    },
    count: () => counts('all', countAll),
    changes: () => changes,
  }
}

/** The accepted findings of each slot: one bit per code, in their order. */
async function readAccepted(prepare: Statements, { data }: RecordColumns): Promise<Uint32Array> {
  const bits = new Uint32Array(data.slots.end())
  const all = prepare<{ id: number; code: string }>('SELECT record_id AS id, code FROM accepted_finding')
  for (const { id, code } of (await all.all()).filter(isKnown)) {
    const slot = data.slots.toSlot(id)
    bits[slot] = (bits[slot] ?? 0) | (1 << findingCodes.indexOf(code))
  }
  return bits
}

/** By category and code, without those that the columns do not have. */
function countFindings(
  { data }: RecordColumns,
  events: EventDays,
  settled: readonly number[],
  accepted: Uint32Array,
): Uint32Array {
  const { categories, qualities } = data.arrays()
  const { flags } = data.counts.visible('all')
  const width = findingCodes.length
  const counts = new Uint32Array(width * data.counts.by('category', 'all').length)
  const ownBits = toQualityBits(findingCodes)
  const [outside, same] = [flags.slice(), flags.slice()]
  keepOutside(outside, data, events)
  keepSameVideo(same, data, 'all', settled)
  const [outsideAt, sameAt] = [findingCodes.indexOf('outside_event'), findingCodes.indexOf('same_video')]
  const add = (index: number, count: number) => {
    counts[index] = (counts[index] ?? 0) + count
  }
  for (let slot = 1; slot < flags.length; slot++) {
    if (flags[slot] === 0) continue
    const start = width * (categories[slot] ?? 0)
    const open = ~(accepted[slot] ?? 0)
    // The numbers of bits are those of the codes. A loop: a function per bit takes twice as long.
    for (let rest = (qualities[slot] ?? 0) & ownBits & open; rest !== 0; rest &= rest - 1) {
      add(start + 31 - Math.clz32(rest & -rest), 1)
    }
    add(start + outsideAt, (outside[slot] ?? 0) & (open >> outsideAt))
    add(start + sameAt, (same[slot] ?? 0) & (open >> sameAt))
  }
  return counts
}

/** The largest first; ties in the order of codes, then of categories. */
function toRows(counts: Uint32Array, width: number): NumberedCount[] {
  const rows: (NumberedCount & { readonly index: number })[] = []
  for (let position = 0; position < counts.length; position++) {
    const [code, count] = [findingCodes[position % width], counts[position] ?? 0]
    if (count > 0 && code !== undefined)
      rows.push({ code, category: Math.floor(position / width), count, index: position % width })
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
  const listHidden = createHiddenList(db)
  const orders = createMemo<readonly EventFindings[]>(counter.changes)

  async function findAll(): Promise<readonly EventFindings[]> {
    const hidden = new Set((await listHidden()).map(({ code }) => code))
    const shown = (await counter.count()).filter(({ code }) => !hidden.has(code))
    const byEvent = Map.groupBy(shown, ({ category }) => category)
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
  readonly state: number
  /** Its title. */
  readonly category: string | null
  readonly quality: number
  readonly author: string
  readonly recorded: string | null
  /** 1 if another record has the same video. */
  readonly shared: number
  readonly mergedInto: number | null
}

const toSql = (
  ids: string,
) => `SELECT listing.id, listing.state, title AS category, quality, listing.author, recorded, ${eventDates},
    CASE WHEN ${toSharedSql('all')} THEN 1 ELSE 0 END AS shared,
    (SELECT into_id FROM merged_record WHERE record_id = listing.id AND listing.state <> 1) AS "mergedInto"
  FROM listing LEFT JOIN category ON category.id = category_id WHERE listing.id IN ${ids}`

/** What is found in a record, and which of it is accepted. */
export interface FoundRow extends WorkRow {
  readonly state: number
  /** Its title. */
  readonly category: string
  readonly accepted: ReadonlySet<FindingCode>
}

/** Reads the existing records among up to `maxLookup` ids, in any order. `findings` has accepted and hidden ones too. */
export function createFoundLookup(db: Database): (ids: readonly number[]) => Promise<readonly FoundRow[]> {
  const lookUp = createLookup<Row, number>(db, toSql)
  const lookUpBeside = createBesideLookup(db)
  const lookUpAccepted = createAcceptedLookup(db)
  return async (ids) => {
    const toBeside = await lookUpBeside(ids)
    const accepted = Map.groupBy(await lookUpAccepted(ids), ({ id }) => id)
    return (await lookUp(ids)).map((row) => ({
      ...{ id: row.id, state: row.state, category: row.category ?? '', by: row.author, mergedInto: row.mergedInto },
      findings: findingCodes.filter((code) => hasFinding(row, toBeside(row.id), code)),
      accepted: new Set(accepted.get(row.id)?.map(({ code }) => code)),
    }))
  }
}

/** Reads the columns of work lists that are not fields of records. */
export function createWorkRowReader(db: Database): SlowReads['listWorkRows'] {
  const lookUp = createFoundLookup(db)
  const listHidden = createHiddenList(db)
  return ({ ids }) =>
    db.transaction('read', async () => {
      const hidden = new Set((await listHidden()).map(({ code }) => code))
      const toWorkRow = ({ id, by, mergedInto, findings, accepted }: FoundRow): WorkRow => {
        return { id, by, mergedInto, findings: findings.filter((code) => !accepted.has(code) && !hidden.has(code)) }
      }
      const found = new Map((await lookUp(ids)).map((row) => [row.id, toWorkRow(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    })
}

function hasFinding({ quality, recorded, shared, ...event }: Row, beside: Beside, code: FindingCode): boolean {
  if (code === 'outside_event') return isOutsideEvent(recorded, event)
  if (code === 'same_video') return shared === 1
  return hasBeside(beside, code) || (quality & toQualityBits([code])) !== 0
}
