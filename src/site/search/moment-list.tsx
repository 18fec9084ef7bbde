import { requireRead } from '../../http/problem.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import { toClock } from '../../record/text/clock.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { Search } from '../../record/text/search-text.ts'
import type { MomentPage, MomentResult } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import type { Site } from '../site.ts'
import { type UrlParameters, withParameters } from '../urls.ts'
import { MarkedText } from './results.tsx'
import { type SearchQuery, toListQuery, toSearchParameters } from './search-query.ts'

/** Talks below the results of a search. */
const maxBelow = 3
const momentsPerTalk = 3

/** The matches below the results; null without matches, and if the search takes too long. */
export async function findMomentsBelow(
  store: ReadStore,
  query: SearchQuery,
  search: Search,
): Promise<MomentPage | null> {
  if (query.page > 1 || search.all.length === 0) return null
  const found = await store.listMoments(toMomentQuery({ ...query, page: 1 }, search, maxBelow))
  return typeof found === 'string' || found.count === 0 ? null : found
}

/** A page of talks in which the words are said. */
export async function findMoments(store: ReadStore, query: SearchQuery, search: Search, pageSize: number) {
  return requireRead(await store.listMoments(toMomentQuery(query, search, pageSize)))
}

function toMomentQuery(query: SearchQuery, search: Search, pageSize: number) {
  const { filters, page } = toListQuery(query, search)
  return { filters, page, pageSize, moments: momentsPerTalk }
}

/** The parameters of the page with all matches. The best are always first. */
export const toMomentParameters = ({ sort: _, ...query }: SearchQuery) =>
  toSearchParameters({ ...query, sort: query.q === '' ? 'newest' : 'best' })

interface MomentsBelowProps {
  readonly site: Site
  readonly query: SearchQuery
  readonly said: MomentPage | null
}

/** The group below the results with all words, or above those with only some of them. */
export function MomentsBelow({ site, query, said }: MomentsBelowProps) {
  if (said === null) return null
  const { count, results } = said
  return (
    <section class="said-group">
      <h2>In what was said</h2>
      <MomentList site={site} results={results} level={3} />
      {count > results.length && (
        <p>
          <a href={site.urls.moments(toMomentParameters({ ...query, page: 1 }))} rel="nofollow">
            {`All ${toNumber(count)} talks in which this is said`}
          </a>
        </p>
      )}
    </section>
  )
}

interface MomentListProps {
  readonly site: Site
  readonly results: readonly MomentResult[]
  readonly level: 2 | 3
  readonly start?: number
}

/** Talks with the lines in which the words are said. */
export function MomentList({ site, results, level, start = 1 }: MomentListProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ol class="said" start={start}>
      {results.map((result) => {
        const record = fromBodyText(result.record)
        const page = site.urls.video(record)
        return (
          <li key={record.id}>
            <Heading dir="auto">
              <a href={page}>{record.title}</a>
            </Heading>
            <p class="facts" dir="auto">
              {toFacts(record)}
            </p>
            <HitBar said={result} duration={record.duration} />
            <MomentLines page={page} said={result} />
          </li>
        )
      })}
    </ol>
  )
}

interface MomentLinesProps {
  /** Of the talk; `""` if it is the page that shows them. */
  readonly page: string
  readonly said: MomentResult
}

/** Lines in which the words are said, each linked to its second. */
export function MomentLines({ page, said: { language, isOnly, moments } }: MomentLinesProps) {
  const chosen: UrlParameters = isOnly ? {} : { transcript: language }
  return (
    <ul class="lines">
      {moments.map(({ start, text, marks }) => (
        <li key={start}>
          <a href={withParameters(page, { t: Math.floor(start), ...chosen })} data-start={start}>
            <span class="time">{toClock(Math.floor(start))}</span>
            <q lang={language} dir="auto">
              <MarkedText text={text} marks={marks} />
            </q>
          </a>
        </li>
      ))}
    </ul>
  )
}

function toFacts({ speakers, category, recorded }: Pick<VideoRecord, 'speakers' | 'category' | 'recorded'>): string {
  const year = recorded === null || category.includes(recorded.slice(0, 4)) ? [] : [recorded.slice(0, 4)]
  return [...(speakers.length === 0 ? [] : [speakers.join(', ')]), category, ...year].join(' · ')
}

interface HitBarProps {
  readonly said: MomentResult
  readonly duration: number | null
}

/** Where in the talk the hits are. */
function HitBar({ said: { at, hits, moments }, duration }: HitBarProps) {
  const last = at.at(-1) ?? 0
  // Some records have a shorter duration than their transcript.
  const length = Math.max(duration ?? 0, last + sliceSeconds)
  if (duration === null || at.length === 0) return null
  /** The line that is shown of a slice of time, which could be half of a short talk; else its middle. */
  const toTick = (slice: number) =>
    moments.find(({ start }) => start >= slice && start < slice + sliceSeconds)?.start ?? slice + sliceSeconds / 2
  const ticks = at.map((slice) => `M${Math.round((toTick(slice) / length) * 1000) / 10} 0v4`).join('')
  return (
    <p class="hit-bar">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <path d={ticks} />
      </svg>
      <span>{`${toCounted(hits, 'time')} in ${toClock(duration)}`}</span>
    </p>
  )
}

const sliceSeconds = 15
