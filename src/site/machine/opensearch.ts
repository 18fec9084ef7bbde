import type { Call, TextAnswer } from '../../http/route.ts'
import { openSite, respondText, type SiteDeps, toAbsolute } from '../site.ts'
import { element, toXmlDocument } from './xml.ts'

/** Limits of the format. */
const maxShortName = 16
const maxLongName = 48

/** `/opensearch.xml`: lets browsers search the site from their address bar. */
export async function showOpenSearch(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const { name } = site.settings
  const to = (path: string) => toAbsolute(site, site.urls.path(path))
  const toUrl = (type: string, template: string, rel?: string) => element('Url', { type, rel, template })
  const root = element(
    'OpenSearchDescription',
    { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
    element('ShortName', {}, cut(name, maxShortName)),
    element('LongName', {}, cut(name, maxLongName)),
    element('Description', {}, `Search talks, speakers and events on ${name}`),
    toUrl('text/html', `${to('/search')}?q={searchTerms}`),
    toUrl('application/atom+xml', `${to('/search.atom')}?q={searchTerms}`),
    toUrl('application/x-suggestions+json', `${to('/suggestions.json')}?q={searchTerms}`, 'suggestions'),
    toUrl('application/opensearchdescription+xml', to('/opensearch.xml'), 'self'),
    element('Image', { width: 32, height: 32, type: 'image/vnd.microsoft.icon' }, to('/favicon.ico')),
    element('InputEncoding', {}, 'UTF-8'),
  )
  return respondText(call, { text: toXmlDocument(root), type: 'application/opensearchdescription+xml; charset=utf-8' })
}

const cut = (text: string, max: number) => Array.from(text).slice(0, max).join('')
