import { fields } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { type Filters, type ListQuery, parseFilters, parseListQuery } from '../../record/query/query.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Urls } from '../../site/urls.ts'
import type { ListPage } from '../../store/list-reads.ts'
import type { Failure, ReadStore } from '../../store/store.ts'
import { toListFilters, toListHref } from '../lists/list-query.ts'

/** The talks to change: ticked ones, or a whole work list. */
export type SelectedTalks =
  /** `list` is the work list in which they were ticked, to return to. */
  | { readonly is: 'ids'; readonly ids: readonly number[]; readonly list: string }
  /** `query` has the filters of the list alone. */
  | { readonly is: 'list'; readonly list: string; readonly query: string; readonly filters: Filters }

export type ParsedSelectedTalks =
  | { readonly is: 'chosen'; readonly chosen: SelectedTalks }
  | { readonly is: 'none' }
  /** The form of a work list in which neither a talk nor the whole list was chosen. */
  | { readonly is: 'unticked'; readonly list: string }
  | { readonly is: 'wrong'; readonly problems: readonly string[] }

/**
 * `id` is repeated, or has several ids with commas; without ids, `list` selects the whole list. Forms of work lists send
 * a `scope`: a curator who ticked nothing there, or lost their ticks, does not mean all talks.
 */
export function parseSelectedTalks(form: URLSearchParams): ParsedSelectedTalks {
  const ids = listIdTexts(form)
  const list = form.get('list') ?? ''
  const scopes = form.getAll('scope')
  if (scopes.includes('all')) return parseList(list)
  if (ids.length > 0) return parseIds(ids, list)
  if (scopes.includes('ticked')) return { is: 'unticked', list }
  return list === '' ? { is: 'none' } : parseList(list)
}

/** The texts of all ids of a form. */
export function listIdTexts(form: URLSearchParams): readonly string[] {
  const words = form.getAll('id').flatMap((value) => value.split(',').map((word) => word.trim()))
  return words.filter((word) => word !== '')
}

/** The selection as the API expects it. */
export function toSelect(chosen: SelectedTalks): JsonObject {
  return chosen.is === 'ids' ? { ids: chosen.ids } : { query: chosen.query }
}

/** Ids in one field: ten thousand fields would be a form of a megabyte. */
export function toHiddenSelection(chosen: SelectedTalks): { readonly [name: string]: string } {
  if (chosen.is === 'list') return { list: chosen.list }
  return { id: chosen.ids.join(','), ...(chosen.list === '' ? {} : { list: chosen.list }) }
}

const names = ['id', 'title', 'language', 'state'] as const

/** As much of a talk as a link to it needs. */
export type ListedTalk = Pick<VideoRecord, (typeof names)[number]>

/** The first of the selected talks. `count` is null, and there are no talks, if the store fails. */
export interface SelectedSample {
  readonly count: number | null
  readonly talks: readonly ListedTalk[]
  /** How many of the first ids belong to no talk. */
  readonly missing: number
}

type Lists = { readonly store: Pick<ReadStore, 'list'> }

const maxListed = 100

/** Does not throw if the store fails: the form must show what was typed in any case. */
export async function findSelectedSample({ store }: Lists, chosen: SelectedTalks): Promise<SelectedSample> {
  if (chosen.is === 'list') {
    const page = await store.list(toQuery(chosen.filters, maxListed, toOrder(chosen.list)))
    return isFailure(page) ? unknown : { count: page.count, talks: toTalks(page), missing: 0 }
  }
  const ids = chosen.ids.slice(0, maxListed)
  const found = await findTalksById({ store }, ids)
  if (found === null) return { ...unknown, count: chosen.ids.length }
  const talks = ids.flatMap((id) => found.get(id) ?? [])
  return { count: chosen.ids.length, talks, missing: ids.length - talks.length }
}

const unknown: SelectedSample = { count: null, talks: [], missing: 0 }

/** The talks that exist, by id; null if the store fails. */
export async function findTalksById(
  { store }: Lists,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ListedTalk> | null> {
  if (ids.length === 0) return new Map()
  const filters = { visibility: 'all', speakers: [], tags: [], has: [], ids } as const
  const page = await store.list(toQuery(filters, ids.length, null))
  return isFailure(page) ? null : new Map(toTalks(page).map((talk) => [talk.id, talk]))
}

const isFailure = (page: ListPage | Failure): page is Failure => typeof page === 'string'

const toTalks = ({ records }: ListPage): ListedTalk[] => (records ?? []).map(fromBodyText)

interface SelectedTalksProps {
  readonly urls: Urls
  readonly chosen: SelectedTalks
  readonly first: SelectedSample
}

/** Enough titles to see that these are the right talks. */
const shownAtOnce = 5

/** How many talks are selected, and the first of them. */
export function SelectedTalksList({ urls, chosen, first: { count, talks, missing } }: SelectedTalksProps) {
  const [shown, folded] = [talks.slice(0, shownAtOnce), talks.slice(shownAtOnce)]
  const unlisted = (count ?? 0) - talks.length - missing
  return (
    <section class="bulk-chosen" aria-label="Selected talks">
      <p>
        <strong>
          {count === null
            ? 'The number of selected talks is unknown at the moment.'
            : `${toCounted(count, 'talk')} selected.`}
        </strong>
        {chosen.is === 'list' && ' The whole work list.'}
        {missing > 0 &&
          ` ${missing === 1 ? 'One of them does not exist.' : `${toNumber(missing)} of them do not exist.`}`}
      </p>
      {chosen.list !== '' && (
        <a class="to-list" href={toListHref(urls, new URLSearchParams(chosen.list))}>
          Back to the work list
        </a>
      )}
      <Talks urls={urls} list={chosen.list} talks={shown} />
      {folded.length > 0 && (
        <details>
          <summary>{toNumber(folded.length + Math.max(0, unlisted))} more</summary>
          <Talks urls={urls} list={chosen.list} talks={folded} />
          {unlisted > 0 && <p>And {toNumber(unlisted)} more.</p>}
        </details>
      )}
    </section>
  )
}

interface TalksProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: readonly ListedTalk[]
}

/** A talk by its title, in its language. */
export function TalkLink({ urls, list, talk }: Omit<TalksProps, 'talks'> & { readonly talk: ListedTalk }) {
  return (
    <a href={urls.edit(talk.id, { list })} dir="auto" lang={toLanguageCode(talk.language) ?? undefined}>
      {talk.title}
    </a>
  )
}

const maxProblems = 5

function parseIds(words: readonly string[], list: string): ParsedSelectedTalks {
  const bad = words.filter((word) => !isIdText(word))
  if (bad.length === 0) return { is: 'chosen', chosen: { is: 'ids', ids: [...new Set(words.map(Number))], list } }
  return { is: 'wrong', problems: bad.slice(0, maxProblems).map((word) => `${JSON.stringify(word)} is not an id.`) }
}

/** Drops order and paging. Any other unknown parameter is an error: ignoring it could select too many records. */
function parseList(list: string): ParsedSelectedTalks {
  const query = toListFilters(new URLSearchParams(list))
  if (query.size === 0)
    return {
      is: 'wrong',
      problems: ['Add at least one filter, or select talks: the whole archive cannot be changed at once.'],
    }
  const parsed = parseFilters(query, 'all')
  if (!parsed.ok) return { is: 'wrong', problems: [...parsed.errors.values()].flat() }
  return { is: 'chosen', chosen: { is: 'list', list, query: query.toString(), filters: parsed.filters } }
}

function toQuery(filters: Filters, pageSize: number, order: ListQuery['order']): ListQuery {
  return { filters, match: 'all', order, page: 1, pageSize, fields: names, facets: [], hasHighlight: false }
}

function toOrder(list: string): ListQuery['order'] {
  const parsed = parseListQuery(
    new URLSearchParams({ ordering: new URLSearchParams(list).get('ordering') ?? '' }),
    'all',
  )
  return parsed.ok ? parsed.query.order : null
}

function Talks({ urls, list, talks }: TalksProps) {
  if (talks.length === 0) return null
  return (
    <ul>
      {talks.map((talk) => (
        <li key={talk.id}>
          <TalkLink {...{ urls, list, talk }} /> <span class="muted">({toStateName(talk.state)})</span>
        </li>
      ))}
    </ul>
  )
}

const toStateName = (state: number) => fields.state.kind.choices?.find(({ value }) => value === state)?.display_name
