import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parseOrdering } from '../../record/query/ordering.ts'
import { parsePage } from '../../record/query/query.ts'
import type { CategoryRow } from '../../record/query/vocabulary.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { DayCount } from '../../store/site-reads.ts'
import type { ListPage } from '../../store/store.ts'
import { TalkGrid, TalksByYear, toHueClass } from '../part/cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { Pager } from '../part/pager.tsx'
import { type Subscription, toSubscription } from '../part/subscribe.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { moved, openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'
import { toDays, toLongDay } from '../text/format.ts'
import { withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import { FacetRows, MachineLinks, maxPills } from './talk-collection.tsx'

const talksPerPage = 48
/** Events with more days, such as meetups, are shown by year. */
const maxDays = 14

/** `/category/<slug>`: an event with its days, talks, speakers and tags. */
export async function showEvent(call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  const { slug } = call.params
  const found = requireRead(await deps.store.findCategory({ slug, visibility: 'live' }))
  if (found === null) return showMissing(call, deps)
  const site = await openSite(call, deps)
  const { row } = found
  // Merged into another event.
  if (row.slug !== slug) return moved(call, site.urls.category(row.slug))
  const page = await readEvent(call, deps, slug)
  const own = site.urls.category(slug)
  const feed = toSubscription({ title: `Talks at ${row.title}`, stem: `${own}/feed`, kinds: page.list.fileKinds })
  const head = {
    title: row.title,
    page: page.page,
    description: `${toCounted(row.ids.length, 'talk')} recorded at ${row.title}.`,
    canonical: withParameters(own, { day: page.day, page: page.page === 1 ? null : page.page }),
    json: site.urls.api(`category/${slug}`),
    section: 'events',
    feed,
    more: (
      <link
        rel="alternate"
        type="application/atom+xml"
        href={site.urls.changesFeed(slug)}
        title={`Changes at ${row.title}`}
      />
    ),
  } as const
  const render = await deps.markdown()
  const description = render(row.description, { level: 2 })
  const body = (
    <EventPage site={site} event={row} description={description} {...page} feed={feed} jsonHref={head.json} />
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

/** `/category/<n>/<slug>`, a URL of another archive: its ids are not ours, so the slug decides. */
export async function goToEvent(call: Call<'id' | 'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  const { slug } = call.params
  const found = requireRead(await deps.store.findCategory({ slug, visibility: 'live' }))
  if (found === null) return showMissing(call, deps)
  return moved(call, (await openSite(call, deps)).urls.category(found.row.slug))
}

async function readEvent(call: Call, { store }: SiteDeps, slug: string) {
  const page = parsePage(call.query().get('page'))
  const days = requireRead(await store.listDays(slug))
  const day = days.find((each) => each.day === call.query().get('day'))?.day
  const filters = { category: slug, ...(day === undefined ? {} : { recordedAfter: day, recordedBefore: day }) }
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  const order = parseOrdering('recorded,title,id')
  const counted = { facets: ['speaker', 'tag', 'language'], maxFacetNames: maxPills } as const
  const query = toPageQuery({ filters, order, page, pageSize: talksPerPage, hasFileKinds: true, ...counted })
  const list = requireRead(await store.list(query, call.signal))
  const records = list.records ?? []
  if (records.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  return { page, days, day, list, talks: await findTalks(store, records) }
}

interface EventPageProps {
  readonly site: Site
  readonly event: CategoryRow
  /** HTML. */
  readonly description: string
  readonly page: number
  readonly days: readonly DayCount[]
  readonly day: string | undefined
  readonly list: ListPage
  readonly talks: readonly Talk[]
  readonly feed: Subscription
  readonly jsonHref: string
}

const rows = [
  { facet: 'speaker', title: 'Speakers' },
  { facet: 'tag', title: 'Tags' },
  { facet: 'language', title: 'Languages' },
] as const

function EventPage(props: EventPageProps) {
  const { site, event, page, days, day, list, talks } = props
  const own = site.urls.category(event.slug)
  const toHref = (to: number) => withParameters(own, { day, page: to === 1 ? null : to })
  const isByDay = days.length <= maxDays || day !== undefined
  return (
    <>
      <EventHead {...props} />
      {days.length > 1 && days.length <= maxDays && <DayTabs own={own} days={days} day={day} />}
      {isByDay ? <TalksByDay site={site} talks={talks} /> : <TalksByYear site={site} talks={talks} />}
      <Pager page={page} last={Math.ceil(list.count / talksPerPage)} toHref={toHref} />
      <FacetRows site={site} list={list} rows={rows} />
    </>
  )
}

function EventHead({ site, event, description, days, feed, jsonHref }: EventPageProps) {
  const { urls } = site
  const when = toDays(days[0]?.day ?? event.start_date, days.at(-1)?.day ?? null)
  return (
    <header class={`page-head event-head ${toHueClass(event.title)}`}>
      <p class="kicker">
        <a href={urls.categories}>Events</a>
      </p>
      <h1 dir="auto">{event.title}</h1>
      <ul class="facts">
        {when !== '' && <li>{when}</li>}
        <li>{toCounted(event.ids.length, 'talk')}</li>
        {/^https?:/i.test(event.url) && (
          <li>
            <a href={event.url} rel="nofollow noopener">
              Website
            </a>
          </li>
        )}
        <li>
          <a href={urls.searchIn({ category: event.slug })} rel="nofollow">
            Search in this event
          </a>
        </li>
        <MachineLinks site={site} feed={feed} jsonHref={jsonHref} />
      </ul>
      {description !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: description }} />}
    </header>
  )
}

function DayTabs({ own, days, day }: { readonly own: string } & Pick<EventPageProps, 'days' | 'day'>) {
  const tabs = [{ day: null, text: 'All days' }, ...days.map(({ day: each }) => ({ day: each, text: toLongDay(each) }))]
  return (
    <nav class="jump" aria-label="Days">
      <ul>
        {tabs.map(({ day: each, text }) => (
          <li key={text}>
            <a href={withParameters(own, { day: each })} aria-current={each === (day ?? null) ? 'true' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function TalksByDay({ site, talks }: Pick<EventPageProps, 'site' | 'talks'>) {
  const days = [...new Set(talks.map(({ record }) => record.recorded))]
  return (
    <div class="years">
      {days.map((day) => (
        <section key={day ?? ''}>
          <h2>{day === null ? 'Date unknown' : toLongDay(day)}</h2>
          <TalkGrid site={site} talks={talks.filter(({ record }) => record.recorded === day)} hasEvent={false} />
        </section>
      ))}
    </div>
  )
}
