import { requireRead } from '../../http/problem.ts'
import { type CountedFacet, countedFacets, lengthRanges } from '../../record/query/query.ts'
import { toNumber } from '../../record/text/counted.ts'
import { parseLanguageCode, toLanguageCode } from '../../record/text/language.ts'
import type { FacetValue, ListPage } from '../../store/list-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import type { ScopeChip } from '../part/layout.tsx'
import { canAdd, isChosen, type SearchQuery, toggleValue, without } from './search-query.ts'

/** A value of a facet. Its link adds the filter, or removes it if it is active. */
interface FacetEntry {
  readonly text: string
  readonly count: number
  readonly href: string
  readonly isActive: boolean
}

interface FacetGroup {
  readonly facet: CountedFacet
  readonly entries: readonly FacetEntry[]
  /** Values that replace those chosen, where a talk can have several and `entries` add to them. */
  readonly instead: readonly FacetEntry[]
}

/** The values of the facets in which something is chosen, counted under all other filters. */
export type OtherValues = NonNullable<ListPage['facets']>

interface FacetSource {
  readonly query: SearchQuery
  readonly page: Pick<ListPage, 'facets' | 'count'>
  readonly others: OtherValues
  /** Facets in the order in which they are shown. */
  readonly shown: readonly CountedFacet[]
  toHref(query: SearchQuery): string
}

/** The facets of a list. Values that all records have would change nothing; they are left out unless chosen. */
export function toFacetGroups({ query, page, others, shown, toHref }: FacetSource): FacetGroup[] {
  return shown.flatMap((facet) => {
    const toEntry = toFacetEntry(facet, query, toHref)
    const own = toShownValues(facet, page.facets?.[facet] ?? []).flatMap(toEntry)
    const narrower = own.filter(({ count, isActive }) => isActive || count !== page.count)
    const chosen = own.filter(({ isActive }) => isActive)
    const base = canAdd(facet) ? without(query, facet) : query
    const other = toShownValues(facet, others[facet] ?? [])
      .flatMap(toFacetEntry(facet, base, toHref))
      .filter(({ text }) => !chosen.some((each) => each.text === text))
    if (canAdd(facet)) return narrower.length + other.length === 0 ? [] : [{ facet, entries: narrower, instead: other }]
    const entries = other.length > 0 ? [...chosen, ...other] : narrower
    return entries.length === 0 ? [] : [{ facet, entries, instead: [] }]
  })
}

const toFacetEntry =
  (facet: CountedFacet, query: SearchQuery, toHref: (query: SearchQuery) => string) =>
  (each: FacetValue): FacetEntry[] => {
    const value = toParameter(facet, each)
    if (value === null) return []
    const href = toHref(toggleValue(query, facet, value))
    return [{ text: toFacetText(facet, each.value), count: each.count, href, isActive: isChosen(query, facet, value) }]
  }

const maxShown = 8

const titles: { readonly [facet in CountedFacet]: string } = {
  category: 'Event',
  speaker: 'Speaker',
  tag: 'Tag',
  language: 'Language',
  year: 'Year',
  length: 'Length',
  download: 'Files',
}

/** On narrow screens the filters are behind one button. */
export function FacetList({
  groups,
  chosenCount,
}: {
  readonly groups: readonly FacetGroup[]
  readonly chosenCount: number
}) {
  return (
    <details class="filters">
      <summary>{chosenCount === 0 ? 'Filters' : `Filters (${chosenCount})`}</summary>
      <div class="facets">
        {groups.map(({ facet, entries, instead }) => (
          <section key={facet} class="facet">
            <h2>{titles[facet]}</h2>
            <Entries entries={entries} />
            {instead.length > 0 && <h3 dir="auto">{`Instead of ${toChosenText(entries)}`}</h3>}
            <Entries entries={instead} />
          </section>
        ))}
      </div>
    </details>
  )
}

const toChosenText = (entries: readonly FacetEntry[]) =>
  entries.flatMap(({ text, isActive }) => (isActive ? [text] : [])).join(', ')

/** A chosen filter as a chip of the search box. */
export interface FilterChip extends ScopeChip {
  readonly name: CountedFacet
}

const prepositions: { readonly [F in CountedFacet]?: string } = {
  category: 'in',
  speaker: 'by',
  tag: 'tagged',
  language: 'in',
  year: 'in',
}

/** The chosen filters with their names, as links that remove them. */
export async function findChips(
  store: ReadStore,
  query: SearchQuery,
  page: Pick<ListPage, 'facets'>,
  toHref: (query: SearchQuery) => string,
): Promise<FilterChip[]> {
  const chips: FilterChip[] = []
  for (const facet of countedFacets) {
    for (const value of query.chosen[facet]) {
      // Every result has the chosen values, so the facets contain their names, unless there are no results.
      const known = page.facets?.[facet]?.find((each) => toParameter(facet, each) === value)?.value
      const preposition = prepositions[facet]
      const name = known ?? (await findValueName(store, facet, value))
      chips.push({
        ...{ name: facet, value, text: toFacetText(facet, name) },
        ...(preposition === undefined ? {} : { preposition }),
        href: toHref(toggleValue(query, facet, value)),
      })
    }
  }
  return chips
}

/** More filters would make a heading too long. */
const maxScope = 3

/** The filters in words, for headings: `in PyCon US 2019, by Ada Nova`. */
export function toScope(chips: readonly FilterChip[]): string {
  const texts = chips.map(({ preposition, text }) =>
    preposition === undefined ? text.toLowerCase() : `${preposition} ${text}`,
  )
  return [...texts.slice(0, maxScope), ...(texts.length > maxScope ? ['…'] : [])].join(', ')
}

/** The value as a parameter of a URL. */
function toParameter(facet: CountedFacet, { value, slug, id }: FacetValue): string | null {
  if (facet === 'category') return slug ?? null
  if (facet === 'speaker' || facet === 'tag') return id === undefined ? null : String(id)
  return facet === 'language' ? toLanguageCode(value) : value
}

const lengths: { readonly [value: string]: string | undefined } = {
  '0-10': 'Under 10 minutes',
  '10-30': '10 to 30 minutes',
  '30-60': '30 to 60 minutes',
  '60+': 'Over an hour',
}

function toFacetText(facet: CountedFacet, value: string): string {
  if (facet === 'length') return lengths[value] ?? `${value.replace('-', ' to ')} minutes`
  return facet === 'download' ? 'Can be downloaded' : value
}

/** Most frequent first; years and lengths in their natural order. */
function toShownValues(facet: CountedFacet, values: readonly FacetValue[]): readonly FacetValue[] {
  if (facet === 'year') return values.toSorted((a, b) => b.value.localeCompare(a.value))
  return facet === 'length' ? values.toSorted((a, b) => toRank(a.value) - toRank(b.value)) : values
}

const toRank = (length: string) => lengthRanges.findIndex(({ value }) => value === length)

function Entries({ entries }: Pick<FacetGroup, 'entries'>) {
  const rest = entries.slice(maxShown)
  return (
    <>
      <Values entries={entries.slice(0, maxShown)} />
      {rest.length > 0 && (
        <details>
          <summary>{`${toNumber(rest.length)} more`}</summary>
          <Values entries={rest} />
        </details>
      )}
    </>
  )
}

function Values({ entries }: Pick<FacetGroup, 'entries'>) {
  if (entries.length === 0) return null
  return (
    <ul class="values">
      {entries.map(({ text, count, href, isActive }) => (
        <li key={href}>
          <a
            href={href}
            rel="nofollow"
            class={isActive ? 'active' : undefined}
            aria-current={isActive ? 'true' : undefined}
          >
            <span class="value" dir="auto">
              {text}
            </span>
            <span class="count">{toNumber(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

async function findValueName(store: ReadStore, facet: CountedFacet, value: string): Promise<string> {
  switch (facet) {
    case 'category': {
      const found = requireRead(await store.findCategory({ slug: value, visibility: 'live' }))
      return found?.row.title ?? 'Unknown event'
    }
    case 'speaker':
    case 'tag': {
      const found = requireRead(await store.findName({ kind: facet, id: Number(value), visibility: 'live' }))
      return found?.name ?? `Unknown ${facet}`
    }
    case 'language':
      return parseLanguageCode(value) ?? value
    default:
      return value
  }
}
