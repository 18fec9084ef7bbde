import { parkedBit, toQualityBits, whiteboardBit } from '../../../record/quality/finding-codes.ts'
import type { Filters } from '../../../record/query/query.ts'
import { toMilliseconds } from '../day-number.ts'
import type { RecordData } from '../record-data.ts'
import type { TestedBits } from './bit-slots.ts'

/** Records that need work, by id, of each kind that so few have that they were found one by one; null for the others. */
export interface RareWork {
  readonly bits: readonly number[] | null
  readonly outside: readonly number[] | null
  readonly sameVideo: readonly number[] | null
}

/** Clears the flags of records that do not match the filters of work lists, except those that rare ones were found by. */
export function keepQuality(flags: Uint8Array, data: RecordData, filters: Filters, rare: RareWork): void {
  const { findings = [], visibility } = filters
  if (rare.bits === null) keepBits(flags, data, toTestedBits(filters))
  keepTexts(flags, data, filters)
  const { addedMs, updatedMs, videos } = data.arrays()
  keepMoments(flags, addedMs, filters.addedAfter, filters.addedBefore)
  keepMoments(flags, updatedMs, filters.updatedAfter, filters.updatedBefore)
  if (findings.includes('outside_event') && rare.outside === null) data.outside.keep(flags)
  if (findings.includes('same_video') && rare.sameVideo === null) {
    data.tallies.video.keepShared(flags, videos, visibility)
  }
}

/** The bits of `qualities` that these filters test. */
export function toTestedBits(filters: Filters): TestedBits {
  return {
    wanted: toQualityBits(filters.findings ?? []) | toNoteBits(filters, true),
    unwanted: toNoteBits(filters, false),
  }
}

/** The bits of what these filters say of the whiteboard. */
function toNoteBits({ whiteboard, parked }: Filters, wanted: boolean): number {
  return (whiteboard === wanted ? whiteboardBit : 0) | (parked === wanted ? parkedBit : 0)
}

function keepBits(flags: Uint8Array, data: RecordData, { wanted, unwanted }: TestedBits): void {
  const tested = wanted | unwanted
  if (tested === 0) return
  const { qualities } = data.arrays()
  for (let slot = 0; slot < flags.length; slot++) if (((qualities[slot] ?? 0) & tested) !== wanted) flags[slot] = 0
}

function keepTexts(flags: Uint8Array, data: RecordData, { host, by }: Filters): void {
  const { hosts, authors } = data.arrays()
  if (host !== undefined) keepNumber(flags, hosts, data.hosts.findNumber(host))
  if (by !== undefined) keepNumber(flags, authors, data.authors.findNumber(by))
}

/** Undefined: no record has it. */
function keepNumber(flags: Uint8Array, values: Uint32Array, wanted: number | undefined): void {
  if (wanted === undefined) flags.fill(0)
  else for (let slot = 0; slot < flags.length; slot++) if (values[slot] !== wanted) flags[slot] = 0
}

function keepMoments(flags: Uint8Array, values: Float64Array, after?: string, before?: string): void {
  if (after === undefined && before === undefined) return
  const from = after === undefined ? Number.NEGATIVE_INFINITY : toMilliseconds(after)
  const to = before === undefined ? Number.POSITIVE_INFINITY : toMilliseconds(before)
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    if (value < from || value > to) flags[slot] = 0
  }
}
