import { requireRead } from '../../http/problem.ts'
import { toClock } from '../../record/text/clock.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { Search } from '../../record/text/search-text.ts'
import type { MomentPage, MomentResult } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { TalkCard } from '../part/cards.tsx'
import type { Site } from '../site.ts'
import { findLiveRecord, linkTalks, type Talk } from '../talk/talk.ts'
import { type UrlParameters, withParameters } from '../urls.ts'
import { MarkedText } from './results.tsx'
import { type SearchQuery, toListQuery, toSearchParameters } from './search-query.ts'

/** Talks below the results of a search. */
const maxBelow = 3
const momentsPerTalk = 3

/** Moments with the talks they are from. */
export interface SaidPage extends Pick<MomentPage, 'count' | 'countIs'> {
  readonly results: readonly SaidTalk[]
}

interface SaidTalk {
  readonly talk: Talk
  readonly said: MomentResult
}

/** The matches below the results; null without matches, and if the search takes too long. */
export async function findMomentsBelow(store: ReadStore, query: SearchQuery, search: Search): Promise<SaidPage | null> {
  if (query.page > 1 || search.all.length === 0) return null
  const found = await store.listMoments(toMomentQuery({ ...query, page: 1 }, search, maxBelow))
  if (typeof found === 'string') return null
  const said = await toSaidPage(store, found)
  return said.results.length === 0 ? null : said
}

/** A page of talks in which the words are said. */
export async function findMoments(store: ReadStore, query: SearchQuery, search: Search, pageSize: number) {
  return toSaidPage(store, requireRead(await store.listMoments(toMomentQuery(query, search, pageSize))))
}

/** Leaves out a talk that was withdrawn a moment ago. */
async function toSaidPage(store: ReadStore, { count, countIs, results }: MomentPage): Promise<SaidPage> {
  const records = await Promise.all(results.map(({ id }) => findLiveRecord(store, id)))
  const talks = await linkTalks(
    store,
    records.filter((record) => record !== null),
  )
  const byId = new Map(talks.map((talk) => [talk.record.id, talk]))
  const found = results.flatMap((said) => {
    const talk = byId.get(said.id)
    return talk === undefined ? [] : { talk, said }
  })
  return { count, ...(countIs === undefined ? {} : { countIs }), results: found }
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
  readonly said: SaidPage | null
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
  readonly results: readonly SaidTalk[]
  readonly level: 2 | 3
  readonly start?: number
}

/** Talks with the lines in which the words are said. */
export function MomentList({ site, results, level, start = 1 }: MomentListProps) {
  return (
    <ol class="results said" start={start}>
      {results.map(({ talk, said }) => (
        <li key={said.id}>
          <TalkCard site={site} talk={talk} level={level}>
            <HitBar said={said} duration={talk.record.duration} />
            <MomentLines page={site.urls.video(talk.record)} said={said} />
          </TalkCard>
        </li>
      ))}
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
