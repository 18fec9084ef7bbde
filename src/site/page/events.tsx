import { Refused, requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { createEditCount, toMaxEdits } from '../../record/text/spelling.ts'
import type { EventRow } from '../../store/site-reads.ts'
import { EventGrid, type EventPictures, findEventPictures, toEventYear } from '../part/event-cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { FindBox, Pager } from '../part/list-controls.tsx'
import { findMissingEdition, NoEdition } from '../search/understood.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'

const perPage = 60
const maxLength = 100

/** What is shown of all events: those of a year, those that a search finds, or one page of all. */
interface Selection {
  readonly q: string
  readonly year: string | null
  readonly page: number
  readonly found: readonly EventRow[]
}

interface YearCount {
  readonly year: string
  readonly count: number
}

/** `/category`: the events, latest first, with a box to find one and a link to every year. */
export async function showEvents(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const { urls } = site
  const all = byYear(requireRead(await deps.store.listEvents({ visibility: 'live' })))
  const years = countYears(all)
  const selection = select(call.query(), all, years)
  const { q, year, page, found } = selection
  const shown = found.slice((page - 1) * perPage, page * perPage)
  if (shown.length === 0 && page > 1) throw new Refused({ code: 'no_such_page' })
  const toHref = (to: number) => withParameters(urls.categories, { q, year, page: to === 1 ? null : to })
  const head = {
    title: toTitle(selection),
    page,
    canonical: toHref(page),
    isIndexed: q === '',
    section: 'events',
    json: urls.api('category'),
  } as const
  const pictures = await findEventPictures(deps, shown)
  const body = (
    <>
      <EventsHead site={site} count={all.length} years={years} selection={selection} />
      {shown.length === 0 && <p class="empty">{q === '' ? 'No events yet.' : 'No events match.'}</p>}
      {shown.length === 0 && <NoEdition site={site} missing={await findMissingEdition(deps.store, q)} />}
      <EventsByYear site={site} events={shown} pictures={pictures} />
      <Pager page={page} last={Math.ceil(found.length / perPage)} toHref={toHref} />
      {year !== null && <YearSteps site={site} years={years} year={year} />}
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

const unknown = 'unknown'
const toYear = (event: EventRow) => toEventYear(event) ?? unknown
const toYearText = (year: string) => (year === unknown ? 'Year unknown' : year)

/** The latest year first; within a year they keep their order. */
const byYear = (events: readonly EventRow[]) =>
  events.toSorted((a, b) => Number(toEventYear(b) ?? 0) - Number(toEventYear(a) ?? 0))

function countYears(events: readonly EventRow[]): readonly YearCount[] {
  const counts = new Map<string, number>()
  for (const event of events) counts.set(toYear(event), (counts.get(toYear(event)) ?? 0) + 1)
  return [...counts].map(([year, count]) => ({ year, count }))
}

function select(parameters: URLSearchParams, all: readonly EventRow[], years: readonly YearCount[]): Selection {
  const q = [...(parameters.get('q') ?? '').trim()].slice(0, maxLength).join('')
  const asked = parameters.get('year')
  const year = q === '' ? (years.find((each) => each.year === asked)?.year ?? null) : null
  const page = parsePage(parameters.get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  const words = toWords(q)
  const ofYear = year === null ? all : all.filter((event) => toYear(event) === year)
  const exact = ofYear.filter((event) => matches(event, words, begins))
  return {
    q,
    year,
    page,
    found: exact.length > 0 ? exact : ofYear.filter((event) => matches(event, words, nearlyBegins)),
  }
}

const toWords = (text: string) => toFolded(text).match(/[\p{L}\p{N}]{1,100}/gu) ?? []

type IsMatch = (own: string, word: string) => boolean

const begins: IsMatch = (own, word) => own.startsWith(word)
const nearlyBegins: IsMatch = (own, word) =>
  createEditCount(word, 'beginning')(own, toMaxEdits(word)) <= toMaxEdits(word)

/** Each word must match a word of the title, the place or the series. */
function matches({ title, place, series }: EventRow, words: readonly string[], isMatch: IsMatch): boolean {
  if (words.length === 0) return true
  const own = toWords(`${title} ${place} ${series}`)
  return words.every((word) => own.some((each) => isMatch(each, word)))
}

function toTitle({ q, year }: Selection): string {
  if (q !== '') return `Events matching “${q}”`
  return year === null ? 'Events' : year === unknown ? 'Events with an unknown year' : `Events in ${year}`
}

interface EventsHeadProps {
  readonly site: Site
  readonly count: number
  readonly years: readonly YearCount[]
  readonly selection: Selection
}

function EventsHead({ site: { urls }, count, years, selection }: EventsHeadProps) {
  const { q, year, found } = selection
  const narrowed = q !== '' || year !== null
  return (
    <header class="page-head">
      <h1 dir="auto">{toTitle(selection)}</h1>
      <p class="muted">
        {narrowed ? `${toNumber(found.length)} of ${toCounted(count, 'event')}` : toCounted(count, 'event')}
        {found.length > 1 && ', latest first'}
      </p>
      {count > 1 && <FindBox action={urls.categories} q={q} label="Find an event" maxLength={maxLength} />}
      {years.length > 1 && (
        <nav class="jump years-index" aria-label="Years">
          <ul>
            {[{ year: null, count }, ...years].map((each) => (
              <li key={each.year ?? ''}>
                <a
                  href={withParameters(urls.categories, { year: each.year })}
                  aria-current={each.year === year && q === '' ? 'true' : undefined}
                >
                  {each.year === null ? 'All' : each.year === unknown ? 'Unknown' : each.year}
                  <span class="count"> {toNumber(each.count)}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </header>
  )
}

interface EventsByYearProps {
  readonly site: Site
  readonly events: readonly EventRow[]
  readonly pictures: EventPictures
}

function EventsByYear({ site, events, pictures }: EventsByYearProps) {
  const years = [...new Set(events.map(toYear))]
  return (
    <div class="years">
      {years.map((year) => (
        <section key={year}>
          <h2 class={years.length === 1 ? 'hidden-text' : undefined}>{toYearText(year)}</h2>
          <EventGrid site={site} events={events.filter((event) => toYear(event) === year)} pictures={pictures} />
        </section>
      ))}
    </div>
  )
}

interface YearStepsProps {
  readonly site: Site
  readonly years: readonly YearCount[]
  readonly year: string
}

/** The years before and after this one. */
function YearSteps({ site: { urls }, years, year }: YearStepsProps) {
  const index = years.findIndex((each) => each.year === year)
  const [later, earlier] = [years[index - 1]?.year, years[index + 1]?.year]
  return (
    <nav class="pager" aria-label="Other years">
      {later === undefined ? (
        <span />
      ) : (
        <a class="step" href={withParameters(urls.categories, { year: later })}>{`← ${toYearText(later)}`}</a>
      )}
      <a href={urls.categories}>All events</a>
      {earlier === undefined ? (
        <span />
      ) : (
        <a class="step end" href={withParameters(urls.categories, { year: earlier })}>{`${toYearText(earlier)} →`}</a>
      )}
    </nav>
  )
}
