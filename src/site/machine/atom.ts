import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import type { VideoRecord } from '../../record/record.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import { type Site, toAbsolute } from '../site.ts'
import type { RenderMarkdown } from '../text/markdown.ts'
import { type Feed, type FeedItem, listFiles, toSummary, toTalkUuid } from './feed.ts'
import { toFeedStyle, toFeedView, toViewItem } from './feed-view.ts'
import { element, toXmlDocument, type XmlElement } from './xml.ts'

/** Atom (RFC 4287) with Media RSS. */
export function toAtom(site: Site, feed: Feed, render: RenderMarkdown, hasView: boolean): string {
  const { subject, uuid, self, entries } = feed
  const attributes = {
    xmlns: 'http://www.w3.org/2005/Atom',
    'xmlns:media': 'http://search.yahoo.com/mrss/',
    'xml:lang': 'en',
  }
  const times = entries.map(toUpdated).sort()
  return toXmlDocument(
    element(
      'feed',
      attributes,
      element('id', {}, `urn:uuid:${uuid}`),
      element('title', {}, subject.title),
      element('subtitle', {}, toSummary(subject.description)),
      toAtomHead(site, { updated: times.at(-1), self, page: subject.page, json: subject.json }),
      hasView &&
        toFeedView(site, {
          ...{ title: subject.title, reader: 'feed reader', self, page: subject.page },
          items: feed.shown.map((talk) => toViewItem(site, talk)),
        }),
      entries.map((entry) => toEntry(site, entry, render)),
    ),
    hasView ? toFeedStyle(site) : null,
  )
}

interface AtomHead {
  readonly updated: Timestamp | undefined
  /** Paths of the feed, and of what it is about. */
  readonly self: string
  readonly page: string
  readonly json: string
}

/** What each Atom feed says of itself. One without entries has not changed since the beginning. */
export function toAtomHead(site: Site, { updated = toTimestamp(0), self, page, json }: AtomHead): XmlElement[] {
  const { settings, urls } = site
  const to = (path: string) => toAbsolute(site, path)
  return [
    element('updated', {}, toTime(updated)),
    element('link', { rel: 'self', type: 'application/atom+xml', href: to(self) }),
    element('link', { rel: 'alternate', type: 'text/html', href: to(page) }),
    element('link', { rel: 'alternate', type: 'application/json', href: to(json) }),
    element('author', {}, element('name', {}, settings.name), element('uri', {}, to(urls.home))),
    element('icon', {}, to(urls.path('/favicon.ico'))),
    element('generator', {}, 'Rostrum'),
  ]
}

function toEntry(site: Site, entry: FeedItem, render: RenderMarkdown): XmlElement {
  const { record, languageCode, speakers } = entry.talk
  const to = (path: string) => toAbsolute(site, path)
  const summary = toSummary(record.summary.trim() === '' ? record.description : record.summary)
  return element(
    'entry',
    { 'xml:lang': languageCode },
    element('id', {}, `urn:uuid:${toTalkUuid(record)}`),
    element('title', {}, record.title),
    element('published', {}, toTime(entry.liveAt)),
    element('updated', {}, toTime(toUpdated(entry))),
    element('link', { rel: 'alternate', type: 'text/html', href: to(site.urls.video(record)) }),
    element('link', { rel: 'alternate', type: 'application/json', href: to(site.urls.api(`video/${record.id}`)) }),
    listFiles(record).map(({ url, type, bytes }) =>
      element('link', { rel: 'enclosure', type, href: url, length: bytes }),
    ),
    speakers.map(({ name, page }) =>
      element(
        'author',
        {},
        element('name', {}, name),
        page !== null && element('uri', {}, to(site.urls.speaker(page))),
      ),
    ),
    record.tags.map((tag) => element('category', { term: tag })),
    summary !== '' && element('summary', {}, summary),
    toContent(entry.talk.record, render),
    record.copyright_text.trim() !== '' && element('rights', {}, toSummary(record.copyright_text)),
    toMediaGroup(site, record),
  )
}

/** Both texts as HTML. `element` escapes it once more, as Atom requires. */
function toContent({ summary, description }: VideoRecord, render: RenderMarkdown): XmlElement | null {
  const parts = [...new Set([summary, description].map(toSummary))].filter((text) => text !== '')
  return parts.length === 0 ? null : element('content', { type: 'html' }, parts.map((text) => render(text)).join(''))
}

/** A record that became live again without a change counts as changed at that moment. */
function toUpdated({ talk, liveAt }: FeedItem): Timestamp {
  return talk.record.updated > liveAt ? talk.record.updated : liveAt
}

const toTime = (time: Timestamp) => `${time}Z`

/** The files of a talk as Media RSS. */
function toMediaGroup({ settings }: Site, record: VideoRecord): XmlElement {
  const { title, description, summary, thumbnail_url: thumbnail } = record
  const duration = toPlausibleDuration(record.duration)
  const text = toSummary(description.trim() === '' ? summary : description)
  return element(
    'media:group',
    {},
    element('media:title', { type: 'plain' }, title),
    listFiles(record).map(({ url, type, bytes }) =>
      element('media:content', { url, type, medium: 'video', fileSize: bytes, duration }),
    ),
    settings.hasThumbnails && thumbnail !== '' && element('media:thumbnail', { url: thumbnail }),
    text !== '' && element('media:description', { type: 'plain' }, text),
  )
}
