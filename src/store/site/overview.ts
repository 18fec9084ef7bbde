import type { RecordColumns } from '../columns/record-columns.ts'
import { live } from '../columns/slot-arrays.ts'
import { createMemo } from '../read/memo.ts'
import type { EventRow, NamedCount, Statistics, Summary } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { createEventReader } from './events.ts'
import { ensureColumns, type SiteReadDeps } from './site-needs.ts'
import { countLives } from './statistics.ts'

const maxLargest = 30

/** What the home page and the statistics say of all live records. Counted in the columns, and kept until a change. */
export function createOverview({
  db,
  indexes: { columns },
  changesCounter,
}: SiteReadDeps): Pick<SlowReads, 'summarise' | 'listEvents' | 'readStatistics'> {
  const readEvents = createEventReader(db, columns)
  const keep = <T>(read: () => Promise<T>) => {
    const memo = createMemo<T>(changesCounter)
    const readLoaded = async () => {
      await ensureColumns(columns)
      return read()
    }
    return () => memo('', () => db.transaction('read', readLoaded))
  }
  const toLanguages = () => columns.listLanguages('live').sort((a, b) => b.count - a.count)
  return {
    summarise: keep(async () => summarise(columns, toLanguages())),
    listEvents: keep(readEvents),
    readStatistics: keep(
      async (): Promise<Statistics> => ({
        ...countLives(columns.data),
        languages: toLanguages(),
        largestEvents: findLargest(await readEvents()),
      }),
    ),
  }
}

function summarise({ data, countAll, countNames }: RecordColumns, languages: readonly NamedCount[]): Summary {
  const { states, durations } = data.arrays()
  let seconds = 0
  for (let slot = 1; slot < data.slots.end(); slot++) {
    if (states[slot] === live) seconds += Math.max(0, durations[slot] ?? 0)
  }
  return {
    talks: countAll('live'),
    seconds,
    speakers: countNames('speaker', 'live'),
    categories: countNames('category', 'live'),
    languages,
  }
}

/** Equally large ones stay in their order. */
function findLargest(events: readonly EventRow[]): EventRow[] {
  return events.toSorted((a, b) => b.count - a.count).slice(0, maxLargest)
}
