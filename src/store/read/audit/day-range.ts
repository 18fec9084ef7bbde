import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'

/** Versions with `from <= seq < to`. */
export interface SeqRange {
  readonly from: number
  readonly to: number
}

export const everything: SeqRange = { from: 0, to: Number.MAX_SAFE_INTEGER }

const dayMs = 86_400_000

/** The day after, as `YYYY-MM-DD`. */
export function toNextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}

/**
 * Finds the versions of a day by bisection: times rise with seq, and no index has them. After a clock was set back, some
 * versions are found under the day before or after.
 */
export function createDayRange(db: Database): (day: string) => Promise<SeqRange> {
  const findFrom = db.query<{ seq: number; at: Timestamp }, [number]>(
    'SELECT seq, at FROM version WHERE seq >= ? ORDER BY seq LIMIT 1',
  )
  const findLast = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM version')

  /** The first seq at or after this time. */
  async function bisect(time: string, end: number): Promise<number> {
    let [low, high] = [0, end]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = await findFrom.get(middle)
      if (row !== null && row.at < time) low = row.seq + 1
      else high = middle
    }
    return low
  }

  return async (day) => {
    const end = ((await findLast.get())?.seq ?? 0) + 1
    return { from: await bisect(day, end), to: await bisect(toNextDay(day), end) }
  }
}
