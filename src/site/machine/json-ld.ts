import { listEnds } from '../../record/companion/chapters.ts'
import { type JsonObject, type JsonValue, toAsciiJson } from '../../record/json.ts'
import type { PlayerSource } from '../../record/player/player-source.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { toPlainText } from '../../record/transcript/write-transcript.ts'
import { type Site, toAbsolute } from '../site.ts'
import { findLicence } from '../talk/licence.ts'
import { hasPlayer, type LinkedChapter, type Talk } from '../talk/talk.ts'
import type { ShownTranscript } from '../talk/talk-transcript.tsx'
import { toIsoDuration } from '../text/format.ts'
import { withParameters } from '../urls.ts'

/** A talk for search engines, as text for a script element: it has no `<`. */
export function toTalkJsonLd(site: Site, talk: Talk, about: AboutTalk): string {
  return toAsciiJson({
    '@context': 'https://schema.org',
    '@graph': [toVideo(site, talk, about), toBreadcrumbs(site, talk)],
  })
}

interface AboutTalk {
  readonly source: PlayerSource
  readonly description: string
  readonly chapters: readonly LinkedChapter[]
  /** Whether times in the address are those of this talk. */
  readonly hasTimes: boolean
  readonly transcript: ShownTranscript | null
}

/** Longer ones would double the page, on which engines read them anyway. */
const maxTranscript = 5_000

function toVideo(site: Site, talk: Talk, about: AboutTalk): JsonObject {
  const { source, description, chapters, hasTimes, transcript } = about
  const { files } = source
  const { record, languageCode, speakers } = talk
  const { urls } = site
  const url = toAbsolute(site, urls.video(record))
  const duration = toPlausibleDuration(record.duration)
  const isLost = files.length === 0 && source.watchable === null
  const isPictured = site.settings.hasThumbnails && record.thumbnail_url !== ''
  return withoutAbsent({
    '@type': 'VideoObject',
    '@id': url,
    url,
    name: record.title,
    description: description === '' ? record.title : description,
    uploadDate: `${record.added}Z`,
    dateCreated: record.recorded ?? undefined,
    duration: duration === null ? undefined : toIsoDuration(duration),
    thumbnailUrl: isPictured ? record.thumbnail_url : undefined,
    contentUrl: files[0]?.url,
    embedUrl: isLost ? undefined : toAbsolute(site, urls.embed(record.id)),
    inLanguage: languageCode,
    keywords: record.tags.length === 0 ? undefined : record.tags.join(', '),
    license: findLicence(record.copyright_text)?.url,
    author: speakers.map(({ name, page }) =>
      withoutAbsent({ '@type': 'Person', name, url: page === null ? undefined : toAbsolute(site, urls.speaker(page)) }),
    ),
    hasPart: toClips(url, chapters, record.duration),
    potentialAction: hasTimes && hasPlayer(source) ? toSeekAction(url) : undefined,
    transcript: transcript === null ? undefined : toShortText(transcript),
    isPartOf: withoutAbsent({
      '@type': 'CreativeWorkSeries',
      name: record.category,
      url: talk.categorySlug === null ? undefined : toAbsolute(site, urls.category(talk.categorySlug)),
    }),
  })
}

/** Engines replace the placeholder with the second, so its braces are not escaped. */
const toSeekAction = (page: string): JsonObject => ({
  '@type': 'SeekToAction',
  target: `${page}?t={seek_to_second_number}`,
  'startOffset-input': 'required name=seek_to_second_number',
})

function toShortText({ content: { cues } }: ShownTranscript): string | undefined {
  const length = cues.reduce((sum, { text }) => sum + text.length, 0)
  return length > maxTranscript ? undefined : toPlainText(cues).trim()
}

function toClips(page: string, chapters: readonly LinkedChapter[], duration: number | null): JsonObject[] {
  const ends = listEnds(chapters, duration)
  return chapters.map(({ title, start }, i) =>
    withoutAbsent({
      '@type': 'Clip',
      name: title,
      startOffset: start,
      endOffset: ends[i] ?? undefined,
      url: withParameters(page, { t: Math.floor(start) }),
    }),
  )
}

/** The path from the home page to the talk. */
function toBreadcrumbs(site: Site, { record, categorySlug }: Talk): JsonObject {
  const { urls, settings } = site
  const steps: readonly (readonly [string, string])[] = [
    [settings.name, urls.home],
    ...(categorySlug === null ? [] : [[record.category, urls.category(categorySlug)] as const]),
    [record.title, urls.video(record)],
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: toAbsolute(site, path),
    })),
  }
}

function withoutAbsent(members: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const present = Object.entries(members).flatMap(([name, value]): [string, JsonValue][] =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]],
  )
  return Object.fromEntries(present)
}
