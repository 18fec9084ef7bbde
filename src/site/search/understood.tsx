import { toTokenText } from '../../record/text/tokens.ts'
import type { FacetValue, ListPage } from '../../store/store.ts'
import { type Chip, Chips } from '../part/layout.tsx'
import type { Site } from '../site.ts'
import { type SearchQuery, toSearchParameters } from './search-query.ts'

/** A search with misspelled words replaced by words of the archive. */
interface Correction {
  /** The search with the replacements. */
  readonly corrected: string
  /** The search as typed, with the replaced words in quotes. */
  readonly strict: string
}

/** Null if nothing was corrected. */
export function toCorrection(
  q: string,
  words: { readonly [typed: string]: readonly string[] } = {},
): Correction | null {
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

interface UnderstoodProps {
  readonly site: Site
  readonly query: SearchQuery
  readonly page: ListPage
}

/** What the search was taken for, where that is not what was typed: corrections, years, events, missing words. */
export function Understood({ site, query, page }: UnderstoodProps) {
  const toHref = (q: string) => site.urls.search(toSearchParameters({ ...query, q, page: 1 }))
  return (
    <>
      <Corrected query={query} page={page} toHref={toHref} />
      <Widened query={query} page={page} />
      <Named query={query} page={page} toHref={toHref} />
    </>
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
  if (unknown.length === 0) return <p class="widened">{toWidened(toChunks(query.q).length, completeCount)}</p>
  return (
    <p class="widened">
      No talk has {unknown.length === 1 ? 'the word' : 'the words'}{' '}
      {unknown.map((word, i) => (
        <span key={word}>
          {i > 0 && ', '}“<bdi>{word}</bdi>”
        </span>
      ))}
      . Showing talks with the other words.
    </p>
  )
}

function toWidened(words: number, complete: number): string {
  if (words === 1) return 'No talk has this word. Showing talks with similar words.'
  if (complete === 0) return 'No talk has all of these words. Showing talks with some of them.'
  const few = complete === 1 ? 'Only one talk has' : `Only ${complete} talks have`
  return `${few} all of these words. Talks without one of them are shown, too.`
}

/** Years and events among the words, each with a link to the search without it. */
function Named({ query, page, toHref }: LineProps) {
  const { named, others } = findNamedChunks(query, page)
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

/** Words are taken for a year or an event if most results are of it. None if they are all that was typed. */
export function findNamedChunks(
  { q }: Pick<SearchQuery, 'q'>,
  { count, facets, matchIs }: Pick<ListPage, 'count' | 'facets' | 'matchIs'>,
): { readonly named: readonly NamedChunk[]; readonly others: readonly string[] } {
  const chunks = toChunks(q)
  const named: NamedChunk[] = []
  const others: string[] = []
  const isMeant = (values: readonly FacetValue[]) => toTotal(values) >= Math.max(1, minShare * count)
  for (let from = 0; from < chunks.length; ) {
    const found = matchIs === 'some' ? null : findAt(chunks, from, facets ?? {}, isMeant)
    if (found === null || found.words === chunks.length) others.push(chunks[from] ?? '')
    else named.push({ text: found.text, without: chunks.toSpliced(from, found.words).join(' ') })
    from += found?.words ?? 1
  }
  return { named, others }
}

interface FoundChunk {
  readonly text: string
  /** The number of chunks. */
  readonly words: number
}

const yearPattern = /^(?:19|20)\d\d$/

function findAt(
  chunks: readonly string[],
  from: number,
  { year = [], category = [] }: NonNullable<ListPage['facets']>,
  isMeant: (values: readonly FacetValue[]) => boolean,
): FoundChunk | null {
  const [first = ''] = chunks.slice(from)
  if (yearPattern.test(first)) {
    return isMeant(year.filter(({ value }) => value === first)) ? { text: first, words: 1 } : null
  }
  for (let words = Math.min(maxEventWords, chunks.length - from); words > 0; words--) {
    const some = chunks.slice(from, from + words)
    if (some.some((chunk) => /^-|"/.test(chunk) || yearPattern.test(chunk))) continue
    const typed = toTokenText(some.join(' '))
    const events = category.filter(({ value }) => typed !== '' && beginsWith(toTokenText(value), typed))
    if (isMeant(events)) return { text: takeWords(events[0]?.value ?? '', typed), words }
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

/** The words and phrases of a search as they were typed, with their signs. */
export const toChunks = (q: string) => q.match(/-?"[^"]*"?|[^\s"]+/g) ?? []
