import { requireRead } from '../../http/problem.ts'
import { listEnds } from '../../record/companion/chapters.ts'
import type { Watch } from '../../record/link/watch.ts'
import { type PlayerSource, toPlayerSource } from '../../record/player/player-source.ts'
import type { VideoRecord } from '../../record/record.ts'
import type { ReadStore } from '../../store/store.ts'
import type { Site } from '../site.ts'
import { findChapters, findLiveRecord, findWatch, type LinkedChapter } from './talk.ts'

/** Where a talk is within a longer recording that has it as a chapter. */
export interface Part {
  readonly whole: VideoRecord
  readonly watch: Watch
  readonly start: number
  /** Null: the end of the recording. */
  readonly end: number | null
  /** The nearest parts that have a page of their own. */
  readonly previous: LinkedChapter | null
  readonly next: LinkedChapter | null
}

/** Null if the talk is not a part of another live one. */
export async function findPart(store: ReadStore, id: number): Promise<Part | null> {
  const page = requireRead(await store.findWhole(id))
  const whole = page && (await findLiveRecord(store, page.id))
  if (whole === null) return null
  const chapters = await findChapters(store, whole.id)
  const at = chapters.findIndex((each) => each.page?.id === id)
  const own = chapters[at]
  if (own === undefined) return null
  const hasPage = (each: LinkedChapter) => each.page !== null && each.page.id !== id
  return {
    ...{ whole, watch: await findWatch(store, whole), start: own.start },
    end: listEnds(chapters, whole.duration)[at] ?? null,
    previous: chapters.slice(0, at).findLast(hasPage) ?? null,
    next: chapters.slice(at + 1).find(hasPage) ?? null,
  }
}

/** What the page of a talk plays. */
export interface Played {
  readonly source: PlayerSource
  /** In seconds. */
  readonly start: number
  readonly end: number | null
  /** The record whose recording it is: that of the talk, or the longer one. */
  readonly owner: VideoRecord
}

/** Whether the page plays it. */
export const hasPlayer = ({ files, hosted }: PlayerSource) => files.length > 0 || hosted !== null

/**
 * A part without a player of its own, or with the same recording, plays its piece of the whole. Times in its address are
 * those of the recording then. `asked`: the time in the address.
 */
export function toPlayed(
  site: Site,
  record: VideoRecord,
  watch: Watch,
  part: Part | null,
  asked: number | null,
): Played {
  const toSource = ({ record: from, isFramable }: Watch, start: number) =>
    toPlayerSource(from, { ...site.settings, isSecure: site.base.startsWith('https:'), start, isFramable })
  const start = asked ?? 0
  const own = { source: toSource(watch, start), start, end: null, owner: record }
  if (part === null) return own
  const from = asked ?? Math.floor(part.start)
  const whole = toSource(part.watch, from)
  if (!hasPlayer(whole) || (hasPlayer(own.source) && !isSameRecording(own.source, whole))) return own
  const { files, hosted, watchable } = whole
  const original = own.source.original === null ? whole.original : toSource(watch, from).original
  const end = part.end !== null && part.end > from ? part.end : null
  return { source: { ...own.source, files, hosted, watchable, original }, start: from, end, owner: part.whole }
}

function isSameRecording(one: PlayerSource, other: PlayerSource): boolean {
  if (one.files.length > 0) return one.files.some(({ url }) => other.files.some((each) => each.url === url))
  return one.hosted?.frame === other.hosted?.frame
}
