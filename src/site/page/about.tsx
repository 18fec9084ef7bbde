import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { renderPage } from '../part/layout.tsx'
import { respondText } from '../respond-page.ts'
import { openSite, type Site, type SiteDeps } from '../site.ts'
import { texts } from '../texts.ts'

/** `/about`: the operator's text, and how to get all of the data. */
export async function showAbout(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const head = { title: texts.about.title(site.settings.name), canonical: site.urls.about }
  const render = await deps.markdown()
  const about = render(site.settings.about ?? texts.about.standard, { level: 2 })
  const body = <About site={site} about={about} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

/** `about` is HTML. */
function About({ site, about }: { readonly site: Site; readonly about: string }) {
  const { urls, settings } = site
  const ways = [
    [texts.about.api, urls.path('/api/docs')],
    [texts.about.dump, urls.path('/dump/videos.ndjson.gz')],
    [texts.about.feed, urls.path('/feed.atom')],
    [texts.about.changes, urls.path('/api/v2/changes?since=0')],
  ] as const
  return (
    <article class="about prose">
      <h1>{texts.about.title(settings.name)}</h1>
      <div class="prose" dangerouslySetInnerHTML={{ __html: about }} />
      <h2>{texts.about.data}</h2>
      <p>{texts.about.licence}</p>
      <ul>
        {ways.map(([way, href]) => (
          <li key={href}>
            <a href={href}>{way.name}</a>: {way.text}
          </li>
        ))}
      </ul>
    </article>
  )
}
