import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { type Completion, type Completions, maxCompletionLength } from '../../record/query/completion.ts'
import { fromBodyText } from '../../record/record.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import { isSameName } from '../../record/text/words.ts'
import type { ReadStore } from '../../store/store.ts'
import { element, toXmlDocument } from '../machine/xml.ts'
import { openSite, respondText, type SiteDeps, toAbsolute } from '../site.ts'
import { createUrls } from '../urls.ts'
import { hasChosen, parseSearchQuery, type SearchQuery, toListQuery } from './search-query.ts'
import { findSeriesCorrection } from './series.tsx'
import { toCorrection } from './understood.tsx'

/** `/suggestions.json`: suggestions for the address bar of a browser, in the format of OpenSearch: `["pyt", ["Python"]]`. */
export async function showOpenSearchCompletions(call: Call, { store }: SiteDeps): Promise<TextAnswer> {
  const typed = call.query().get('q') ?? ''
  const { results, isPartial } = await findCompletions({ q: typed.trim() }, store)
  const texts = [...new Set(results.map(({ text }) => text))]
  return respondJson(call, toAsciiJson([typed, texts]), 'application/x-suggestions+json', isPartial)
}

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

/**
 * `/search/suggest`: suggestions for search boxes, in the format of the API, but without drafts for any caller. With
 * filters, talks that have them.
 */
export async function showCompletions(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const query = parseSearchQuery(call.query())
  const find = hasChosen(query) ? findTalkTitles : findCompletions
  const { results, isPartial } = await find(query, deps.store)
  const found = results.map((completion) => {
    const { kind, text, count } = completion
    return { kind, text, url: urls.path(toCompletionPath(completion)), count }
  })
  return respondJson(call, toAsciiJson({ results: found }), contentTypes.json, isPartial)
}

const paths = createUrls('')
const noCompletions: Completions = { results: [], isPartial: false }
/** Titles below a box with filters. */
const maxTitles = 8

/** The path of the page of a completion, below the base URL. */
export function toCompletionPath(completion: Completion): string {
  return completion.kind === 'category' ? paths.category(completion.slug) : paths[completion.kind](completion)
}

async function findCompletions({ q }: Pick<SearchQuery, 'q'>, store: ReadStore): Promise<Completions> {
  if (q === '' || [...q].length > maxCompletionLength) return noCompletions
  const text = toCorrection(q, (await findSeriesCorrection(store, q)) ?? {})?.corrected ?? q
  const { results, isPartial } = requireRead(await store.suggest({ text, visibility: 'live' }))
  return { results: inOneSpelling(results), isPartial }
}

/** The first spelling of each name; talks may have the same title. */
export const inOneSpelling = (results: readonly Completion[]) =>
  results.filter((each, i) => !results.slice(0, i).some(isSpellingOf(each)))

const isSpellingOf = (name: Completion) => (other: Completion) =>
  name.kind !== 'video' && other.kind === name.kind && isSameName(other.text, name.text)

/** The talks that a strict search within the filters finds: each word typed is the beginning of a word. */
async function findTalkTitles(query: SearchQuery, store: ReadStore): Promise<Completions> {
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok !== true) return noCompletions
  const read = { ...toListQuery(query, parsed.search), match: 'all', pageSize: maxTitles, hasHighlight: false } as const
  const { records } = requireRead(await store.list(read))
  const results = (records ?? []).map((text): Completion => {
    const { id, slug, title } = fromBodyText(text)
    return { kind: 'video', text: title, count: 1, id, slug }
  })
  return { results, isPartial: false }
}

function respondJson(call: Call, text: string, type: string, isPartial: boolean): TextAnswer {
  return respondText(call, { text, type, caching: isPartial ? 'never' : 'revalidate' })
}

/** Limits of the format. */
const maxShortName = 16
const maxLongName = 48

const cut = (text: string, max: number) => Array.from(text).slice(0, max).join('')
