import type { Filters } from '../../record/query/query.ts'
import { live, type RecordData } from './record-data.ts'
import type { Tally } from './tally.ts'

/** Running counts answer lists of all records, or of one category, language, speaker or tag; null for all others. */
export async function countByTally(
  { total, tallies, languages }: RecordData,
  filters: Filters,
  findCategoryIds: (text: string) => Promise<readonly number[]>,
): Promise<number | null> {
  const { visibility, state, search: _, category, language, speakers, tags, has, ...rest } = filters
  const { speakerIds = [], tagIds = [], ...others } = rest
  const isGiven = (value: unknown) => value !== undefined
  if (speakers.length + tags.length + has.length > 0 || Object.values(others).some(isGiven)) return null
  const given = [category, language, ...speakerIds, ...tagIds].filter(isGiven)
  if (given.length > 1) return null

  function count(tally: Tally, number: number): number {
    const [all, lives] = [tally.get(number, 'all'), tally.get(number, 'live')]
    if (visibility === 'live') return state === 2 ? 0 : lives
    if (state === undefined) return all
    return state === live ? lives : all - lives
  }

  if (language !== undefined) {
    const number = languages.findNumber(language)
    return number === undefined ? 0 : count(tallies.language, number)
  }
  if (speakerIds[0] !== undefined) return count(tallies.speaker, speakerIds[0])
  if (tagIds[0] !== undefined) return count(tallies.tag, tagIds[0])
  if (category === undefined) return count(total, 0)
  const ids = await findCategoryIds(category)
  return ids.reduce((sum, id) => sum + count(tallies.category, id), 0)
}
