import { requireRead } from '../../http/read-problems.ts'
import { contentTypes, redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toPageQuery } from '../list-query.ts'
import { renderPage } from '../part/layout.tsx'
import { SearchBox } from '../part/search-box.tsx'
import { TalkGrid } from '../part/talk-card.tsx'
import { respondText } from '../respond-page.ts'
import { openSite, type SiteNeeds } from '../site.ts'
import { findTalks } from '../talk.ts'
import { texts } from '../texts.ts'

const newestCount = 12

/** `/`; programs that prefer JSON are sent to the API. */
export async function showHome(call: Call, needs: SiteNeeds): Promise<TextAnswer> {
  const site = await openSite(call, needs)
  if (call.representation === 'json') return redirect(call, site.at.path('/api/v2'))
  const page = requireRead(await needs.store.list(toPageQuery({ pageSize: newestCount }), call.signal))
  const talks = await findTalks(needs.store, page.records ?? [])
  const body = (
    <>
      <section class="hero">
        <h1>{site.settings.name}</h1>
        <SearchBox site={site} q="" isLarge />
      </section>
      <section>
        <div class="section-head">
          <h2>{texts.home.newest}</h2>
        </div>
        <TalkGrid site={site} talks={talks} />
      </section>
    </>
  )
  const head = { title: site.settings.name, canonical: site.at.home, hasSearchBox: false }
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}
