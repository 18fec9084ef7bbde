import type { FileFormat } from '../../record/player/player-source.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import { type Site, toAbsolute } from '../site.ts'
import { chaptersJsonType } from './chapters.ts'
import { type Feed, type FeedCompanions, type FeedItem, findFile, toSummary, toTalkUuid } from './feed.ts'
import { toFeedStyle, toFeedView, toViewItem } from './feed-view.ts'
import { element, toXmlDocument, type XmlElement } from './xml.ts'

const namespaces = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
}

/** RSS 2.0 with the elements that podcast players require. */
export function toPodcast(
  site: Site,
  { subject, uuid, self, entries, shown }: Feed,
  format: FileFormat,
  hasView: boolean,
  companions: FeedCompanions,
): string {
  const { settings, urls } = site
  const to = (path: string) => toAbsolute(site, path)
  const artwork = to(urls.path('/podcast.png'))
  const times = entries.map(({ liveAt }) => liveAt).sort()
  const channel = element(
    'channel',
    {},
    element('title', {}, subject.title),
    element('link', {}, to(subject.page)),
    element('description', {}, toSummary(subject.description)),
    element('language', {}, 'en'),
    element('lastBuildDate', {}, toRfc822(times.at(-1) ?? toTimestamp(0))),
    element('generator', {}, 'Rostrum'),
    element(
      'image',
      {},
      element('url', {}, artwork),
      element('title', {}, subject.title),
      element('link', {}, to(subject.page)),
    ),
    element('atom:link', { rel: 'self', type: 'application/rss+xml', href: to(self) }),
    element('itunes:author', {}, settings.name),
    element('itunes:category', { text: 'Education' }),
    element('itunes:explicit', {}, 'false'),
    element('itunes:image', { href: artwork }),
    element('itunes:type', {}, 'episodic'),
    element('podcast:guid', {}, uuid),
    element('podcast:medium', {}, 'video'),
    hasView &&
      toFeedView(site, {
        ...{ title: subject.title, reader: 'podcast app', self, page: subject.page },
        items: shown.map((talk) => toViewItem(site, talk)),
      }),
    entries.map((entry) => toItem(site, entry, format, companions)),
  )
  return toXmlDocument(element('rss', { version: '2.0', ...namespaces }, channel), hasView ? toFeedStyle(site) : null)
}

function toItem(
  site: Site,
  { talk, liveAt }: FeedItem,
  format: FileFormat,
  { chaptered, spoken }: FeedCompanions,
): XmlElement | null {
  const { record } = talk
  const file = findFile(record, format)
  if (file === null) return null
  const { url, type, bytes } = file
  const summary = toSummary(record.summary.trim() === '' ? record.description : record.summary)
  const { hasThumbnails } = site.settings
  const duration = toPlausibleDuration(record.duration)
  return element(
    'item',
    {},
    element('title', {}, record.title),
    element('link', {}, toAbsolute(site, site.urls.video(record))),
    element('guid', { isPermaLink: 'false' }, `urn:uuid:${toTalkUuid(record)}`),
    element('pubDate', {}, toRfc822(toPublished(record.recorded, liveAt))),
    element('description', {}, summary === '' ? record.title : summary),
    // Players require a length even if it is unknown.
    element('enclosure', { url, length: bytes ?? 0, type }),
    record.tags.map((tag) => element('category', {}, tag)),
    record.speakers.length > 0 && element('itunes:author', {}, record.speakers.join(', ')),
    duration !== null && element('itunes:duration', {}, duration),
    element('itunes:episodeType', {}, 'full'),
    element('itunes:explicit', {}, 'false'),
    hasThumbnails && record.thumbnail_url !== '' && element('itunes:image', { href: record.thumbnail_url }),
    chaptered.has(record.id) &&
      element('podcast:chapters', {
        url: toAbsolute(site, site.urls.chapters(record.id, 'json')),
        type: chaptersJsonType,
      }),
    (spoken.get(record.id) ?? []).flatMap((language) => toTranscripts(site, record.id, language)),
    record.speakers.map((name) => element('podcast:person', { role: 'guest' }, name)),
  )
}

/** Some apps read only the first format, some only the second. */
const toTranscripts = (site: Site, id: number, language: string) =>
  [{ type: 'text/vtt', suffix: 'vtt', rel: 'captions' } as const, { type: 'application/json', suffix: 'json' }].map(
    ({ suffix, ...attributes }) => {
      const url = toAbsolute(site, site.urls.api(`video/${id}/transcripts/${language}.${suffix}`))
      return element('podcast:transcript', { url, language, ...attributes })
    },
  )

/**
 * The day of the talk, by which apps sort and which they show; an import would make all episodes of today. Noon is the
 * same day nearly everywhere. Never later than the talk became live: apps hide episodes of the future.
 */
function toPublished(recorded: string | null, liveAt: Timestamp): Timestamp {
  const noon = `${recorded ?? '9999-12-31'}T12:00:00.000`
  return noon < liveAt ? noon : liveAt
}

/** `Mon, 16 Nov 2026 22:00:00 GMT` */
const toRfc822 = (time: Timestamp) => new Date(toMs(time)).toUTCString()
