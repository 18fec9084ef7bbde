import { requireRead } from '../../http/problem.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { toPageQuery } from '../search/list-query.ts'
import type { SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'
import { toFeedUuid } from './feed-id.ts'
import type { FeedSubject } from './feed-subject.ts'

const maxEntries = 50

/** A feed with what its formats need. */
export interface Feed {
  readonly subject: FeedSubject
  readonly uuid: string
  /** Its own path. */
  readonly self: string
  /** Whether it may change without a write, because some words are not loaded yet. */
  readonly isProvisional: boolean
  /** Those that became live last come first. */
  readonly entries: readonly FeedItem[]
}

export interface FeedItem {
  readonly talk: Talk
  /** When the talk became live. */
  readonly liveAt: Timestamp
}

export interface FeedPlan {
  readonly self: string
  readonly key: string
  readonly filters?: Partial<Filters>
}

/** Reads the newest talks of a subject. */
export async function readFeed(
  { store }: SiteDeps,
  subject: FeedSubject,
  { self, key, filters }: FeedPlan,
): Promise<Feed> {
  const query = toPageQuery({ filters: { ...subject.filters, ...filters } })
  const newest = { filters: query.filters, match: query.match, limit: maxEntries, offset: 0 }
  const { records, liveAt, isProvisional = false } = requireRead(await store.listNewest(newest))
  const archive = requireRead(await store.findFirstCategory())
  const talks = await findTalks(store, records)
  return {
    ...{ subject, self, uuid: toFeedUuid(archive, key), isProvisional },
    entries: talks.map((talk, i) => ({ talk, liveAt: liveAt[i] ?? talk.record.added })),
  }
}
