import { isOwnCode } from '../../record/quality/finding-codes.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Visibility } from '../../record/visibility.ts'
import type { RecordData } from './record-data.ts'
import { live } from './slot-arrays.ts'
import type { Tally } from './tally.ts'
import { toTestedBits } from './work/keep-quality.ts'

export interface CountNeeds {
  findCategoryIds(text: string): Promise<readonly number[]>
  /** Before records outside of their events are counted. */
  followEvents(): Promise<void>
}

/** Running counts answer lists of all records, of what needs work, or with one other filter; null for all others. */
export async function countByTally(
  data: RecordData,
  filters: Filters,
  { findCategoryIds, followEvents }: CountNeeds,
): Promise<number | null> {
  const { visibility: _visibility, state: _state, search: _search, category, speakers, tags, has, ...rest } = filters
  const { language, host, by, speakerIds = [], tagIds = [], findings = [], whiteboard, parked, ...others } = rest
  const isGiven = (value: unknown) => value !== undefined
  if (speakers.length + tags.length + has.length > 0 || Object.values(others).some(isGiven)) return null
  const given = [category, language, host, by, ...speakerIds, ...tagIds].filter(isGiven)
  if (findings.length > 0 || isGiven(whiteboard) || isGiven(parked)) {
    if (given.length > 0) return null
    if (findings.includes('outside_event')) await followEvents()
    return countWork(data, filters)
  }
  if (given.length > 1) return null

  const { total, tallies, languages, hosts, authors } = data
  const count = (tally: Tally, number: number | undefined) =>
    number === undefined ? 0 : countVisible(filters, (visibility) => tally.get(number, visibility))
  if (language !== undefined) return count(tallies.language, languages.findNumber(language))
  if (host !== undefined) return count(tallies.host, hosts.findNumber(host))
  if (by !== undefined) return count(tallies.author, authors.findNumber(by))
  if (speakerIds[0] !== undefined) return count(tallies.speaker, speakerIds[0])
  if (tagIds[0] !== undefined) return count(tallies.tag, tagIds[0])
  if (category === undefined) return count(total, 0)
  const ids = await findCategoryIds(category)
  return ids.reduce((sum, id) => sum + count(tallies.category, id), 0)
}

function countVisible({ visibility, state }: Filters, count: (visibility: Visibility) => number): number {
  if (visibility === 'live') return state === 2 ? 0 : count('live')
  if (state === undefined) return count('all')
  return state === live ? count('live') : count('all') - count('live')
}

/** Findings and notes. Null for several that are not bits, and for drafts with the same video. */
function countWork({ tallies, bitSlots, outside }: RecordData, filters: Filters): number | null {
  const { findings = [], visibility, state, whiteboard, parked } = filters
  if (findings.every(isOwnCode)) {
    const tested = toTestedBits(filters)
    return countVisible(filters, (side) => bitSlots.count(tested, side))
  }
  if (findings.length > 1 || whiteboard !== undefined || parked !== undefined) return null
  if (findings[0] === 'outside_event') return countVisible(filters, outside.count)
  return state === undefined ? tallies.video.countShared(visibility) : null
}
