import { requireRead } from '../../http/problem.ts'
import { toCounted } from '../../record/text/counted.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { ReadStore } from '../../store/store.ts'
import { type CountedLink, CountedLinks } from '../part/counts.tsx'
import type { Site } from '../site.ts'
import { inOneSpelling, toCompletionPath } from './completion.ts'
import type { FilterChip } from './filters.tsx'
import {
  hasChosen,
  type SearchQuery,
  toggleValue,
  toListQuery,
  toSearchParameters,
  toTypedParts,
  withoutChosen,
} from './search-query.ts'

/** Another search, or a page, that has talks. */
export interface Try {
  readonly path: string
  /** Of a name: `Speaker`. */
  readonly kind?: string
  readonly text: string
  readonly count: number
}

/** Filters and words that are left out, each in a search of its own. */
const [maxFilters, maxWords] = [6, 5]
const maxTries = 6
const maxNames = 3

const kinds = { speaker: 'Speaker', category: 'Event', tag: 'Tag', video: 'Talk' } as const

/** Searches that have talks with all of their words, where this one has none: with fewer filters or fewer words. */
export async function findTries(
  store: ReadStore,
  { urls }: Site,
  query: SearchQuery,
  chips: readonly FilterChip[],
): Promise<readonly Try[]> {
  const found: Try[] = []
  const add = async ({ text, query: other }: OtherSearch) => {
    const count = await countMatches(store, other)
    const path = urls.search(toSearchParameters({ ...other, page: 1 }))
    if (count > 0 && !found.some((each) => each.path === path)) found.push({ path, text, count })
  }
  const loose = { ...query, q: toLoose(query.q) }
  for (const other of [...toFewerFilters(query, chips), ...toFewerWords(query)]) await add(other)
  if (found.length === 0 && loose.q !== query.q) for (const other of toFewerWords(loose)) await add(other)
  return found.slice(0, maxTries)
}

const toLoose = (q: string) => q.replaceAll('"', ' ').trim()

interface OtherSearch {
  readonly text: string
  readonly query: SearchQuery
}

function toFewerFilters(query: SearchQuery, chips: readonly FilterChip[]): OtherSearch[] {
  const single = chips.length > 1 ? chips.slice(0, maxFilters) : []
  const without = single.map(({ name, value, text }) => {
    return { text: `Remove “${text}”`, query: toggleValue(query, name, value) }
  })
  return chips.length === 0 ? [] : [...without, { text: 'Search all talks', query: withoutChosen(query) }]
}

function toFewerWords(query: SearchQuery): OtherSearch[] {
  const { q } = query
  const chunks = toTypedParts(q)
  const loose = toLoose(q)
  const fewer = chunks.length > 1 && chunks.length <= maxWords ? chunks.map((_, i) => chunks.toSpliced(i, 1)) : []
  return [
    ...(loose === q ? [] : [{ text: 'Search without quotes', query: { ...query, q: loose } }]),
    ...fewer
      .map((some) => some.join(' '))
      .map((text) => ({ text: `Search for “${text}”`, query: { ...query, q: text } })),
  ]
}

/** The number of talks with all words; 0 if there are none. */
async function countMatches(store: ReadStore, query: SearchQuery): Promise<number> {
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) return 0
  const read = { ...toListQuery({ ...query, page: 1 }, parsed?.search ?? null), pageSize: 1, hasHighlight: false }
  const { count, matchIs } = requireRead(await store.list(read))
  return matchIs === undefined ? count : 0
}

/** Speakers, events and tags whose names are like the words, with the number of their talks. */
export async function findNames(store: ReadStore, { urls }: Site, { q }: SearchQuery): Promise<readonly Try[]> {
  if (q === '') return []
  const { results } = requireRead(await store.suggest({ text: q, visibility: 'live' }))
  const names = inOneSpelling(results.filter(({ kind }) => kind !== 'video')).slice(0, maxNames)
  return names.map((name) => {
    return { path: urls.path(toCompletionPath(name)), kind: kinds[name.kind], text: name.text, count: name.count }
  })
}

/** Links with the number of talks behind each. */
export function Tries({ tries }: { readonly tries: readonly Try[] }) {
  return (
    <ul class="tries">
      {tries.map(({ path, kind, text, count }) => (
        <li key={path}>
          {kind !== undefined && <span class="muted">{`${kind} `}</span>}
          <a href={path} rel="nofollow">
            <bdi>{text}</bdi>
          </a>
          {`: ${toCounted(count, 'talk')}`}
        </li>
      ))}
    </ul>
  )
}

/** What there is to browse where a search finds nothing. */
interface Browsing {
  readonly topics: readonly CountedLink[]
  /** The latest. */
  readonly events: readonly CountedLink[]
}

const [topicCount, eventCount] = [12, 6]

export async function findBrowsing(store: ReadStore, { urls }: Site): Promise<Browsing> {
  const tags = requireRead(await store.listPopularNames({ kind: 'tag', limit: topicCount }))
  const events = requireRead(await store.listEvents({ visibility: 'live' })).slice(0, eventCount)
  return {
    topics: tags.map((tag) => ({ text: tag.name, count: tag.count, href: urls.tag(tag) })),
    events: events.map(({ title, count, slug }) => ({ text: title, count, href: urls.category(slug) })),
  }
}

interface NoResultsProps extends Browsing {
  readonly site: Site
  readonly query: SearchQuery
  /** Typed words that no talk has. */
  readonly unknown: readonly string[]
  readonly tries: readonly Try[]
  /** Whether it is said in a talk. */
  readonly hasMoments: boolean
}

/** Why there are no results, and next steps. */
export function NoResults({ site: { urls }, query, unknown, tries, hasMoments, topics, events }: NoResultsProps) {
  const steps = [
    ['See all talks', urls.search()],
    ['Browse events', urls.categories],
    ['Browse speakers', urls.speakers],
    ['Browse tags', urls.tags],
  ] as const
  return (
    <div class="no-results">
      <p dir="auto">{hasMoments ? 'No title, name or description matches.' : toReason(query, unknown)}</p>
      {tries.length > 0 && (
        <section class="next-steps">
          <h2>Try instead</h2>
          <Tries tries={tries} />
        </section>
      )}
      <section>
        <h2>Or browse</h2>
        <ul class="pills">
          {steps.map(([text, href]) => (
            <li key={text}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </section>
      {topics.length > 0 && (
        <section>
          <h2>Topics</h2>
          <CountedLinks links={topics} />
        </section>
      )}
      {events.length > 0 && (
        <section>
          <h2>Latest events</h2>
          <CountedLinks links={events} />
        </section>
      )}
    </div>
  )
}

function toReason(query: SearchQuery, unknown: readonly string[]): string {
  const { q } = query
  if (unknown.length > 0) {
    return `No talk contains the ${unknown.length === 1 ? 'word' : 'words'} ${unknown.map((word) => `“${word}”`).join(', ')}. Check the spelling, or try other words.`
  }
  if (q.includes('"')) return 'No talk contains the exact words in quotes.'
  if (hasChosen(query)) return `No talk matches all of these ${q === '' ? 'filters' : 'words and filters'}.`
  return 'Check the spelling, or try other words.'
}
