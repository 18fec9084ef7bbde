import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import type { Completion } from '../../record/query/completion.ts'
import type { Match } from '../../record/query/query.ts'
import { toCounted } from '../../record/text/counted.ts'
import { createHighlighter, type HighlightedRecord, type Hits, type Mark, toHits } from '../../record/text/highlight.ts'
import { parseSearch, type Search, toTokens } from '../../record/text/search-text.ts'
import { toTopics } from '../../record/text/topic.ts'
import { isSameName } from '../../record/text/words.ts'
import type { FacetValue, ListPage } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { Sign, TalkCard } from '../part/cards.tsx'
import { CountedLinks } from '../part/counts.tsx'
import { toEventDays } from '../part/event-cards.tsx'
import type { Site } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { stripMarkup } from '../text/plain-text.ts'
import { hasChosen, isChosen, type SearchQuery, toPageQuery } from './search-query.ts'
import { type NamedSeries, SeriesCard } from './series.tsx'

/** A speaker, event or tag that a search names. */
export interface NamedEntry {
  readonly entry: Entry
  readonly href: string
  /** The number of talks, and when they were recorded. */
  readonly facts: readonly string[]
  /** The most frequent tags of a speaker. */
  readonly topics: readonly FacetValue[]
}

interface NamedEntries {
  readonly entries: readonly NamedEntry[]
  /** Whether more may be found a moment later, without a write. */
  readonly isPartial: boolean
}

/** Finds what the words name, of live talks. `text` has the words after correction. */
export async function findNamedEntries(
  { store, site }: { readonly store: ReadStore; readonly site: Site },
  { query, page, text }: { readonly query: SearchQuery; readonly page: ListPage; readonly text: string },
): Promise<NamedEntries> {
  const words = text
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'))
    .join(' ')
  if (words === '' || query.page > 1) return { entries: [], isPartial: false }
  const { results, isPartial } = requireRead(await store.findNamed({ text: words, visibility: 'live' }))
  const named = results.filter(isEntry).toSorted((a, b) => b.count - a.count)
  const main = named.length > 0 ? named : listMainSpeakers(page, words)
  const isNamed = main.some(({ kind }) => kind === 'speaker')
  const found = isNamed ? main : [...main, ...(await findLastNames(store, words))]
  // The page of a tag leads out of the filters.
  const inScope = hasChosen(query) && page.count > 0 ? found.filter(({ kind }) => kind !== 'tag') : found
  const shown = inScope.filter((entry, i) => !isFilter(query, entry) && inScope.findIndex(isSpellingOf(entry)) === i)
  return { entries: await Promise.all(shown.map((entry) => describe(store, site, entry))), isPartial }
}

interface NamedCardsProps {
  readonly site: Site
  readonly entries: readonly NamedEntry[]
  readonly series: NamedSeries | null
}

/** Cards above the results. */
export function NamedCards({ site, entries, series }: NamedCardsProps) {
  if (entries.length === 0 && series === null) return null
  return (
    <ul class="named">
      {series !== null && <SeriesCard site={site} series={series} />}
      {entries.map(({ entry, href, facts, topics }) => (
        <li key={href} class="named-card">
          <Sign kind={entry.kind} text={entry.text} />
          <div class="about">
            <p class="kicker">{kinds[entry.kind]}</p>
            <h2 dir="auto">
              <a href={href}>{entry.text}</a>
            </h2>
            <p class="facts">{facts.join(' · ')}</p>
            {topics.length > 0 && <CountedLinks links={topics.map((tag) => toTopicLink(site, tag))} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

export interface SearchResult {
  readonly talk: Talk
  /** An excerpt of its text. */
  readonly passage: Child
  /** Marks the words of a search in a title or name. */
  readonly mark?: (text: string) => Child
}

interface ResultListProps {
  readonly site: Site
  readonly results: readonly SearchResult[]
  /** The number of the first result. */
  readonly start?: number
  readonly level?: 2 | 3
  readonly hasEvent?: boolean
}

/** Talks below each other, with a passage of each. */
export function ResultList({ site, results, start = 1, level = 2, hasEvent = true }: ResultListProps) {
  return (
    <ol class="results" start={start}>
      {results.map(({ talk, passage, mark }) => (
        <li key={talk.record.id}>
          <TalkCard site={site} talk={talk} level={level} hasEvent={hasEvent} mark={mark}>
            {passage}
          </TalkCard>
        </li>
      ))}
    </ol>
  )
}

const noHits: Hits = { words: new Set(), prefixes: [], phrases: [] }
const nothing: HighlightedRecord = { title: '', summary: '', description: '', speakers: [], tags: [], category: '' }

/** Talks with a passage of each and, after a search, marks. `hits` are those of `match=best`, if the search had words. */
export function toResults(talks: readonly Talk[], search: Search | null, hits: Hits | undefined): SearchResult[] {
  const [matched, match]: [Hits, Match] =
    hits === undefined ? [search === null ? noHits : toHits(search), 'all'] : [hits, 'best']
  const highlight = createHighlighter(matched, match)
  const mark = (text: string): Child => <MarkedText text={text} marks={highlight({ ...nothing, title: text }).title} />
  return talks.map((talk) => {
    const shown = toShown(talk)
    const { passage } = highlight(shown)
    return {
      talk,
      passage: passage === null ? null : toPassage(talk, shown, passage),
      ...(search === null ? {} : { mark }),
    }
  })
}

/** The fields that a passage can come from. The card marks speakers and event itself. */
function toShown({ record: { summary, description, tags } }: Talk): HighlightedRecord {
  return { ...nothing, summary: stripMarkup(summary), description: stripMarkup(description), tags }
}

/** A hit after so many characters may not be seen in the two lines that a phone shows; then fewer precede it. */
const [maxLead, shortLead] = [44, 28]

/** Without what precedes the first hit by more than a line. */
function toNearHit({ text, marks, ...passage }: Passage): Passage {
  const characters = Array.from(text)
  const [first = 0] = marks[0] ?? []
  if (first <= maxLead) return { text, marks, ...passage }
  const from = first - shortLead
  const space = characters.indexOf(' ', from)
  const start = space >= 0 && space < first ? space + 1 : from
  const moved = marks.map(([begin, end]): Mark => [begin - start, end - start])
  return { ...passage, text: characters.slice(start).join(''), marks: moved }
}

function toPassage({ languageCode }: Talk, shown: HighlightedRecord, found: Passage): Child {
  const { field, text, marks } = toNearHit(found)
  const whole = field === 'tags' ? shown.tags.join(', ') : String(shown[field]).trim()
  return (
    <p class="passage" lang={field === 'tags' ? undefined : languageCode} dir="auto">
      {field === 'tags' && 'Tags: '}
      {!whole.startsWith(text) && '… '}
      <MarkedText text={text} marks={marks} />
      {!whole.endsWith(text) && ' …'}
    </p>
  )
}

type Passage = NonNullable<ReturnType<ReturnType<typeof createHighlighter>>['passage']>

interface MarkedTextProps {
  readonly text: string
  /** In code points, in order. */
  readonly marks: readonly Mark[]
}

/** A text with its hits as `<mark>`. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  if (marks.length === 0) return <>{text}</>
  const characters = Array.from(text)
  const pieces: Child[] = []
  let end = 0
  for (const [from, to] of marks) {
    pieces.push(characters.slice(end, from).join(''))
    pieces.push(<mark key={from}>{characters.slice(from, to).join('')}</mark>)
    end = to
  }
  return (
    <>
      {pieces}
      {characters.slice(end).join('')}
    </>
  )
}

type Entry = Exclude<Completion, { readonly kind: 'video' | 'speaker' | 'tag' }> | NameEntry
interface NameEntry extends Pick<Completion, 'text' | 'count' | 'slug'> {
  readonly kind: 'speaker' | 'tag'
  readonly id: number
}

/** Some of the most frequent tags are no topics. */
const [maxTopics, maxTags] = [5, 20]

/** A completion may also be a talk. */
function isEntry(found: Completion): found is Completion & Entry {
  return found.kind !== 'video'
}

/** Of the spellings of a name, only the most used has a card: `Django` and `django`. */
const isSpellingOf = (entry: Entry) => (other: Entry) => other.kind === entry.kind && isSameName(other.text, entry.text)

const isFilter = (query: SearchQuery, entry: Entry) =>
  isChosen(query, entry.kind, entry.kind === 'category' ? entry.slug : String(entry.id))

/**
 * Speakers whose names have all words of the search, such as a surname, or are written as other words with the same
 * letters (`van der plas`, `Vanderplas`), and who gave a quarter of the results or more, or
 * three times as many as any other speaker.
 */
function listMainSpeakers({ facets, count }: ListPage, text: string): NameEntry[] {
  const words = toTokens(text)
  const speakers = facets?.speaker ?? []
  const least = Math.min(count / 4, 3 * (speakers[1]?.count ?? 0))
  return speakers.flatMap(({ value, id = 0, slug = '', count: own }) => {
    const name = toTokens(value)
    const isNamed = words.every((word) => name.includes(word)) || name.join('') === words.join('')
    const isMain = own >= least && isNamed
    return isMain ? [{ kind: 'speaker', id, slug, text: value, count: own }] : []
  })
}

/** Each is a search of its own. */
const maxLastNames = 5

/** The speaker whose last name is one of several words, and who gave most of the talks that have it: `quist databases`. */
async function findLastNames(store: ReadStore, text: string): Promise<NameEntry[]> {
  const words = toTokens(text)
  if (words.length < 2 || words.length > maxLastNames) return []
  for (const word of words.filter((each) => Number.isNaN(Number(each)))) {
    const isLast = ({ text: name }: Pick<Completion, 'text'>) => toTokens(name).at(-1) === word
    const { results } = requireRead(await store.suggest({ text: word, visibility: 'live' }))
    const parsed = parseSearch(word)
    // Most words are no names, and a search takes longer than a suggestion.
    if (!parsed.ok || !results.some((each) => each.kind === 'speaker' && isLast(each))) continue
    const counted = { facets: ['speaker'], maxFacetNames: 2, pageSize: 1 } as const
    const page = requireRead(await store.list(toPageQuery({ filters: { search: parsed.search }, ...counted })))
    const most = listMainSpeakers(page, word).filter((each) => 2 * each.count > page.count && isLast(each))
    if (most.length > 0) return most
  }
  return []
}

async function describe(store: ReadStore, { urls }: Site, entry: Entry): Promise<NamedEntry> {
  if (entry.kind === 'category') {
    const { own } = requireRead(await store.findEditions(entry.slug))
    const when = own === null ? '' : toEventDays(own)
    return { entry, href: urls.category(entry.slug), facts: toFacts(entry.count, when), topics: [] }
  }
  const isSpeaker = entry.kind === 'speaker'
  const filters = isSpeaker ? { speakerIds: [entry.id] } : { tagIds: [entry.id] }
  const counted = {
    facets: isSpeaker ? (['year', 'tag', 'category'] as const) : (['year'] as const),
    maxFacetNames: maxTags,
  }
  const { count, facets } = requireRead(await store.list(toPageQuery({ filters, pageSize: 1, ...counted })))
  const years = (facets?.year ?? []).map(({ value }) => value).sort()
  return {
    entry,
    href: urls[entry.kind](entry),
    facts: toFacts(count, toYears(years)),
    topics: toTopics(facets?.tag ?? [], facets?.category ?? []).slice(0, maxTopics),
  }
}

const toFacts = (count: number, when: string) => [toCounted(count, 'talk'), ...(when === '' ? [] : [when])]

/** The first and the last year of days or years that are in order. */
function toYears(days: readonly string[]): string {
  const [first = '', last = ''] = [days[0]?.slice(0, 4), days.at(-1)?.slice(0, 4)]
  return first === last ? first : `${first}–${last}`
}

const kinds = { speaker: 'Speaker', category: 'Event', tag: 'Tag' } as const

const toTopicLink = ({ urls }: Site, { value, count, id = 0, slug = '' }: FacetValue) => ({
  ...{ text: value, count },
  href: urls.tag({ id, slug }),
})
