import { requireRead } from '../../http/problem.ts'
import { contentTypes, redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Summary } from '../../store/site-reads.ts'
import { CountedLinks, Section } from '../part/counts.tsx'
import { EventGrid } from '../part/event-card.tsx'
import { renderPage } from '../part/layout.tsx'
import { SearchBox } from '../part/search-box.tsx'
import { TalkGrid } from '../part/talk-card.tsx'
import { respondText } from '../respond-page.ts'
import { toPageQuery } from '../search/list-query.ts'
import { openSite, type Site, type SiteDeps } from '../site.ts'
import { findTalks } from '../talk/talk.ts'
import { texts } from '../texts.ts'

const newestCount = 12
const eventCount = 6
const tagCount = 30

/** `/`; programs that prefer JSON are sent to the API. */
export async function showHome(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  if (call.representation === 'json') return redirect(call, site.at.path('/api/v2'))
  const { settings, at } = site
  const head = {
    title: settings.name,
    description: texts.home.description(settings.name),
    canonical: at.home,
    feed: { title: texts.feeds.all, href: at.path('/feed.atom') },
    json: at.api('video'),
    hasSearchBox: false,
  }
  const page = await readHome(deps)
  return respondText(call, { text: renderPage(site, head, <Home site={site} {...page} />), type: contentTypes.html })
}

async function readHome({ store }: SiteDeps) {
  const { filters, match } = toPageQuery({})
  const summary = requireRead(await store.summarise({ visibility: 'live' }))
  const newest = requireRead(await store.listNewest({ filters, match, limit: newestCount, offset: 0 }))
  const events = requireRead(await store.listEvents({ visibility: 'live' }))
  const { facets } = requireRead(
    await store.list(toPageQuery({ pageSize: 1, facets: ['tag'], maxFacetNames: tagCount })),
  )
  const tags = facets?.tag ?? []
  return { summary, talks: await findTalks(store, newest.records), events: events.slice(0, eventCount), tags }
}

type HomeProps = Awaited<ReturnType<typeof readHome>> & { readonly site: Site }

function Home({ site, summary, talks, events, tags }: HomeProps) {
  const { at } = site
  const { all } = texts.home
  return (
    <>
      <section class="hero">
        <h1>{site.settings.name}</h1>
        <SearchBox site={site} q="" isLarge />
        <Totals summary={summary} site={site} />
      </section>
      {talks.length === 0 && <p class="empty">{texts.home.empty}</p>}
      {talks.length > 0 && (
        <Section title={texts.home.newest} more={{ text: all.talks, href: at.search() }}>
          <TalkGrid site={site} talks={talks} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title={texts.home.events} more={{ text: all.events, href: at.categories }}>
          <EventGrid site={site} events={events} />
        </Section>
      )}
      {tags.length > 0 && (
        <Section title={texts.home.tags} more={{ text: all.tags, href: at.tags }}>
          <CountedLinks
            links={tags.map(({ value, count, id = 0, slug = '' }) => ({
              text: value,
              count,
              href: at.tag({ id, slug }),
            }))}
          />
        </Section>
      )}
      {summary.languages.length > 1 && (
        <Section title={texts.home.languages}>
          <CountedLinks links={toLanguageLinks(site, summary)} />
        </Section>
      )}
    </>
  )
}

function toLanguageLinks({ at }: Site, { languages }: Summary) {
  return languages.flatMap(({ name, count }) => {
    const code = toLanguageCode(name)
    return code === null ? [] : [{ text: name, count, href: at.language(code) }]
  })
}

function Totals({ summary, site: { at } }: { readonly summary: Summary; readonly site: Site }) {
  const { counts } = texts.home
  const totals = [
    [summary.talks, counts.talks, at.search()],
    [Math.round(summary.seconds / 3600), counts.hours, at.stats],
    [summary.speakers, counts.speakers, at.speakers],
    [summary.categories, counts.events, at.categories],
  ] as const
  return (
    <ul class="totals">
      {totals.map(([total, name, href]) => (
        <li key={name}>
          <a href={href}>
            <b>{toNumber(total)}</b> {name}
          </a>
        </li>
      ))}
    </ul>
  )
}
