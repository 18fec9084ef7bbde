import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { EventRow } from '../../store/site-reads.ts'
import { EventGrid } from '../part/cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { Pager } from '../part/pager.tsx'
import { openSite, respondText, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'

const perPage = 240

/** `/category`: all events, by the year of their last day. */
export async function showEvents(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const { urls } = site
  const all = requireRead(await deps.store.listEvents({ visibility: 'live' }))
  const page = parsePage(call.query().get('page'))
  const last = Math.max(1, Math.ceil(all.length / perPage))
  if (page === null || page === 'last' || page > last) throw new Refused({ code: 'no_such_page' })
  const events = all.slice((page - 1) * perPage, page * perPage)
  const years = [...new Set(events.map(toYear))]
  const toHref = (to: number) => withParameters(urls.categories, { page: to === 1 ? null : to })
  const head = {
    title: 'Events',
    page,
    canonical: toHref(page),
    section: 'events',
    json: urls.api('category'),
  } as const
  const body = (
    <>
      <header class="page-head">
        <h1>Events</h1>
        <p class="muted">{all.length === 1 ? 'One event' : `${toNumber(all.length)} events, latest first`}</p>
        {years.length > 2 && (
          <nav class="jump" aria-label="Years">
            <ul>
              {years.map((year) => (
                <li key={year}>
                  <a href={`#${toAnchor(year)}`}>{year}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      <div class="years">
        {years.map((year) => (
          <section key={year}>
            <h2 id={toAnchor(year)}>{year}</h2>
            <EventGrid site={site} events={events.filter((event) => toYear(event) === year)} />
          </section>
        ))}
      </div>
      <Pager page={page} last={last} toHref={toHref} />
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

function toYear({ startDate, lastDay }: EventRow): string {
  return (lastDay ?? startDate)?.slice(0, 4) ?? 'Year unknown'
}

const toAnchor = (year: string) => (/^\d+$/.test(year) ? `y${year}` : 'other')
