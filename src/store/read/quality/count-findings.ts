import { type FindingCode, findingCodes, toQualityBits } from '../../../record/quality/finding-codes.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Database } from '../../database.ts'
import { type EventDays, keepOutside, keepSameVideo, readEventDays } from '../list/filters.ts'
import { createMemo } from '../memo.ts'
import { createStatements } from '../statements.ts'

/** How many records of a category, by its id, have a finding. */
export interface NumberedCount {
  readonly code: FindingCode
  readonly category: number
  readonly count: number
}

/** Counts the findings of all records by category; remembered until the next change (decision 53). */
export interface FindingCounter {
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

/** The largest first, equal ones in the order of codes, then of categories. */
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
