import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { PageRange } from '../../store/site-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { withParameters } from '../urls.ts'
import { element, toXmlDocument, type XmlElement } from './xml.ts'

/** The limit of the protocol. URLs have less than 1,000 bytes, so its other limit, 50 MB, is never reached. */
const protocolMax = 50_000
/** Smaller parts keep a query thread busy for less time: 10,000 pages take about 0.1 s. */
const partSize = 10_000

const namespace = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

/**
 * `/sitemap.xml`: all pages, or an index of parts if there are too many for one file. A part is a range of ids, so that
 * it is read without those before it; it is a parameter, because a sitemap covers only the folder that it is in.
 */
export function createSitemap(maxUrls = protocolMax, partUrls = partSize) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    const site = await openSite(call, deps)
    const urls = await listOwnPages(deps.store, site)
    const ranges = requireRead(await deps.store.listPageRanges({ size: partUrls }))
    const parts = [
      ...toOwnParts(urls, partUrls),
      ...ranges.map((range) => toRangePart(deps.store, site, range, partUrls)),
    ]
    const name = call.query().get('part')
    const isWhole = parts.reduce((sum, { count }) => sum + count, 0) <= maxUrls
    if (name === null && !isWhole) return respondXml(call, toIndex(site, parts))
    const chosen = name === null ? parts : parts.filter((part) => part.name === name)
    if (chosen.length === 0) throw new Refused({ code: 'no_such_path' })
    const lists: (readonly XmlElement[])[] = []
    for (const part of chosen) lists.push(await part.read())
    return respondXml(call, element('urlset', namespace, ...lists))
  }
}

interface Part {
  readonly name: string
  readonly count: number
  read(): Promise<readonly XmlElement[]>
}

function toIndex(site: Site, parts: readonly Part[]): XmlElement {
  const toPath = (part: string) => withParameters(site.urls.path('/sitemap.xml'), { part })
  return element(
    'sitemapindex',
    namespace,
    parts.map(({ name }) => element('sitemap', {}, element('loc', {}, toAbsolute(site, toPath(name))))),
  )
}

/** Pages other than those of talks, speakers and tags. */
async function listOwnPages(store: ReadStore, site: Site): Promise<XmlElement[]> {
  const { urls } = site
  const { languages } = requireRead(await store.summarise())
  const codes = languages.flatMap(({ name }) => toLanguageCode(name) ?? [])
  const events = requireRead(await store.listEvents())
  const overviews = [urls.home, urls.categories, urls.speakers, urls.tags, urls.stats, urls.about]
  const toLoc = createToLoc(site)
  const paths = [...overviews, ...codes.map(urls.language), ...events.map(({ slug }) => urls.category(slug))]
  return paths.map((path) => toUrl(toLoc(path), null))
}

function toOwnParts(urls: readonly XmlElement[], size: number): Part[] {
  return Array.from({ length: Math.ceil(urls.length / size) }, (_, i) => {
    const own = urls.slice(i * size, (i + 1) * size)
    return { name: `pages-${i}`, count: own.length, read: async () => own }
  })
}

function toRangePart(store: ReadStore, site: Site, { kind, number, count }: PageRange, size: number): Part {
  return {
    ...{ name: `${kind}-${number}`, count },
    async read() {
      const range = { fromId: number * size + 1, toId: (number + 1) * size }
      const pages = requireRead(await store.listPages({ kind, ...range }))
      const toLoc = createToLoc(site)
      return pages.map((page) => toUrl(toLoc(site.urls[kind](page)), page.updated))
    },
  }
}

/** Parses the base URL once, not for every page. */
function createToLoc(site: Site): (path: string) => string {
  const origin = toAbsolute(site, '')
  return (path) => `${origin}${path}`
}

function toUrl(loc: string, updated: string | null): XmlElement {
  return element('url', {}, element('loc', {}, loc), updated !== null && element('lastmod', {}, `${updated}Z`))
}

function respondXml(call: Call, root: XmlElement): TextAnswer {
  return respondText(call, { text: toXmlDocument(root), type: 'application/xml; charset=utf-8' })
}

/** Searches are endless, and frames and forms are of no use to crawlers. */
const disallowed = ['/search', '/moments', '/edit', '/embed']

/** `/robots.txt` */
export async function showRobots(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const rules = disallowed.map((path) => `Disallow: ${site.urls.path(path)}`)
  const sitemap = `Sitemap: ${toAbsolute(site, site.urls.path('/sitemap.xml'))}`
  const text = ['User-agent: *', ...rules, '', sitemap, ''].join('\n')
  return respondText(call, { text, type: contentTypes.text })
}
