import { Refused } from '../../http/problem.ts'
import { requireRead, toParameterProblem } from '../../http/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { Filters } from '../../record/query/query.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { withParameters } from '../addresses.ts'
import { toPageQuery } from '../list-query.ts'
import { moved, respondText } from '../respond-page.ts'
import { openSite, type SiteNeeds } from '../site.ts'
import { findTalks, type Talk } from '../talk.ts'
import { toAtom } from './atom.ts'
import { type FileFormat, fileFormats } from './feed-files.ts'
import { toFeedUuid } from './feed-id.ts'
import type { FeedSubject, FindSubject } from './feed-subject.ts'
import { toPodcast } from './podcast.ts'

const maxEntries = 50

/** A feed with what its formats need. */
export interface Feed {
  readonly subject: FeedSubject
  readonly uuid: string
  /** Its own path. */
  readonly self: string
  /** Those that became live last come first. */
  readonly entries: readonly FeedEntry[]
}

export interface FeedEntry {
  readonly talk: Talk
  /** When the talk became live. */
  readonly liveAt: Timestamp
}

const contentTypes = { atom: 'application/atom+xml; charset=utf-8', rss: 'application/rss+xml; charset=utf-8' } as const

/** The newest talks about something, as Atom with Media RSS. */
export function showAtom<Name extends string>(find: FindSubject<Name>) {
  return async (call: Call<Name>, needs: SiteNeeds): Promise<TextAnswer> => {
    const site = await openSite(call, needs)
    const subject = await find(call, needs, site)
    const self = withParameters(`${subject.stem}.atom`, subject.parameters)
    if (subject.isMoved === true) return moved(call, self)
    const feed = await readFeed(needs, subject, { self, key: subject.key })
    return respondText(call, { text: toAtom(site, feed), type: contentTypes.atom })
  }
}

/** The newest talks that have a file of the wanted format, as RSS for podcast players. */
export function showPodcast<Name extends string>(find: FindSubject<Name>) {
  return async (call: Call<Name>, needs: SiteNeeds): Promise<TextAnswer> => {
    const site = await openSite(call, needs)
    const format = parseFormat(call.query().get('format'))
    const subject = await find(call, needs, site)
    const self = withParameters(`${subject.stem}.rss`, { ...subject.parameters, format })
    if (subject.isMoved === true) return moved(call, self)
    const feed = await readFeed(needs, subject, { self, key: `${subject.key} ${format}`, filters: { has: [format] } })
    return respondText(call, { text: toPodcast(site, feed, format), type: contentTypes.rss })
  }
}

function parseFormat(text: string | null): FileFormat {
  const format = fileFormats.find((each) => each === (text ?? fileFormats[0]))
  if (format !== undefined) return format
  throw new Refused(toParameterProblem(new Map([['format', [`Must be one of ${fileFormats.join(', ')}.`]]])))
}

interface FeedPlan {
  readonly self: string
  readonly key: string
  readonly filters?: Partial<Filters>
}

async function readFeed({ store }: SiteNeeds, subject: FeedSubject, { self, key, filters }: FeedPlan): Promise<Feed> {
  const query = toPageQuery({ filters: { ...subject.filters, ...filters } })
  const newest = { filters: query.filters, match: query.match, limit: maxEntries, offset: 0 }
  const { records, liveAt } = requireRead(await store.listNewest(newest))
  const archive = requireRead(await store.findFirstCategory())
  const talks = await findTalks(store, records)
  return {
    ...{ subject, self, uuid: toFeedUuid(archive, key) },
    entries: talks.map((talk, i) => ({ talk, liveAt: liveAt[i] ?? talk.record.added })),
  }
}
