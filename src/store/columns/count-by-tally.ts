import { type FindingCode, isOwnCode, ownCodes } from '../../record/quality/finding-codes.ts'
import type { Filters } from '../../record/query/query.ts'
import type { RecordData } from './record-data.ts'
import { live } from './slot-arrays.ts'
import type { Tally } from './tally.ts'

/** Running counts answer lists of all records, or with one filter that they are kept for; null for all others. */
export async function countByTally(
  data: RecordData,
  filters: Filters,
  findCategoryIds: (text: string) => Promise<readonly number[]>,
): Promise<number | null> {
  const { visibility: _visibility, state: _state, search: _search, category, speakers, tags, has, ...rest } = filters
  const { language, host, by, whiteboard, speakerIds = [], tagIds = [], findings = [], ...others } = rest
  const isGiven = (value: unknown) => value !== undefined
  if (speakers.length + tags.length + has.length > 0 || Object.values(others).some(isGiven)) return null
  const given = [category, language, host, by, whiteboard, ...speakerIds, ...tagIds, ...findings].filter(isGiven)
  if (given.length > 1) return null

  const { total, tallies, languages, hosts, authors } = data
  const count = (tally: Tally, number: number | undefined) =>
    number === undefined ? 0 : countIn(tally, number, filters)
  if (language !== undefined) return count(tallies.language, languages.findNumber(language))
  if (host !== undefined) return count(tallies.host, hosts.findNumber(host))
  if (by !== undefined) return count(tallies.author, authors.findNumber(by))
  if (speakerIds[0] !== undefined) return count(tallies.speaker, speakerIds[0])
  if (tagIds[0] !== undefined) return count(tallies.tag, tagIds[0])
  if (findings[0] !== undefined) return countFinding(data, findings[0], filters)
  if (whiteboard === true) return count(tallies.quality, ownCodes.length)
  if (whiteboard === false) return count(total, 0) - count(tallies.quality, ownCodes.length)
  if (category === undefined) return count(total, 0)
  const ids = await findCategoryIds(category)
  return ids.reduce((sum, id) => sum + count(tallies.category, id), 0)
}

function countIn(tally: Tally, number: number, { visibility, state }: Filters): number {
  const [all, lives] = [tally.get(number, 'all'), tally.get(number, 'live')]
  if (visibility === 'live') return state === 2 ? 0 : lives
  if (state === undefined) return all
  return state === live ? lives : all - lives
}

/** Null if it depends on the category, or on drafts with the same video. */
function countFinding({ tallies }: RecordData, code: FindingCode, filters: Filters): number | null {
  if (isOwnCode(code)) return countIn(tallies.quality, ownCodes.indexOf(code), filters)
  const { visibility, state } = filters
  return code === 'same_video' && state === undefined ? tallies.video.countShared(visibility) : null
}
