import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted } from '../../record/text/counted.ts'
import { parseLanguageCode, toLanguageCode } from '../../record/text/language.ts'
import type { NamedCount } from '../../store/site-reads.ts'
import type { Bar } from '../part/chart.tsx'
import { type Tile, Tiles } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { toSubscription } from '../part/menus.tsx'
import { moved, openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import { CollectionBody, CollectionHead, readCollection } from './talk-collection.tsx'

/** `/language`: the languages of the talks. */
export async function showLanguages(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const { talks, languages } = requireRead(await deps.store.summarise({ visibility: 'live' }))
  const known = languages.reduce((sum, { count }) => sum + count, 0)
  const head = { title: 'Languages', canonical: site.urls.languages, json: site.urls.api('language') }
  const body = (
    <>
      <header class="page-head">
        <h1>Languages</h1>
        <p class="muted">
          {`${toCounted(known, 'talk')} in ${toCounted(languages.length, 'language')}`}
          {known < talks && `. The language of ${toCounted(talks - known, 'more talk')} is unknown.`}
        </p>
      </header>
      {languages.length === 0 && <p class="empty">No talk has a language yet.</p>}
      <Tiles tiles={languages.flatMap((language) => toTile(site, language) ?? [])} />
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

function toTile({ urls }: Site, { name, count }: NamedCount): Tile | null {
  const code = toLanguageCode(name)
  if (code === null) return null
  return { text: name, href: urls.language(code), detail: toCounted(count, 'talk'), native: toNative(code, name) }
}

/** What its speakers call a language; undefined if that is its English name, or not known. */
function toNative(code: string, name: string) {
  const text = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
  return text === undefined || text === name ? undefined : { text, code }
}

export function toLanguageBars({ urls }: Site, languages: readonly NamedCount[]): Bar[] {
  return languages.map(({ name, count }) => {
    const code = toLanguageCode(name)
    return { label: name, value: count, ...(code === null ? {} : { href: urls.language(code) }) }
  })
}

/** `/languages/<code>`, as people guess it. */
export async function goToLanguage(call: Call<'code'>, deps: SiteDeps): Promise<TextAnswer> {
  const code = toLanguageCode(parseLanguageCode(call.params.code) ?? '')
  return code === null ? showMissing(call, deps) : moved(call, (await openSite(call, deps)).urls.language(code))
}

/** `/language/<code>`; names and longer codes are redirected to the code. */
export async function showLanguage(call: Call<'code'>, deps: SiteDeps): Promise<TextAnswer> {
  const language = parseLanguageCode(call.params.code)
  const code = language === null ? null : toLanguageCode(language)
  if (language === null || code === null) return showMissing(call, deps)
  const site = await openSite(call, deps)
  const { urls } = site
  if (code !== call.params.code) return moved(call, urls.language(code))
  const collection = await readCollection(call, deps, { language }, ['category', 'speaker', 'tag', 'year'])
  const { page, list } = collection
  if (list.count === 0) return showMissing(call, deps)
  const toHref = (to: number) => withParameters(urls.language(code), { page: to === 1 ? null : to })
  const json = urls.api('video', { language })
  const title = `Talks in ${language}`
  const feed = toSubscription({
    title,
    stem: urls.path('/search'),
    parameters: { language: code },
    kinds: list.fileKinds,
  })
  const description = `${toCounted(list.count, 'talk')} in ${language}.`
  const head = { title, page, description, canonical: toHref(page), json, feed }
  const rows = [
    { facet: 'tag', title: 'Topics' },
    { facet: 'category', title: 'Events' },
    { facet: 'speaker', title: 'Speakers' },
  ] as const
  const body = (
    <>
      <CollectionHead
        site={site}
        kind="Languages"
        kindHref={urls.languages}
        title={language}
        list={list}
        searchHref={urls.searchIn({ language: code })}
        feed={feed}
        jsonHref={json}
        rows={rows}
      />
      <CollectionBody site={site} collection={collection} toHref={toHref} />
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}
