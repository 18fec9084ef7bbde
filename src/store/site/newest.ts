import { fromBodyText } from '../../record/record.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { type SlotSet, unknownDay } from '../columns/slots.ts'
import { alwaysAnswered } from '../read/list/list.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createMatches } from '../search/matches.ts'
import type { NewestPage, NewestQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { createBatchLookup, createBatchStart } from './recent.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

/**
 * Live records by the moment at which they became live (decision 47). Those of one batch, such as an import, became live
 * at once: the latest recordings come first, as in `listRecent`.
 */
export function createNewest(deps: SiteReadDeps): SlowReads['listNewest'] {
  const { db, sql } = deps
  const { columns, ranked, wordsLoader } = deps.indexes
  const listMoments = createLookup<{ seq: number; at: string }, number>(
    db,
    (seqs) => `SELECT seq, at FROM version WHERE seq IN ${seqs}`,
  )
  const readBatches = createBatchLookup(db)
  const findBatchStart = createBatchStart(db)

  /** The first `end` records of a set. */
  async function take(set: SlotSet, end: number): Promise<number[]> {
    const { liveSeqs } = columns.data.arrays()
    const toSeq = (slot: number | undefined) => (slot === undefined ? 0 : (liveSeqs[slot] ?? 0))
    const slots = takeNewest(columns, set, end)
    const batches = await readBatches(slots.map(toSeq))
    const ordered: number[] = []
    for (let index = 0; index < slots.length && ordered.length < end; ) {
      const last = toSeq(slots[index])
      const first = await findBatchStart(batches.get(last) ?? null, last)
      let next = index + 1
      while (next < slots.length && toSeq(slots[next]) >= first) next++
      const isSingle = first === last
      ordered.push(
        ...(isSingle ? slots.slice(index, next) : takeLatest(columns, set, [first, last], end - ordered.length)),
      )
      index = next
    }
    return ordered
  }

  async function find(query: NewestQuery): Promise<SlotSet> {
    const { search, ...others } = { ...query.filters, visibility: 'live' as const }
    if (search === undefined || !isRanked(query)) return columns.select({ ...query.filters, visibility: 'live' })
    return (await ranked.find(search, others, 0)).toSlotSet()
  }

  async function readMoments(slots: readonly number[]): Promise<Map<number, string>> {
    const { liveSeqs } = columns.data.arrays()
    const moments = new Map<number, string>()
    for await (const chunk of toChunks(slots.map((slot) => liveSeqs[slot] ?? 0))) {
      for (const { seq, at } of await listMoments(chunk)) moments.set(seq, at)
    }
    return moments
  }

  async function read(query: NewestQuery): Promise<NewestPage> {
    await ensureColumns(columns)
    const slots = (await take(await find(query), query.offset + query.limit)).slice(query.offset)
    const moments = await readMoments(slots)
    const { liveSeqs } = columns.data.arrays()
    const ids = slots.map(columns.toId)
    // A page this small is read whatever its size in bytes.
    const records =
      (await sql.readBodies(ids, null)) ?? (await sql.readBodies(ids.slice(0, alwaysAnswered), null)) ?? []
    const liveAt = records.map((text, i) => moments.get(liveSeqs[slots[i] ?? 0] ?? 0) ?? toAdded(text))
    return { records, liveAt, ...(isRanked(query) && !wordsLoader.isComplete() ? { isProvisional: true } : {}) }
  }

  return (query) => db.transaction('read', () => read(query))
}

/** Whether the words in memory find the records. */
const isRanked = ({ match, filters }: NewestQuery) => match === 'best' && (filters.search?.all.length ?? 0) > 0

/** For a record whose history does not say when it became live. */
const toAdded = (text: string) => fromBodyText(text).added

/** The newest of a set; those without a known moment come last, the larger id first. */
function takeNewest({ data, toId }: RecordColumns, { flags }: SlotSet, limit: number): number[] {
  const { liveSeqs } = data.arrays()
  const newest = createMatches(limit, (slot, other) => toId(slot) > toId(other))
  // Larger slots are mostly newer, so that most of the others need one comparison.
  for (let slot = flags.length - 1; slot > 0; slot--) {
    if (flags[slot] !== 1) continue
    const seq = liveSeqs[slot] ?? 0
    newest.add(slot)
    if (seq >= newest.threshold()) newest.offer(slot, seq)
  }
  return newest.take(0, limit)
}

/** The latest recordings of those that became live by these versions; unknown days come last, the larger id first. */
function takeLatest(
  { data, toId }: RecordColumns,
  { flags }: SlotSet,
  [first, last]: readonly [number, number],
  limit: number,
): number[] {
  const { liveSeqs, days } = data.arrays()
  const latest = createMatches(limit, (slot, other) => toId(slot) > toId(other))
  for (let slot = flags.length - 1; slot > 0; slot--) {
    const seq = liveSeqs[slot] ?? 0
    if (flags[slot] !== 1 || seq < first || seq > last) continue
    const day = days[slot] ?? unknownDay
    latest.add(slot)
    if (day >= latest.threshold()) latest.offer(slot, day)
  }
  return latest.take(0, limit)
}
