import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { openSite, respondText, type SiteDeps, toAbsolute } from '../site.ts'

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
