import { Refused, toParameterProblem } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type FileFormat, fileFormats } from '../../record/player/player-source.ts'
import { moved, openSite, respondText, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import { toAtom } from './atom.ts'
import { type Feed, type FindSubject, findCompanions, readFeed } from './feed.ts'
import { isViewed } from './feed-view.ts'
import { toPodcast } from './podcast.ts'

const feedTypes = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
} as const

/** Chromium shows the types of feeds as plain text, without their style sheet. */
const pageType = 'application/xml; charset=utf-8'

export const toFeedType = (call: Call, type: keyof typeof feedTypes) => (isViewed(call) ? pageType : feedTypes[type])

/** The newest talks of a subject, as Atom with Media RSS. */
export function showAtom<Name extends string>(find: FindSubject<Name>) {
  return async (call: Call<Name>, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const subject = await find(call, deps, site)
    const self = withParameters(`${subject.stem}.atom`, subject.parameters)
    if (subject.isMoved === true) return moved(call, self)
    const feed = await readFeed(deps, subject, { self, key: subject.key })
    return respondFeed(call, feed, 'atom', toAtom(site, feed, await deps.markdown(), isViewed(call)))
  }
}

/** The newest talks of a subject with a file of the format, as RSS for podcast players. */
export function showPodcast<Name extends string>(find: FindSubject<Name>) {
  return async (call: Call<Name>, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const format = parseFormat(call.query().get('format'))
    const subject = await find(call, deps, site)
    const self = withParameters(`${subject.stem}.rss`, { ...subject.parameters, format })
    if (subject.isMoved === true) return moved(call, self)
    const feed = await readFeed(deps, subject, { self, key: `${subject.key} ${format}`, filters: { has: [format] } })
    const companions = await findCompanions(deps, feed)
    return respondFeed(call, feed, 'rss', toPodcast(site, feed, format, isViewed(call), companions))
  }
}

function respondFeed(call: Call, { isProvisional }: Feed, type: keyof typeof feedTypes, text: string): TextAnswer {
  return respondText(call, { text, type: toFeedType(call, type), caching: isProvisional ? 'never' : 'revalidate' })
}

function parseFormat(text: string | null): FileFormat {
  const format = fileFormats.find((each) => each === (text ?? fileFormats[0]))
  if (format !== undefined) return format
  throw new Refused(toParameterProblem(new Map([['format', [`Must be one of ${fileFormats.join(', ')}.`]]])))
}
