import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { ReadStore } from '../../store/store.ts'
import { TalkGrid } from '../part/cards.tsx'
import { Section } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { openSite, respondText, type SiteDeps } from '../site.ts'
import { findTalks } from '../talk/talk.ts'
import { ErrorPage } from './error.tsx'

const maxFound = 8

/** 404 with the results of a search for the words of the slug. */
export async function showMissing(call: Call, deps: SiteDeps, slug: string): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const words = toWords(slug)
  const talks = await findTalks(deps.store, await search(deps.store, words))
  const head = { title: 'Page not found', canonical: null, isIndexed: false, hasSearchBox: false }
  const body = (
    <>
      <ErrorPage site={site} problem={{ code: 'not_found' }} q={words} />
      {talks.length > 0 && (
        <Section title="Did you mean one of these?">
          <TalkGrid site={site} talks={talks} />
        </Section>
      )}
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html, status: 404 })
}

/** `post-djangocon-an-overview` -> `post djangocon an overview` */
function toWords(slug: string): string {
  return slug
    .replace(/[^\p{L}\p{N}]/gu, ' ')
    .trim()
    .slice(0, 100)
}

async function search(store: ReadStore, words: string): Promise<readonly string[]> {
  const parsed = parseSearch(words)
  if (words === '' || !parsed.ok) return []
  const query = toPageQuery({ filters: { search: parsed.search }, pageSize: maxFound })
  return requireRead(await store.list(query)).records ?? []
}
