import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parseLanguageCode, toLanguageCode } from '../../record/text/language.ts'
import { renderPage } from '../part/layout.tsx'
import { toSubscription } from '../part/subscribe.tsx'
import { moved, openSite, respondText, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import { CollectionBody, CollectionHead, readCollection } from './talk-collection.tsx'

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
  const head = { title, page, canonical: toHref(page), json, feed }
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
        kindHref={urls.stats}
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
