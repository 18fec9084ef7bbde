import { requireRead } from '../../http/problem.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toTokenText } from '../../record/text/search-text.ts'
import { guessSeries, toSeriesKey } from '../../record/text/series.ts'
import type { ListPage } from '../../store/list-reads.ts'
import type { EventRow } from '../../store/site-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { Sign } from '../part/cards.tsx'
import { CountedLinks } from '../part/counts.tsx'
import { toEventYear } from '../part/event-cards.tsx'
import type { Site } from '../site.ts'
import { withParameters } from '../urls.ts'
import { isPlain, type SearchQuery, toCaseOf, toTypedParts, yearPattern } from './search-query.ts'

/** A series of events that is all that a search names: `europython`. */
export interface NamedSeries {
  readonly name: string
  /** The latest first. */
  readonly editions: readonly EventRow[]
}

/** Null if the words are not the name of a series of several events, or the search is within one. */
export async function findSeries(
  store: ReadStore,
  { chosen, page }: Pick<SearchQuery, 'chosen' | 'page'>,
  text: string,
): Promise<NamedSeries | null> {
  const typed = toTypedParts(text).every(isPlain) ? toTokenText(text) : ''
  if (typed === '' || page > 1 || chosen.category.length > 0) return null
  const events = requireRead(await store.listEvents({ visibility: 'live' }))
  const editions = listEditions(events, typed).toReversed()
  const [latest] = editions
  return latest === undefined || editions.length === 1 ? null : { name: toSeriesName(latest), editions }
}

/** The events of the series with these words, the oldest first. */
export const listEditions = (events: readonly EventRow[], typed: string) =>
  events
    .filter((event) => toEventYear(event) !== null && toTokenText(toSeriesKey(event) ?? '') === typed)
    .toSorted((a, b) => Number(toEventYear(a)) - Number(toEventYear(b)))

const toSeriesName = ({ title, series }: EventRow) => guessSeries(title) ?? series

const toJoined = (text: string) => toTokenText(text).replaceAll(' ', '')

/** Whether an entry has the name of the series: its events are what is meant. */
export const isNamedLike = ({ name }: NamedSeries, text: string) => toJoined(name) === toJoined(text)

/** Links to further editions are left out; that of the card leads to all. */
const maxEditions = 12

/** A card with the editions, for the cards above the results. */
export function SeriesCard({ site: { urls }, series }: { readonly site: Site; readonly series: NamedSeries }) {
  const { name, editions } = series
  const years = editions.map((event) => toEventYear(event) ?? '')
  const isUnique = new Set(years).size === years.length
  const [last = '', first = last] = [years[0], years.at(-1)]
  const links = editions.slice(0, maxEditions).map(({ title, slug, count }, i) => ({
    ...{ text: isUnique ? (years[i] ?? '') : title, count },
    href: urls.category(slug),
  }))
  return (
    <li class="named-card">
      <Sign kind="category" text={name} />
      <div class="about">
        <p class="kicker">Events</p>
        <h2 dir="auto">
          <a href={withParameters(urls.categories, { q: name })}>{name}</a>
        </h2>
        <p class="facts">{`${toCounted(editions.length, 'event')} · ${first === last ? first : `${first}–${last}`}`}</p>
        <CountedLinks links={links} />
      </div>
    </li>
  )
}

const minSeriesLength = 4

/**
 * A word that is the name of a series written as one, with that name: `pyconus`. Null if there is none. Without a year,
 * no speaker, tag or event may have that word as its name.
 */
export async function findSeriesCorrection(
  store: ReadStore,
  q: string,
): Promise<NonNullable<ListPage['corrected']> | null> {
  const chunks = toTypedParts(q)
  const typed = chunks.filter((chunk) => isPlain(chunk) && chunk.length >= minSeriesLength)
  if (typed.length === 0) return null
  const events = requireRead(await store.listEvents({ visibility: 'live' }))
  const names = new Map<string, string>()
  for (const event of events) {
    const name = toSeriesName(event)
    if (toTokenText(name).includes(' ')) names.set(toJoined(name), name)
  }
  const hasYear = chunks.some((chunk) => yearPattern.test(chunk))
  const isWord = (word: string) => events.some(({ title }) => toTokenText(title).split(' ').includes(word))
  for (const chunk of typed) {
    const word = toTokenText(chunk)
    const name = names.get(word)
    if (name === undefined || isWord(word) || (!hasYear && (await isName(store, chunk)))) continue
    return { [chunk]: [toCaseOf(chunk, name)] }
  }
  return null
}

async function isName(store: ReadStore, text: string): Promise<boolean> {
  const { results } = requireRead(await store.findNamed({ text, visibility: 'live' }))
  return results.length > 0
}
