import { live } from '../../record/state.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { unknownDay } from '../columns/slots.ts'
import type { Database } from '../database.ts'
import { createMemo } from '../read/memo.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createMatches } from '../search/matches.ts'
import type { RecentQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

/** Each step reads one batch, or one record that was added by itself. */
const maxSteps = 60

/**
 * Live records that were added last. What one batch, such as an import, has added counts as added at once: its latest
 * recordings come first. A few of each category, so that one event does not fill the list. Kept until a change.
 */
export function createRecent({ db, sql, indexes: { columns }, changesCounter }: SiteReadDeps): SlowReads['listRecent'] {
  const readBatches = createBatchLookup(db)
  const findBatchStart = createBatchStart(db)
  const memo = createMemo<readonly string[]>(changesCounter)

  async function select(limit: number, perCategory: number): Promise<readonly number[]> {
    const choice = createChoice(columns, perCategory)
    let from = Number.POSITIVE_INFINITY
    let newest: ReadonlyMap<number, number> = new Map()
    let ahead: readonly number[] = []
    let batches: ReadonlyMap<number, number> = new Map()
    for (let step = 0; step < maxSteps && choice.slots.length < limit; step++) {
      ahead = ahead.filter((seq) => seq < from)
      if (ahead.length === 0) {
        newest = findNewest(columns, from, maxSteps - step)
        ahead = [...newest.keys()]
        batches = await readBatches(ahead)
      }
      const [to] = ahead
      if (to === undefined) break
      from = await findBatchStart(batches.get(to) ?? null, to)
      // Records of which it is unknown when they became live all have 0.
      choice.add(from === to && to > 0 ? [newest.get(to) ?? 0] : choice.findLatest(from, to))
    }
    return choice.slots.slice(0, limit)
  }

  /** An archive of few categories fills the list with more of each. */
  async function fill({ limit, perCategory }: RecentQuery): Promise<readonly number[]> {
    const few = await select(limit, perCategory)
    if (few.length === limit || perCategory >= limit) return few
    return [...new Set([...few, ...(await select(limit, limit))])].slice(0, limit)
  }

  async function read(query: RecentQuery): Promise<readonly string[]> {
    await ensureColumns(columns)
    const slots = await fill(query)
    return (await sql.readBodies(slots.map(columns.toId), null)) ?? []
  }

  return (query) => memo(JSON.stringify(query), () => db.transaction('read', () => read(query)))
}

/** Finds the first version of the batch that a version belongs to; itself if it belongs to none. */
export function createBatchStart(db: Database): (batch: number | null, seq: number) => Promise<number> {
  // An import keeps the ids of its source, so they are in no order.
  const findFirst = db.query<{ seq: number | null }, [number]>('SELECT min(seq) AS seq FROM version WHERE batch = ?')
  const findMember = db.query<unknown, [number, number]>('SELECT 1 FROM version WHERE seq = ? AND batch = ?')
  /** Later versions of a batch have larger numbers; an erasure may delete the first one. */
  const known = new Map<number, number>()

  async function find(batch: number): Promise<number | null> {
    const start = known.get(batch)
    if (start !== undefined && (await findMember.get(start, batch)) !== null) return start
    const first = (await findFirst.get(batch))?.seq ?? null
    if (first !== null) known.set(batch, first)
    return first
  }

  return async (batch, seq) => (batch === null ? seq : Math.min((await find(batch)) ?? seq, seq))
}

/** Finds the batches of versions, many at a time: each question to PostgreSQL takes a round trip. */
export function createBatchLookup(db: Database): (seqs: readonly number[]) => Promise<ReadonlyMap<number, number>> {
  const list = createLookup<{ seq: number; batch: number }, number>(
    db,
    (seqs) => `SELECT seq, batch FROM version WHERE seq IN ${seqs} AND batch IS NOT NULL`,
  )
  return async (seqs) => {
    const batches = new Map<number, number>()
    for await (const chunk of toChunks(seqs)) for (const { seq, batch } of await list(chunk)) batches.set(seq, batch)
    return batches
  }
}

/** The versions by which records became live last, of those before `below`, with their slots; the latest first. */
function findNewest({ data, slotEnd }: RecordColumns, below: number, limit: number): Map<number, number> {
  const { states, liveSeqs } = data.arrays()
  const newest = createMatches(limit, (slot, other) => slot > other)
  // From the end, where the newest mostly are, so that few replace others.
  for (let slot = slotEnd() - 1; slot > 0; slot--) {
    const seq = liveSeqs[slot] ?? 0
    if (seq >= below || states[slot] !== live) continue
    newest.add(slot)
    if (seq >= newest.threshold()) newest.offer(slot, seq)
  }
  return new Map(newest.take(0, limit).map((slot) => [liveSeqs[slot] ?? 0, slot]))
}

/** Takes at most `perCategory` of each category. */
function createChoice({ data, slotEnd, toId }: RecordColumns, perCategory: number) {
  const { states, liveSeqs, categories, days } = data.arrays()
  const taken = new Map<number, number>()
  const slots: number[] = []
  const toDay = (slot: number) => (days[slot] === unknownDay ? Number.NEGATIVE_INFINITY : (days[slot] ?? 0))
  // The order of slots differs between threads.
  const isLater = (a: number, b: number) => toDay(a) > toDay(b) || (toDay(a) === toDay(b) && toId(a) > toId(b))
  const compare = (a: number, b: number) => (isLater(a, b) ? -1 : 1)

  /** The latest recordings of each category: a sort of all would take long after an import. */
  function findLatest(from: number, to: number): number[] {
    const latest = new Map<number, number[]>()
    for (let slot = 1; slot < slotEnd(); slot++) {
      const seq = liveSeqs[slot] ?? 0
      if (seq < from || seq > to || states[slot] !== live) continue
      const own = latest.get(categories[slot] ?? 0) ?? []
      if (own.length === 0) latest.set(categories[slot] ?? 0, own)
      const last = own[perCategory - 1]
      if (last !== undefined && compare(slot, last) > 0) continue
      own.push(slot)
      own.sort(compare).splice(perCategory)
    }
    return [...latest.values()].flat().sort(compare)
  }

  return {
    slots,
    findLatest,
    add(found: readonly number[]): void {
      for (const slot of found) {
        const category = categories[slot] ?? 0
        const count = taken.get(category) ?? 0
        if (count >= perCategory) continue
        taken.set(category, count + 1)
        slots.push(slot)
      }
    },
  }
}
