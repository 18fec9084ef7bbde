import { parkedBit, toQualityBits, whiteboardBit } from '../../../record/quality/finding-codes.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Condition } from '../statements.ts'

/** Conditions of work lists on rows of `listing` (ADR 53). `lastDay`: the SQL of the last day of an event. */
export function toQualityConditions(filters: Filters, lastDay: string): Condition[] {
  const { findings = [], whiteboard, parked, visibility } = filters
  const bits = toQualityBits(findings)
  const conditions = [
    ...(bits === 0 ? [] : [`(quality & ${bits}) = ${bits}`]),
    // With an equality, the index by day has the rest of the default order.
    ...(findings.includes('missing_recorded') ? ['recorded IS NULL'] : []),
    ...(whiteboard === undefined ? [] : [`(quality & ${whiteboardBit}) ${whiteboard ? '<>' : '='} 0`]),
    ...(parked === undefined ? [] : [`(quality & ${parkedBit}) ${parked ? '<>' : '='} 0`]),
    ...(findings.includes('outside_event') ? [toOutsideEvent(lastDay)] : []),
    ...(findings.includes('same_video') ? [toSameVideo(visibility)] : []),
  ]
  return conditions.map((sql) => ({ sql, values: [] }))
}

/** Days that are not known match nothing. */
const toOutsideEvent = (lastDay: string) => `EXISTS (SELECT 1 FROM category AS event
  WHERE event.id = listing.category_id AND (listing.recorded < event.start_date OR listing.recorded > ${lastDay}))`

/** Whether the caller sees another record with the same video. */
const toSameVideo = (visibility: Filters['visibility']) => `source_url <> '' AND EXISTS (SELECT 1 FROM listing AS other
  WHERE other.source_url = listing.source_url AND other.source_url <> '' AND other.id <> listing.id${
    visibility === 'live' ? ' AND other.state = 1' : ''
  })`
