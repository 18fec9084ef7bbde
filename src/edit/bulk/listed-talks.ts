import { type Filters, type ListQuery, parseListQuery } from '../../record/query/query.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import type { Failure, ListPage, ReadStore } from '../../store/store.ts'
import type { ChosenTalks } from './chosen-talks.ts'

const names = ['id', 'title', 'language', 'state'] as const

/** As much of a talk as a link to it needs. */
export type ListedTalk = Pick<VideoRecord, (typeof names)[number]>

/** `count` is null, and there are no talks, if the store could not say. */
export interface FirstTalks {
  readonly count: number | null
  readonly talks: readonly ListedTalk[]
  /** Of the first ids, how many are no talks. */
  readonly missing: number
}

type Lists = { readonly store: Pick<ReadStore, 'list'> }

export const maxListed = 100

/** The first of the chosen talks. Works without the store too: a form with typed texts is shown in any case. */
export async function findFirst({ store }: Lists, chosen: ChosenTalks): Promise<FirstTalks> {
  if (chosen.is === 'list') {
    const page = await store.list(toQuery(chosen.filters, maxListed, toOrder(chosen.list)))
    return isFailure(page) ? unknown : { count: page.count, talks: toTalks(page), missing: 0 }
  }
  const ids = chosen.ids.slice(0, maxListed)
  const found = await findTalks({ store }, ids)
  if (found === null) return { ...unknown, count: chosen.ids.length }
  const talks = ids.flatMap((id) => found.get(id) ?? [])
  return { count: chosen.ids.length, talks, missing: ids.length - talks.length }
}

const unknown: FirstTalks = { count: null, talks: [], missing: 0 }

/** Those of the talks that exist, by id; null if the store could not say. */
export async function findTalks(
  { store }: Lists,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ListedTalk> | null> {
  if (ids.length === 0) return new Map()
  const filters = { visibility: 'all', speakers: [], tags: [], has: [], ids } as const
  const page = await store.list(toQuery(filters, ids.length, null))
  return isFailure(page) ? null : new Map(toTalks(page).map((talk) => [talk.id, talk]))
}

const isFailure = (page: ListPage | Failure): page is Failure => typeof page === 'string'

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

const toTalks = ({ records }: ListPage): ListedTalk[] => (records ?? []).map(fromBodyText)
