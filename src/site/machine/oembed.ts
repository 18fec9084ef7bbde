import { Refused } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { findStartTime } from '../../record/player/start-time.ts'
import { parseRecordId, type VideoRecord } from '../../record/record.ts'
import { openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { findLiveRecord, findTalk, refuseTalk } from '../talk/talk.ts'
import { withParameters } from '../urls.ts'
import { element, toXmlDocument } from './xml.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** The HTML that shows the player of a talk on another site. */
export function toFrameMarkup(site: Site, { id, title }: VideoRecord, { width, height }: Size, start = 0): string {
  const src = withParameters(toAbsolute(site, site.urls.embed(id)), { t: start > 0 ? start : null })
  const allow = 'autoplay; fullscreen; picture-in-picture'
  return `<iframe src="${src}" title="${Bun.escapeHTML(title)}" width="${width}" height="${height}" allow="${allow}" allowfullscreen></iframe>`
}

/** `/oembed`: how other sites embed a link to a talk (oembed.com). */
export async function readOEmbed(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const query = call.query()
  const format = query.get('format') ?? 'json'
  if (format !== 'json' && format !== 'xml') return respondText(call, unknownFormat)
  const site = await openSite(call, deps)
  const text = query.get('url')
  if (text === null) throw new Refused({ code: 'bad_parameter', detail: 'url must be the URL of a talk.' })
  const id = findTalkId(site, text)
  if (id === null) throw new Refused({ code: 'not_found' })
  const found = (await findLiveRecord(deps.store, id)) ?? (await refuseTalk(deps.store, id))
  const { record } = await findTalk(deps.store, found)
  const size = toFrameSize(parseMax(query.get('maxwidth')), parseMax(query.get('maxheight')))
  const members = toMembers(site, record, size, findStartTime(new URL(text)) ?? 0)
  return format === 'json'
    ? respondText(call, { text: toAsciiJson(members), type: contentTypes.json })
    : respondText(call, { text: toXml(members), type: 'text/xml; charset=utf-8' })
}

/** The id in the URL of a talk, with or without its slug; null for any other URL. */
export function findTalkId({ base, urls }: Pick<Site, 'base' | 'urls'>, text: string): number | null {
  const url = URL.parse(text)
  if (url === null || url.host !== new URL(base).host || !/^https?:$/.test(url.protocol)) return null
  const beginning = urls.path('/video/')
  const [id = ''] = url.pathname.slice(beginning.length).split('/')
  return url.pathname.startsWith(beginning) ? parseRecordId(id) : null
}

const defaultSize: Size = { width: 640, height: 360 }

/** 16:9, as large as both limits allow. */
export function toFrameSize(maxWidth: number | null, maxHeight: number | null): Size {
  const width = Math.min(maxWidth ?? defaultSize.width, Math.floor(((maxHeight ?? defaultSize.height) * 16) / 9))
  return { width, height: Math.round((width * 9) / 16) }
}

const unknownFormat = {
  text: 'Supported formats: json, xml.\n',
  type: contentTypes.text,
  status: 501,
} as const

/** Null unless it is a positive integer; invalid values are ignored. */
function parseMax(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null
}

type Members = { readonly [name: string]: string | number }

function toMembers(site: Site, record: VideoRecord, size: Size, start: number): Members {
  const { settings, urls } = site
  return {
    version: '1.0',
    type: 'video',
    title: record.title,
    ...(record.speakers.length === 0 ? {} : { author_name: record.speakers.join(', ') }),
    provider_name: settings.name,
    provider_url: toAbsolute(site, urls.home),
    ...(settings.hasThumbnails ? toThumbnail(record.thumbnail_url) : {}),
    html: toFrameMarkup(site, record, size, start),
    ...size,
  }
}

/** Pictures of YouTube by name. oEmbed requires the size of a thumbnail, and we know only these. */
const youTubeSizes: { readonly [name: string]: Size } = {
  default: { width: 120, height: 90 },
  mqdefault: { width: 320, height: 180 },
  hqdefault: { width: 480, height: 360 },
  0: { width: 480, height: 360 },
  sddefault: { width: 640, height: 480 },
  maxresdefault: { width: 1280, height: 720 },
}

function toThumbnail(url: string): Members {
  const [, name = ''] =
    /^https?:\/\/(?:i\d?\.ytimg|img\.youtube)\.com\/vi\/[\w-]{1,64}\/(\w{1,20})\.jpg$/.exec(url) ?? []
  const size = Object.hasOwn(youTubeSizes, name) ? youTubeSizes[name] : undefined
  if (size === undefined) return {}
  return { thumbnail_url: url, thumbnail_width: size.width, thumbnail_height: size.height }
}

function toXml(members: Members): string {
  const elements = Object.entries(members).map(([name, value]) => element(name, {}, value))
  return toXmlDocument(element('oembed', {}, elements))
}
