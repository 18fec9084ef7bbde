import { listOwn } from '../companion/companion.ts'
import { findExtension, type Recording } from '../companion/recordings.ts'
import { mediaFields } from '../quality/finding-codes.ts'
import type { VideoRecord } from '../record.ts'
import type { Timestamp } from '../timestamp.ts'
import { isDeadIn, type LinkStates } from './uses.ts'

/** A recording that nobody can watch any more. */
export interface DeadRecording {
  readonly url: string
  readonly since: Timestamp | null
}

/** Which recordings of a talk can be watched, as far as is known. */
export interface Watch {
  /** Without dead recordings; if it has no other, with the first elsewhere that is not known to be dead. */
  readonly record: VideoRecord
  /** Whether the host of its page lets other sites play it. */
  readonly isFramable: boolean
  /** Its own first. */
  readonly dead: readonly DeadRecording[]
}

/** If nothing is known of its addresses. */
export const toUncheckedWatch = (record: VideoRecord): Watch => ({ record, isFramable: true, dead: [] })

export function toWatch(record: VideoRecord, others: readonly Recording[], states: LinkStates): Watch {
  const own = listOwn(record)
  const dead = [...own, ...others].filter(({ url }) => isDeadIn(states, url))
  const alive = withoutDead(
    record,
    dead.map(({ url }) => url),
  )
  const other = others.find(({ url }) => !isDeadIn(states, url))
  // A talk that never had an address of its own keeps its page as it was.
  const watched = listOwn(alive).length > 0 || own.length === 0 || other === undefined ? alive : withOther(alive, other)
  return {
    record: watched,
    isFramable: states.get(watched.source_url)?.state !== 'not_embeddable',
    dead: dead.map(({ url }) => ({ url, since: states.get(url)?.since ?? null })),
  }
}

const fileFields: { readonly [extension: string]: (typeof mediaFields)[number] } = {
  ...{ mp4: 'video_mp4_url', m4v: 'video_mp4_url', webm: 'video_webm_url', ogv: 'video_ogv_url' },
}

function withOther(record: VideoRecord, { kind, url }: Recording): VideoRecord {
  const field = kind === 'file' ? fileFields[findExtension(url) ?? ''] : undefined
  return { ...record, [field ?? 'source_url']: url }
}

/** The record without these addresses. */
export function withoutDead(record: VideoRecord, urls: readonly string[]): VideoRecord {
  if (urls.length === 0) return record
  const isDead = (url: string | null) => url !== null && urls.includes(url)
  const files = mediaFields.filter((field) => isDead(record[field])).map((field) => [field, null])
  const pages = (['source_url', 'thumbnail_url'] as const).filter((field) => isDead(record[field]))
  return { ...record, ...Object.fromEntries([...files, ...pages.map((field) => [field, ''])]) }
}
