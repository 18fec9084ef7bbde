import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Statistics, Summary, YearStatistics } from '../../store/site-reads.ts'
import { type Bar, ColumnChart, RowChart } from '../part/chart.tsx'
import { LeftOutLengths } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { toLanguageBars } from './language.tsx'

const languageRows = 8
/** As many as the table of years beside them has, within bounds. */
const [fewEvents, manyEvents] = [8, 20]

/** `/stats`: charts of the archive, drawn as SVG on the server. */
export async function showStats(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const statistics = requireRead(await deps.store.readStatistics({ visibility: 'live' }))
  const summary = requireRead(await deps.store.summarise({ visibility: 'live' }))
  const head = { title: 'Statistics', canonical: site.urls.stats, section: 'stats' } as const
  const body = <Stats site={site} statistics={statistics} summary={summary} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

interface StatsProps {
  readonly site: Site
  readonly statistics: Statistics
  readonly summary: Summary
}

function Stats({ site, statistics, summary }: StatsProps) {
  const [talks, hours, speakers] = [summary.talks, Math.round(summary.seconds / 3600), summary.speakers].map(toNumber)
  return (
    <>
      <header class="page-head">
        <h1>Statistics</h1>
        <p class="muted">{`${talks} talks, ${hours} hours, ${speakers} speakers.`}</p>
        <LeftOutLengths count={summary.oddLengths} />
      </header>
      <div class="figures">
        <ColumnChart
          title="Talks per year"
          by="Year"
          unit="talks"
          bars={toYears(site, statistics, ({ talks }) => talks)}
        />
        <ColumnChart
          title="Hours per year"
          by="Year"
          unit="hours"
          bars={toYears(site, statistics, ({ seconds }) => Math.round(seconds / 3600))}
        />
        <ColumnChart title="Length of talks, in minutes" by="Minutes" unit="talks" bars={toLengths(site, statistics)} />
        <RowChart
          title="Languages"
          by="Language"
          unit="talks"
          bars={toLanguageBars(site, statistics.languages.slice(0, languageRows))}
        >
          <a href={site.urls.languages}>All languages</a>
        </RowChart>
        <RowChart title="Largest events" by="Event" unit="talks" bars={toEvents(site, statistics)} />
        <Completeness site={site} years={statistics.years} />
      </div>
    </>
  )
}

/** Every year from the first to the last: a year without talks is a gap, not a missing column. */
function toYears({ urls }: Site, { years }: Statistics, toValue: (year: YearStatistics) => number): Bar[] {
  const toBar = (year: number, value: number): Bar =>
    value === 0 ? { label: String(year), value } : { label: String(year), value, href: urls.search({ year }) }
  const known = new Map(years.flatMap((each) => (each.year === null ? [] : [[each.year, toValue(each)] as const])))
  const [first, last] = [Math.min(...known.keys()), Math.max(...known.keys())]
  if (known.size === 0 || last - first > 200) return [...known].map(([year, value]) => toBar(year, value))
  return Array.from({ length: last - first + 1 }, (_, i) => toBar(first + i, known.get(first + i) ?? 0))
}

/** The bounds of lengths that count, in minutes (`isOddDuration`). */
const [shortest, longest] = [1, 480]

function toLengths({ urls }: Site, { lengths }: Statistics): Bar[] {
  return lengths.map(({ fromSeconds, toSeconds, count }) => {
    const [from, to] = [fromSeconds / 60, toSeconds === null ? null : toSeconds / 60]
    const length = `${Math.max(shortest, from)}-${to ?? longest}`
    const label = to === null ? `${from}+` : `${from}–${to}`
    return { label, value: count, ...(count === 0 ? {} : { href: urls.search({ length }) }) }
  })
}

function toEvents({ urls }: Site, { largestEvents, years }: Statistics): Bar[] {
  const rows = Math.min(manyEvents, Math.max(fewEvents, years.length))
  return largestEvents
    .slice(0, rows)
    .map(({ title, slug, count }) => ({ label: title, value: count, href: urls.category(slug) }))
}

const columns = [
  ['withLanguage', 'Language'],
  ['withDuration', 'Length'],
  ['withSpeakers', 'Speakers'],
  ['withTags', 'Tags'],
  ['withThumbnail', 'Picture'],
  ['withMedia', 'Can be watched'],
] as const satisfies readonly (readonly [keyof YearStatistics, string])[]

/** The completeness of the records by year: the more records have a value, the darker the cell. */
function Completeness({ site: { urls }, years }: Pick<StatsProps, 'site'> & Pick<Statistics, 'years'>) {
  return (
    <figure class="figure">
      <figcaption>Completeness of the records, in %</figcaption>
      <section class="scrolled" tabindex="0" aria-label="Completeness of the records">
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">Year</th>
              {columns.map(([name, title]) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.toReversed().map((year) => (
              <tr key={year.year ?? 'unknown'}>
                <th scope="row">
                  {year.year === null ? 'Unknown' : <a href={urls.search({ year: year.year })}>{year.year}</a>}
                </th>
                {columns.map(([name]) => {
                  const share = year[name] / Math.max(1, year.talks)
                  return (
                    <td key={name} class={`share-${Math.floor(share * 10)}`}>
                      {toPercent(share)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </figure>
  )
}

/** 99.9 % is not 100 %. */
function toPercent(share: number): string {
  const percent = Math.round(share * 100)
  return String(percent === 100 && share < 1 ? 99 : percent)
}
