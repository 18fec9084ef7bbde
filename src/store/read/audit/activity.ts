import type { Timestamp } from '../../../record/timestamp.ts'
import type { Activity, ActivityCursor, ActivityPage, ActivityQuery } from '../../change-log.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'
import { createDayRange, everything, toNextDay } from './day-range.ts'
import { createOtherLines } from './other-lines.ts'
import { createVersionLines, type SeqLines } from './version-lines.ts'

/** After every time that can be stored. */
const newest: ActivityCursor = { seq: everything.to, at: '9999', shown: 0 }

/** Who did what, newest first: versions by their seq, everything else by its time. */
export function createActivity(db: Database): Pick<SlowReads, 'listActivity'> {
  const findCategory = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const findRange = createDayRange(db)
  const readVersions = createVersionLines(db)
  const readOthers = createOtherLines(db)

  async function listOthers(query: ActivityQuery, category: number | null, start: ActivityCursor) {
    const { by, batch, day, limit } = query
    if (batch !== null) return []
    const end = day === null ? newest.at : toNextDay(day)
    const until = start.at < end ? start.at : end
    const found = await readOthers({ until, since: day ?? '', by, category }, limit + 1 + start.shown)
    return found.slice(start.at === found[0]?.at ? start.shown : 0)
  }

  async function read(query: ActivityQuery): Promise<ActivityPage> {
    const { by, batch, limit, cursor } = query
    const category = query.category === null ? null : ((await findCategory.get(query.category))?.id ?? 0)
    const range = query.day === null ? everything : await findRange(query.day)
    const start = cursor ?? newest
    const filter = { by, batch, category, from: range.from, to: Math.min(start.seq, range.to) }
    const versions = await readVersions(filter, limit + 1, batch === null && category === null)
    return toPage(versions, await listOthers(query, category, start), start, limit)
  }

  return { listActivity: (query) => db.transaction('read', () => read(query)) }
}

/** The newest lines of both, and where the next page begins. */
function toPage(versions: SeqLines, others: readonly Activity[], start: ActivityCursor, limit: number): ActivityPage {
  const lastAt = versions.isEnd ? '' : (versions.lines.at(-1)?.line.at ?? '')
  const known = others.filter(({ at }) => at >= lastAt)
  const lines: Activity[] = []
  let [i, j] = [0, 0]
  while (lines.length < limit) {
    const [version, other] = [versions.lines[i], known[j]]
    if (version !== undefined && (other === undefined || version.line.at >= other.at)) {
      lines.push(version.line)
      i++
    } else if (other !== undefined) {
      lines.push(other)
      j++
    } else break
  }
  const isAll = i === versions.lines.length
  if (isAll && versions.isEnd && j === others.length) return { lines, next: null }
  const seq = isAll ? versions.next : i === 0 ? start.seq : (versions.lines[i - 1]?.next ?? start.seq)
  return { lines, next: { seq, ...toOtherPosition(known.slice(0, j), start) } }
}

function toOtherPosition(shown: readonly Activity[], start: ActivityCursor): { at: Timestamp; shown: number } {
  const at = shown.at(-1)?.at ?? start.at
  const same = shown.filter((line) => line.at === at).length
  return { at, shown: same + (at === start.at ? start.shown : 0) }
}
