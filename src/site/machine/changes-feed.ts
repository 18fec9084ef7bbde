import { requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { PublicChange } from '../../store/activity-reads.ts'
import { moved, openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { toMoment } from '../text/format.ts'
import { toAtomHead } from './atom.ts'
import { findEventSubject, toChangeUuid, toFeedUuid } from './feed.ts'
import { isViewed, toFeedStyle, toFeedView } from './feed-view.ts'
import { toFeedType } from './show-feed.ts'
import { element, toXmlDocument, type XmlElement } from './xml.ts'

const maxEntries = 50

/** A change of a talk that is live. */
interface TalkChange extends PublicChange {
  readonly record: VideoRecord
}

/** `/category/<slug>/changes.atom`: the public changes of an event's talks (decision 61). */
export async function showChangesFeed(call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  const { store } = deps
  const site = await openSite(call, deps)
  const event = await findEventSubject(call, deps, site)
  const self = `${event.page}/changes.atom`
  if (event.isMoved === true) return moved(call, self)
  const slug = event.filters.category ?? ''
  const changes = requireRead(await store.listEventChanges({ category: slug, limit: maxEntries }))
  const archive = requireRead(await store.findFirstCategory())
  const uuid = toFeedUuid(archive, `${event.key} changes`)
  const title = `Changes at ${event.name}`
  const json = site.urls.api('video', { category: slug, ordering: '-updated' })
  const feed = { title, uuid, self, page: event.page, json, changes: await readTalks(store, changes) }
  return respondText(call, { text: toChangesAtom(site, feed, isViewed(call)), type: toFeedType(call, 'atom') })
}

/** Reads the talks as they are now: former titles are not public. */
async function readTalks(store: SiteDeps['store'], changes: readonly PublicChange[]): Promise<TalkChange[]> {
  const records = new Map<number, VideoRecord>()
  for (const id of new Set(changes.map((change) => change.id))) {
    const stored = await store.read(id)
    if (stored !== null && stored.state === 1) records.set(id, fromBody(stored.body))
  }
  return changes.flatMap((change) => {
    const record = records.get(change.id)
    return record === undefined ? [] : [{ ...change, record }]
  })
}

interface ChangesFeed {
  readonly title: string
  readonly uuid: string
  readonly self: string
  readonly page: string
  readonly json: string
  readonly changes: readonly TalkChange[]
}

function toChangesAtom(site: Site, { title, uuid, self, page, json, changes }: ChangesFeed, hasView: boolean): string {
  const { urls } = site
  return toXmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' },
      element('id', {}, `urn:uuid:${uuid}`),
      element('title', {}, title),
      toAtomHead(site, { updated: changes[0]?.at, self, page, json }),
      hasView &&
        toFeedView(site, {
          ...{ title, reader: 'feed reader', self, page },
          items: changes.map(({ record, at, kind }) => ({
            title: record.title,
            page: urls.video(record),
            about: `${kind === 'created' ? 'New talk' : 'Changed'} · ${toMoment(at)}`,
          })),
        }),
      changes.map((change) => toEntry(site, change)),
    ),
    hasView ? toFeedStyle(site) : null,
  )
}

function toEntry(site: Site, { record, version, at, kind }: TalkChange): XmlElement {
  const to = (path: string) => toAbsolute(site, path)
  return element(
    'entry',
    { 'xml:lang': toLanguageCode(record.language) ?? undefined },
    element('id', {}, `urn:uuid:${toChangeUuid(record, version)}`),
    element('title', {}, record.title),
    element('updated', {}, `${at}Z`),
    element('link', { rel: 'alternate', type: 'text/html', href: to(site.urls.video(record)) }),
    element('link', { rel: 'alternate', type: 'application/json', href: to(site.urls.api(`video/${record.id}`)) }),
    element('summary', { 'xml:lang': 'en' }, kind === 'created' ? 'New talk' : 'Changed'),
  )
}
