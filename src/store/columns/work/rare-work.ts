import type { Filters } from '../../../record/query/query.ts'
import type { Database } from '../../database.ts'
import type { RecordData } from '../record-data.ts'
import { createEventDays } from './event-days.ts'
import { type RareWork, toTestedBits } from './keep-quality.ts'

/** So many slots are found faster one by one than by a pass over all of them: a 64th, and always a page. */
const toFew = (slotEnd: number) => Math.max(20, slotEnd / 64)

/** Finds records that need work by the lists that are kept of them (ADR 53). */
export function createRareWork(db: Database, data: RecordData) {
  const findEventDays = createEventDays(db)

  /** Makes sure that the list of records outside of their events has the days that events have now. */
  async function followEvents(): Promise<void> {
    data.outside.follow(await findEventDays(data.tallies.category.end()))
  }

  async function find(filters: Filters): Promise<RareWork> {
    const { findings = [], visibility } = filters
    const max = toFew(data.slots.end())
    const toIds = (slots: readonly number[] | null) => slots?.map(data.slots.toId) ?? null
    const tested = toTestedBits(filters)
    const isByEvent = findings.includes('outside_event')
    if (isByEvent) await followEvents()
    const isShared = (video: number) => data.tallies.video.get(video, visibility) > 1
    return {
      bits: tested.wanted === 0 ? null : toIds(data.bitSlots.list(tested, max)),
      outside: isByEvent ? toIds(data.outside.list(max)) : null,
      sameVideo: findings.includes('same_video') ? toIds(data.sharedVideos.list(isShared, max)) : null,
    }
  }

  return { find, followEvents }
}
