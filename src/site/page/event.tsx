import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { isFieldName } from '../../record/fields.ts'
import { parseOrdering } from '../../record/query/ordering.ts'
import { type ListQuery, parsePage } from '../../record/query/query.ts'
import type { CategoryHead } from '../../record/query/vocabulary.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { guessSeries } from '../../record/text/series.ts'
import type { ListPage } from '../../store/list-reads.ts'
import type { DayCount, Editions, EventRow } from '../../store/site-reads.ts'
import { TalkGrid, toHueClass } from '../part/cards.tsx'
import { isPlausibleDay, toEventDays, toEventYear } from '../part/event-cards.tsx'
import { maxQueryLength, renderPage } from '../part/layout.tsx'
import { FindBox, Pager } from '../part/list-controls.tsx'
import { type Subscription, toSubscription } from '../part/menus.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { moved, openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'
import { toDayOfYear, toLongDay } from '../text/format.ts'
import { withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import { FacetRows, MachineLinks, maxPills } from './talk-collection.tsx'

/** The programme of nearly every event is one page. */
const talksPerPage = 200
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
    description: `${toCounted(found.count, 'talk')} recorded at ${row.title}.`,
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
    <EventPage
      site={site}
      event={row}
      count={found.count}
      description={description}
      {...page}
      feed={feed}
      jsonHref={head.json}
    />
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
  const records = list.records ?? (await readCards(store, query))
  if (records.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  const editions = requireRead(await store.findEditions(slug))
  return { page, days, day, list, editions, talks: await findTalks(store, records) }
}

/** Whole records may be too large together; the fields of cards never are. */
async function readCards(store: SiteDeps['store'], query: ListQuery): Promise<readonly string[]> {
  const fields = ['id', 'slug', 'title', 'category', 'speakers', 'language', 'recorded', 'duration', 'thumbnail_url']
  const cards = { ...query, fields: fields.filter(isFieldName), facets: [] }
  return requireRead(await store.list(cards)).records ?? []
}

interface EventPageProps {
  readonly site: Site
  readonly event: CategoryHead
  /** Of all its talks. */
  readonly count: number
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
  const { site, event, page, day, list } = props
  const own = site.urls.category(event.slug)
  const toHref = (to: number) => withParameters(own, { day, page: to === 1 ? null : to })
  const parts = toParts(props)
  const isWhole = day === undefined && list.count <= talksPerPage
  return (
    <>
      <EventHead {...props} />
      {isWhole ? <PartLinks parts={parts} /> : <DayTabs {...props} own={own} />}
      <Programme site={site} parts={parts} />
      <Pager page={page} last={Math.ceil(list.count / talksPerPage)} toHref={toHref} />
      <FacetRows site={site} list={list} rows={rows} />
    </>
  )
}

function EventHead({ site, event, count, description, editions, feed, jsonHref }: EventPageProps) {
  const { urls } = site
  const when = editions.own === null ? '' : toEventDays(editions.own)
  return (
    <header class={`page-head event-head ${toHueClass(event.title)}`}>
      <p class="kicker">
        <a href={urls.categories}>Events</a>
      </p>
      <h1 dir="auto">{event.title}</h1>
      <ul class="facts main-facts">
        {when !== '' && <li>{when}</li>}
        {event.place !== '' && <li dir="auto">{event.place}</li>}
        <li>{toCounted(count, 'talk')}</li>
        {/^https?:/i.test(event.url) && (
          <li>
            <a href={event.url} rel="nofollow noopener">
              Website
            </a>
          </li>
        )}
      </ul>
      {description !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: description }} />}
      <FindBox
        action={urls.search()}
        label="Search in this event"
        maxLength={maxQueryLength}
        kept={[{ name: 'category', value: event.slug }]}
      />
      <ul class="facts">
        <MachineLinks site={site} feed={feed} jsonHref={jsonHref} />
      </ul>
      <EditionLinks site={site} editions={editions} />
    </header>
  )
}

/** The event before and after this one in its series, and the years without one. */
function EditionLinks({
  site: { urls },
  editions: { previous, own, next },
}: Pick<EventPageProps, 'site' | 'editions'>) {
  if (previous === null && next === null) return null
  const { title = '', series = '' } = own ?? {}
  const missing = listMissingYears([previous, own, next])
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
      {missing.length > 0 && (
        <p class="no-editions" dir="auto">
          {`This archive has no talks from ${guessSeries(title) ?? series} ${missing.join(' or ')}.`}
        </p>
      )}
    </nav>
  )
}

/** The years between the event and those before and after it, each gap as one text: `2013–2015`. */
function listMissingYears(editions: readonly (EventRow | null)[]): string[] {
  const years = editions.flatMap((event) => (event === null ? [] : Number(toEventYear(event) ?? Number.NaN)))
  return years.slice(1).flatMap((year, i) => {
    const [first, last] = [(years[i] ?? year) + 1, year - 1]
    return first > last ? [] : [first === last ? String(first) : `${first}–${last}`]
  })
}

/** Talks under one heading. */
interface ProgrammePart {
  /** Of its element, for links. */
  readonly id: string
  /** A day or a year, for programs. */
  readonly time: string | null
  readonly text: string
  /** Without the year that all days have in common. */
  readonly shortText: string
  readonly talks: readonly Talk[]
  /** Whether the talks are of several days, which their cards say. */
  readonly hasDays: boolean
}

/** The talks by day; those of an event with many days, such as a meetup, by year. Doubtful and unknown days come last. */
function toParts({ talks, days, day: chosen, editions: { own } }: EventPageProps): ProgrammePart[] {
  const known = days.filter(({ day }) => isPlausibleDay(own, day))
  const isByDay = known.length <= maxDays || chosen !== undefined
  const isUncertain = ({ record: { recorded } }: Talk) => recorded !== null && !isPlausibleDay(own, recorded)
  const dated = talks.filter((talk) => talk.record.recorded !== null && !isUncertain(talk))
  const byTime = Map.groupBy(dated, ({ record: { recorded } }) => (recorded ?? '').slice(0, isByDay ? 10 : 4))
  const toShort = new Set(known.map(({ day }) => day.slice(0, 4))).size === 1 ? toDayOfYear : toLongDay
  const others = [
    { id: 'uncertain', text: 'Date uncertain', talks: talks.filter(isUncertain) },
    { id: 'unknown', text: 'Date unknown', talks: talks.filter(({ record }) => record.recorded === null) },
  ]
  return [
    ...Array.from(byTime, ([time, some]) => ({
      ...{ id: `on-${time}`, time, talks: some, hasDays: !isByDay },
      text: isByDay ? toLongDay(time) : time,
      shortText: isByDay ? toShort(time) : time,
    })),
    ...others.flatMap((part) =>
      part.talks.length === 0 ? [] : [{ ...part, shortText: part.text, time: null, hasDays: part.id === 'uncertain' }],
    ),
  ]
}

/** Links to the parts of a programme that is whole. */
function PartLinks({ parts }: { readonly parts: readonly ProgrammePart[] }) {
  if (parts.length < 2) return null
  return (
    <nav class="jump" aria-label="Days">
      <ul>
        {parts.map(({ id, shortText, talks }) => (
          <li key={id}>
            <a href={`#${id}`}>
              {shortText}
              <span class="count"> {toNumber(talks.length)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The days of a programme that has several pages, or of which one day is shown. */
function DayTabs({
  own,
  days,
  day,
  editions,
}: { readonly own: string } & Pick<EventPageProps, 'days' | 'day' | 'editions'>) {
  const known = days.filter((each) => isPlausibleDay(editions.own, each.day))
  if (known.length < 2 || known.length > maxDays) return null
  const tabs = [
    { day: null, text: 'All days', count: null },
    ...known.map(({ day: each, count }) => ({ day: each, text: toLongDay(each), count })),
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

function Programme({ site, parts }: { readonly site: Site; readonly parts: readonly ProgrammePart[] }) {
  return (
    <div class="years programme">
      {parts.map(({ id, time, text, talks, hasDays }) => (
        <section key={id} id={id}>
          <h2>{time === null ? text : <time datetime={time}>{text}</time>}</h2>
          <TalkGrid site={site} talks={talks} hasEvent={false} hasDay={hasDays} isDense />
        </section>
      ))}
    </div>
  )
}
