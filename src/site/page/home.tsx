import { requireRead } from '../../http/problem.ts'
import { contentTypes, redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Summary } from '../../store/site-reads.ts'
import { TalkGrid } from '../part/cards.tsx'
import { CountedLinks, LeftOutLengths, Section } from '../part/counts.tsx'
import { EventGrid, findEventPictures } from '../part/event-cards.tsx'
import { renderPage, SearchBox } from '../part/layout.tsx'
import { Subscribe, type Subscription, toSubscription } from '../part/menus.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks } from '../talk/talk.ts'

const recentCount = 8
export const recentPerEvent = 2
const eventCount = 6
const tagCount = 30
const languageCount = 12

/** `/`; programs that prefer JSON are redirected to the API. */
export async function showHome(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  if (call.representation === 'json') return redirect(call, site.urls.path('/api/v2'))
  const { settings, urls } = site
  const page = await readHome(deps)
  const feed = toSubscription({ title: 'New talks', stem: urls.path('/feed'), kinds: page.summary.fileKinds })
  const head = {
    title: settings.name,
    description: `${settings.name}: recorded talks to search and watch.`,
    canonical: urls.home,
    feed,
    json: urls.api('video'),
    hasSearchBox: false,
  }
  return respondText(call, {
    text: renderPage(site, head, <Home site={site} feed={feed} {...page} />),
    type: contentTypes.html,
  })
}

async function readHome(deps: SiteDeps) {
  const { store } = deps
  const summary = requireRead(await store.summarise({ visibility: 'live' }))
  const recent = requireRead(await store.listRecent({ limit: recentCount, perCategory: recentPerEvent }))
  const events = requireRead(await store.listEvents({ visibility: 'live' })).slice(0, eventCount)
  return {
    summary,
    talks: await findTalks(store, recent),
    events,
    pictures: await findEventPictures(deps, events),
    tags: requireRead(await store.listPopularNames({ kind: 'tag', limit: tagCount })),
  }
}

type HomeProps = Awaited<ReturnType<typeof readHome>> & { readonly site: Site; readonly feed: Subscription }

function Home({ site, feed, summary, talks, events, pictures, tags }: HomeProps) {
  const { urls } = site
  return (
    <>
      <section class="hero">
        <h1>{toHeading(summary)}</h1>
        <SearchBox site={site} q="" isLarge />
        <Totals summary={summary} site={site} />
        <LeftOutLengths count={summary.oddLengths} />
      </section>
      {talks.length === 0 && <p class="empty">No talks yet.</p>}
      {talks.length > 0 && (
        <Section
          title="Recently added"
          more={{ text: 'All talks', href: urls.search() }}
          menu={<Subscribe site={site} feed={feed} />}
        >
          <TalkGrid site={site} talks={talks} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title="Latest events" more={{ text: 'All events', href: urls.categories }}>
          <EventGrid site={site} events={events} pictures={pictures} />
        </Section>
      )}
      {tags.length > 0 && (
        <Section title="Topics" more={{ text: 'All tags', href: urls.tags }}>
          <CountedLinks links={tags.map((tag) => ({ text: tag.name, count: tag.count, href: urls.tag(tag) }))} />
        </Section>
      )}
      {summary.languages.length > 1 && (
        <Section title="Languages" more={{ text: 'All languages', href: urls.languages }}>
          <CountedLinks links={toLanguageLinks(site, summary).slice(0, languageCount)} />
        </Section>
      )}
    </>
  )
}

/** What this is; the name of the site stands in the header. */
function toHeading({ categories }: Summary): string {
  return categories > 1 ? `Recorded talks from ${toCounted(categories, 'event')}` : 'Recorded talks'
}

function toLanguageLinks({ urls }: Site, { languages }: Summary) {
  return languages.flatMap(({ name, count }) => {
    const code = toLanguageCode(name)
    return code === null ? [] : [{ text: name, count, href: urls.language(code) }]
  })
}

function Totals({ summary, site: { urls } }: { readonly summary: Summary; readonly site: Site }) {
  const totals = [
    [summary.talks, 'talks', urls.search()],
    [Math.round(summary.seconds / 3600), 'hours', urls.stats],
    [summary.speakers, 'speakers', urls.speakers],
    [summary.categories, 'events', urls.categories],
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
