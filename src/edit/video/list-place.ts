import { Refused } from '../../http/problem.ts'
import type { Call, Caller } from '../../http/route.ts'
import { parseRecordId, type VideoRecord } from '../../record/record.ts'
import type { SiteDeps } from '../../site/site.ts'
import { findEventOfTalk } from '../lists/list-event.ts'
import { findNext, type NextInList } from '../lists/next-in-list.ts'
import { readList } from '../talk-pages.ts'

/** Where a person is in a work list. */
export interface ListPlace {
  /** The list as an address has it. */
  readonly list: string
  /** The talk that was open before. */
  readonly from: number | null
  /** Whether the person has just asked for the next talk, and there is none. */
  readonly isEnd: boolean
  /** The title of the event that the list is narrowed to; absent if it is not known. */
  readonly event?: string
  /** Absent if nobody asked, or the list cannot be read. */
  readonly next?: NextInList
}

/** Null outside of a list. */
export function readPlace(call: Call): ListPlace | null {
  const list = readList(call)
  const from = parseRecordId(call.query().get('from') ?? '')
  return list === null ? null : { list, from, isEnd: call.query().get('end') === '1' }
}

export async function findPlace(
  call: Call,
  deps: SiteDeps,
  caller: Caller,
  { id, category }: Pick<VideoRecord, 'id' | 'category'>,
): Promise<ListPlace | null> {
  const place = readPlace(call)
  if (place === null) return null
  const next = await tryNext(deps, caller, place.list, id)
  const event = await findEventOfTalk(deps.store, new URLSearchParams(place.list), category)
  return { ...place, ...(event === null ? {} : { event }), ...(next === null ? {} : { next }) }
}

/** Null if the list cannot be read now: it may take too long, but that is no reason not to open or save a talk. */
export async function tryNext(...wanted: Parameters<typeof findNext>): Promise<NextInList | null> {
  try {
    return await findNext(...wanted)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
