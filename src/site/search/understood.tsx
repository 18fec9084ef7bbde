import { requireRead } from '../../http/problem.ts'
import type { Filters } from '../../record/query/query.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toTokenText } from '../../record/text/search-text.ts'
import { guessSeries } from '../../record/text/series.ts'
import { createEditCount, toMaxEdits } from '../../record/text/spelling.ts'
import type { FacetValue, ListPage } from '../../store/list-reads.ts'
import type { EventRow } from '../../store/site-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { toEventYear } from '../part/event-cards.tsx'
import { type Chip, Chips } from '../part/layout.tsx'
import type { Site } from '../site.ts'
import {
  isPlain,
  type SearchQuery,
  toCaseOf,
  toPageQuery,
  toSearchParameters,
  toTypedParts,
  toYearFilter,
  yearPattern,
} from './search-query.ts'
import { findSeriesCorrection, listEditions } from './series.tsx'

/** A search with misspelled words replaced by words of the archive. */
interface Correction {
  /** The search with the replacements. */
  readonly corrected: string
  /** The search as typed, with the replaced words in quotes. */
  readonly strict: string
}

/** Null if nothing was corrected. */
export function toCorrection(q: string, words: CorrectedWords = {}): Correction | null {
  const replaced = Object.entries(words).flatMap(([typed, [first]]) => (first === undefined ? [] : [{ typed, first }]))
  if (replaced.length === 0) return null
  const chunks = q.split(/\s+/)
  const strict = chunks.map((chunk) => (replaced.some(({ typed }) => isIn(chunk, typed)) ? `"${chunk}"` : chunk))
  const corrected = chunks.map((chunk) => {
    const found = replaced.find(({ typed }) => isIn(chunk, typed))
    return found === undefined ? chunk : chunk.replace(found.typed, () => found.first)
  })
  return { corrected: corrected.join(' '), strict: strict.join(' ') }
}

/** Words in quotes are never corrected. */
const isIn = (chunk: string, typed: string) => chunk.includes(typed) && !chunk.includes('"')

type CorrectedWords = NonNullable<ListPage['corrected']>
type Found = Pick<ListPage, 'hits' | 'matchIs'>

/** Words that are a name written in another way, each with the right ones; null if there are none. */
export async function findCorrection(store: ReadStore, q: string, page: Found): Promise<CorrectedWords | null> {
  return (await findSeriesCorrection(store, q)) ?? (await findNameCorrection(store, q, page))
}

/**
 * The words of a misspelled name of a speaker, each with the right one; null if it is none. A talk has a word that is
 * not corrected: `Hettingr` may be another form of `Hettinger`.
 */
async function findNameCorrection(
  store: ReadStore,
  q: string,
  { hits, matchIs }: Found,
): Promise<CorrectedWords | null> {
  const typed = q.split(/\s+/)
  const words = typed.map(toTokenText)
  if (words.length < 2 || words.length > maxNameWords || !typed.every(isPlain)) return null
  const isTyped = words.every((word) => hits?.words.has(word) === true)
  if (isTyped && matchIs === undefined) return null
  const { results } = requireRead(await store.suggest({ text: q, visibility: 'live' }))
  for (const { kind, text } of results) {
    const name = text.split(/\s+/)
    if (kind !== 'speaker' || name.length !== words.length) continue
    const wrong = words.flatMap((word, i) => (toTokenText(name[i] ?? '') === word ? [] : [i]))
    const isNear = wrong.every((i) => isSpellingOf(words[i] ?? '', toTokenText(name[i] ?? '')))
    if (wrong.length === 0 || !isNear) continue
    return Object.fromEntries(wrong.map((i) => [typed[i] ?? '', [toCaseOf(typed[i] ?? '', name[i] ?? '')]]))
  }
  return null
}

const maxNameWords = 4

function isSpellingOf(word: string, other: string): boolean {
  const max = toMaxEdits(word)
  return createEditCount(word)(other, max) <= max
}

interface UnderstoodProps {
  readonly site: Site
  readonly query: SearchQuery
  readonly page: ListPage
  /** Of the results on this page. */
  readonly records: readonly FoundRecord[]
  readonly missing: MissingEdition | null
  /** Whether all words are the name of a series. */
  readonly isSeries: boolean
}

/** What the search was taken for, where that is not what was typed: corrections, years, events, missing words. */
export function Understood({ site, query, page, records, missing, isSeries }: UnderstoodProps) {
  const toHref = (q: string) => site.urls.search(toSearchParameters({ ...query, q, page: 1 }))
  return (
    <>
      <Corrected query={query} page={page} toHref={toHref} />
      {missing === null && <Widened query={query} page={page} />}
      {missing === null && !isSeries && (
        <Named
          query={{ ...query, q: toCorrection(query.q, page.corrected)?.corrected ?? query.q }}
          {...{ page, records, toHref }}
        />
      )}
    </>
  )
}

/** An edition of a series of events that the archive does not have. */
export interface MissingEdition {
  readonly name: string
  /** The edition before it, and the one after. */
  readonly nearest: readonly EventRow[]
}

/** A year that the words of a search name, and the series beside it. */
interface NamedYear {
  readonly year: string
  /** All editions of the series, the oldest first; none if the words beside the year are no series. */
  readonly editions: readonly EventRow[]
}

/** Null if there are no words beside a year. */
export async function findNamedYear(store: ReadStore, q: string): Promise<NamedYear | null> {
  const chunks = toTypedParts(q)
  const index = chunks.findIndex((chunk) => yearPattern.test(chunk))
  const year = chunks[index]
  if (year === undefined || chunks.length === 1) return null
  const events = requireRead(await store.listEvents({ visibility: 'live' }))
  for (let words = Math.min(maxEventWords, chunks.length - 1); words > 0; words--) {
    for (const some of [chunks.slice(Math.max(0, index - words), index), chunks.slice(index + 1, index + 1 + words)]) {
      const editions = some.length < words ? [] : listEditions(events, toTokenText(some.join(' ')))
      if (editions.length > 0) return { year, editions }
    }
  }
  return { year, editions: [] }
}

/** Null unless the words name a year of a series without an event of that year: `pycon us 2018`. */
export const findMissingEdition = async (store: ReadStore, q: string) => toMissingEdition(await findNamedYear(store, q))

export function toMissingEdition(named: NamedYear | null): MissingEdition | null {
  const { editions, year } = named ?? { editions: [], year: '' }
  const isOf = (test: (own: string) => boolean) => (event: EventRow) => test(toEventYear(event) ?? '')
  if (editions.some(isOf((own) => own === year))) return null
  const [before, after] = [editions.findLast(isOf((own) => own < year)), editions.find(isOf((own) => own > year))]
  const nearest = [before, after].filter((event) => event !== undefined)
  if (nearest.length === 0) return null
  return { name: `${guessSeries(nearest[0]?.title ?? '') ?? nearest[0]?.series ?? ''} ${year}`, nearest }
}

/** Says that there is no such edition, with links to those before and after it. */
export function NoEdition({ site: { urls }, missing }: Pick<UnderstoodProps, 'site' | 'missing'>) {
  if (missing === null) return null
  return (
    <p class="widened">
      This archive has no talks from <b dir="auto">{missing.name}</b>. Nearest:{' '}
      {missing.nearest.map(({ slug, title }, i) => (
        <span key={slug}>
          {i > 0 && ' · '}
          <a href={urls.category(slug)} dir="auto">
            {title}
          </a>
        </span>
      ))}
    </p>
  )
}

/** A speaker whom a search names beside an event or a year that has no talk of theirs. */
export interface AbsentSpeaker {
  readonly name: string
  readonly href: string
  /** Of all their talks. */
  readonly count: number
  /** `at PyCon US 2019`, or `from 2019`. */
  readonly where: string
}

/** Null if there is a talk of theirs, of the edition or, where the words name none, of the year. */
export async function findAbsentSpeaker(
  { store, site }: { readonly store: ReadStore; readonly site: Site },
  { editions, year }: NamedYear,
  { id, slug, text: name }: { readonly id: number; readonly slug: string; readonly text: string },
): Promise<AbsentSpeaker | null> {
  const count = async (filters: Partial<Filters>) =>
    requireRead(await store.list(toPageQuery({ filters: { ...filters, speakerIds: [id] }, pageSize: 1 }))).count
  const event = editions.find((each) => toEventYear(each) === year)
  const own = event === undefined ? toYearFilter(year) : { category: event.slug }
  if ((await count(own)) > 0) return null
  const where = event === undefined ? `from ${year}` : `at ${event.title}`
  return { name, href: site.urls.speaker({ id, slug }), count: await count({}), where }
}

/** Says that the archive has talks of the speaker, but not there. */
export function NoTalkThere({ absent }: { readonly absent: AbsentSpeaker | null }) {
  if (absent === null) return null
  return (
    <p class="widened">
      <a href={absent.href} dir="auto">
        {absent.name}
      </a>
      {` has ${toCounted(absent.count, 'talk')} in this archive, none `}
      <bdi>{absent.where}</bdi>.
    </p>
  )
}

interface LineProps extends Pick<UnderstoodProps, 'query' | 'page'> {
  /** The same search for other words. */
  toHref(q: string): string
}

/** The corrected search, with a link to the search as typed. */
function Corrected({ query, page, toHref }: LineProps) {
  const correction = toCorrection(query.q, page.corrected)
  if (correction === null) return null
  return (
    <p class="corrected">
      Showing results for{' '}
      <a href={toHref(correction.corrected)}>
        <b dir="auto">{correction.corrected}</b>
      </a>
      <span aria-hidden="true"> · </span>
      Search instead for{' '}
      <a href={toHref(correction.strict)} rel="nofollow">
        <bdi>{query.q}</bdi>
      </a>
    </p>
  )
}

/** Says that few or no talks have all words. */
function Widened({ query, page }: Pick<LineProps, 'query' | 'page'>) {
  const { matchIs, completeCount = 0, unknown = [] } = page
  if (matchIs === undefined) return null
  if (unknown.length === 0) return <p class="widened">{toWidened(toTypedParts(query.q).length, completeCount)}</p>
  return (
    <p class="widened">
      No talk contains {unknown.length === 1 ? 'the word' : 'the words'}{' '}
      {unknown.map((word, i) => (
        <span key={word}>
          {i > 0 && ', '}“<bdi>{word}</bdi>”
        </span>
      ))}
      . Showing results for the other words.
    </p>
  )
}

function toWidened(words: number, complete: number): string {
  if (words === 1) return 'No talk contains this word. Showing similar words.'
  if (complete === 0) return 'No talk matches all of these words. Showing partial matches.'
  const few = complete === 1 ? 'Only one talk matches' : `Only ${complete} talks match`
  return `${few} all of these words. Partial matches are shown, too.`
}

/** Years and events among the words, each with a link to the search without it. */
function Named({ query, page, records, toHref }: LineProps & Pick<UnderstoodProps, 'records'>) {
  const { named, others } = findNamedChunks(query, page, records)
  if (named.length === 0) return null
  const chips = named.map(({ text, without }): Chip => ({ text, href: toHref(without) }))
  return (
    <div class="understood">
      <p>
        {others.length > 0 ? 'Searching for ' : 'Searching'}
        {others.length > 0 && <b dir="auto">{others.join(' ')}</b>}
        {' in'}
      </p>
      <Chips chips={chips} />
    </div>
  )
}

/** A year or an event that a search names. */
interface NamedChunk {
  readonly text: string
  /** The other words of the search. */
  readonly without: string
}

/** Names of events have no more words. */
const maxEventWords = 5
/** A year or event is meant if so many of the results are of it. */
const minShare = 0.5

type FoundRecord = Pick<VideoRecord, 'category' | 'recorded'>

/**
 * Words are taken for a year or an event if most results are of it, and come before all others. None if they are all
 * that was typed.
 */
function findNamedChunks(
  { q }: Pick<SearchQuery, 'q'>,
  { count, facets, matchIs }: Pick<ListPage, 'count' | 'facets' | 'matchIs'>,
  records: readonly FoundRecord[],
): { readonly named: readonly NamedChunk[]; readonly others: readonly string[] } {
  const chunks = toTypedParts(q)
  const named: NamedChunk[] = []
  const others: string[] = []
  const isMeant = (values: readonly FacetValue[], isOf: (record: FoundRecord) => boolean) =>
    toTotal(values) >= Math.max(1, minShare * count) && areFirst(records, isOf)
  for (let from = 0; from < chunks.length; ) {
    const found = matchIs === 'some' ? null : findAt(chunks, from, facets ?? {}, isMeant)
    if (found === null || found.words === chunks.length) others.push(chunks[from] ?? '')
    else named.push({ text: found.text, without: chunks.toSpliced(from, found.words).join(' ') })
    from += found?.words ?? 1
  }
  return { named, others }
}

function areFirst(records: readonly FoundRecord[], isOf: (record: FoundRecord) => boolean): boolean {
  const firstOther = records.findIndex((record) => !isOf(record))
  return firstOther < 0 || !records.slice(firstOther).some(isOf)
}

interface FoundChunk {
  readonly text: string
  /** The number of chunks. */
  readonly words: number
}

function findAt(
  chunks: readonly string[],
  from: number,
  { year = [], category = [] }: NonNullable<ListPage['facets']>,
  isMeant: (values: readonly FacetValue[], isOf: (record: FoundRecord) => boolean) => boolean,
): FoundChunk | null {
  const [first = ''] = chunks.slice(from)
  if (yearPattern.test(first)) {
    const isOf = ({ recorded }: FoundRecord) => recorded?.startsWith(first) === true
    return isMeant(
      year.filter(({ value }) => value === first),
      isOf,
    )
      ? { text: first, words: 1 }
      : null
  }
  for (let words = Math.min(maxEventWords, chunks.length - from); words > 0; words--) {
    const some = chunks.slice(from, from + words)
    if (!some.every((chunk) => isPlain(chunk) && !yearPattern.test(chunk))) continue
    const typed = toTokenText(some.join(' '))
    const isEvent = (title: string) => typed !== '' && beginsWith(toTokenText(title), typed)
    const events = category.filter(({ value }) => isEvent(value))
    if (isMeant(events, ({ category: title }) => isEvent(title)))
      return { text: takeWords(events[0]?.value ?? '', typed), words }
  }
  return null
}

const beginsWith = (text: string, words: string) => text === words || text.startsWith(`${words} `)

/** The beginning of a title that has these words: `EuroPython` of `EuroPython 2017`. */
function takeWords(title: string, words: string): string {
  const parts = title.split(' ')
  const end = parts.findIndex((_, i) => toTokenText(parts.slice(0, i + 1).join(' ')) === words)
  return end < 0 ? title : parts.slice(0, end + 1).join(' ')
}

const toTotal = (values: readonly FacetValue[]) => values.reduce((sum, { count }) => sum + count, 0)
