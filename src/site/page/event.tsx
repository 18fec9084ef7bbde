import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parseOrdering } from '../../record/query/ordering.ts'
import { parsePage } from '../../record/query/query.ts'
import type { CategoryRow } from '../../record/query/vocabulary.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { DayCount, Editions } from '../../store/site-reads.ts'
import type { ListPage } from '../../store/store.ts'
import { TalkGrid } from '../part/cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { Pager } from '../part/pager.tsx'
import { toHueClass } from '../part/picture.tsx'
import { type Subscription, toSubscription } from '../part/subscribe.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { moved, openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'
import { toDayOfYear, toDays, toLongDay } from '../text/format.ts'
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
  const editions = requireRead(await store.findEditions(slug))
  return { page, days, day, list, editions, talks: await findTalks(store, records) }
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
  readonly editions: Editions
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
  const { site, event, page, days, day, list } = props
  const own = site.urls.category(event.slug)
  const toHref = (to: number) => withParameters(own, { day, page: to === 1 ? null : to })
  return (
    <>
      <EventHead {...props} />
      {days.length > 1 && days.length <= maxDays && <DayTabs own={own} days={days} day={day} />}
      <Programme {...props} />
      <Pager page={page} last={Math.ceil(list.count / talksPerPage)} toHref={toHref} />
      <FacetRows site={site} list={list} rows={rows} />
    </>
  )
}

function EventHead({ site, event, description, days, editions, feed, jsonHref }: EventPageProps) {
  const { urls } = site
  const when = toDays(event.start_date ?? days[0]?.day ?? null, event.end_date ?? days.at(-1)?.day ?? null)
  return (
    <header class={`page-head event-head ${toHueClass(event.title)}`}>
      <p class="kicker">
        <a href={urls.categories}>Events</a>
      </p>
      <h1 dir="auto">{event.title}</h1>
      <ul class="facts main-facts">
        {when !== '' && <li>{when}</li>}
        {event.place !== '' && <li dir="auto">{event.place}</li>}
        <li>{toCounted(event.ids.length, 'talk')}</li>
        {/^https?:/i.test(event.url) && (
          <li>
            <a href={event.url} rel="nofollow noopener">
              Website
            </a>
          </li>
        )}
      </ul>
      {description !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: description }} />}
      <ul class="facts">
        <li>
          <a href={urls.searchIn({ category: event.slug })} rel="nofollow">
            Search in this event
          </a>
        </li>
        <MachineLinks site={site} feed={feed} jsonHref={jsonHref} />
      </ul>
      <EditionLinks site={site} editions={editions} />
    </header>
  )
}

/** The event before and after this one in its series. */
function EditionLinks({ site: { urls }, editions: { previous, next } }: Pick<EventPageProps, 'site' | 'editions'>) {
  if (previous === null && next === null) return null
  return (
    <nav class="editions" aria-label="Other editions">
      {previous !== null && (
        <a href={urls.category(previous.slug)} rel="prev">
          <span aria-hidden="true">← </span>
          <bdi>{previous.title}</bdi>
        </a>
      )}
      {next !== null && (
        <a href={urls.category(next.slug)} rel="next">
          <bdi>{next.title}</bdi>
          <span aria-hidden="true"> →</span>
        </a>
      )}
    </nav>
  )
}

function DayTabs({ own, days, day }: { readonly own: string } & Pick<EventPageProps, 'days' | 'day'>) {
  const years = new Set(days.map(({ day: each }) => each.slice(0, 4)))
  const toText = years.size === 1 ? toDayOfYear : toLongDay
  const tabs = [
    { day: null, text: 'All days', count: null },
    ...days.map(({ day: each, count }) => ({ day: each, text: toText(each), count })),
  ]
  return (
    <nav class="jump" aria-label="Days">
      <ul>
        {tabs.map(({ day: each, text, count }) => (
          <li key={text}>
            <a href={withParameters(own, { day: each })} aria-current={each === (day ?? null) ? 'true' : undefined}>
              {text}
              {count !== null && <span class="count"> {toNumber(count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The talks by day; those of an event with many days, such as a meetup, by year with their days. */
function Programme({ site, talks, days, day }: EventPageProps) {
  const isByDay = days.length <= maxDays || day !== undefined
  const toKey = ({ record }: Talk) => (isByDay ? record.recorded : (record.recorded?.slice(0, 4) ?? null))
  const keys = [...new Set(talks.map(toKey))]
  const toText = (key: string) => (isByDay ? toLongDay(key) : key)
  return (
    <div class="years programme">
      {keys.map((key) => (
        <section key={key ?? ''}>
          <h2>{key === null ? 'Date unknown' : <time datetime={key}>{toText(key)}</time>}</h2>
          <TalkGrid
            site={site}
            talks={talks.filter((talk) => toKey(talk) === key)}
            hasEvent={false}
            hasDay={!isByDay}
            isDense
          />
        </section>
      ))}
    </div>
  )
}
