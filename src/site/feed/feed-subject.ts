import { Refused, requireRead, toParameterProblem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import type { Filters } from '../../record/query/query.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { Parameters } from '../addresses.ts'
import { findName } from '../page/name.tsx'
import {
  parseSearchQuery,
  toApiParameters,
  toFeedParameters,
  toFilters,
  toSearchParameters,
} from '../search/search-query.ts'
import type { Site, SiteDeps } from '../site.ts'
import { texts } from '../texts.ts'

/** What a feed is about. */
export interface FeedSubject {
  /** Never changes, and no other feed of the archive has it. */
  readonly key: string
  readonly title: string
  readonly description: string
  /** The path of the page with the same talks, and of the list of the API. */
  readonly page: string
  readonly json: string
  /** The path of the feed without its ending, and its parameters. */
  readonly stem: string
  readonly parameters: Parameters
  readonly filters: Partial<Filters>
  /** Whether the request has another path, with the id or slug of another time or archive. */
  readonly isMoved?: boolean
}

/** Finds the subject of a request; refuses the request if there is none. */
export type FindSubject<Name extends string = never> = (
  call: Call<Name>,
  deps: SiteDeps,
  site: Site,
) => Promise<FeedSubject>

export const findAll: FindSubject = async (_, __, { at, settings }) => ({
  key: '',
  title: settings.name,
  description: texts.feeds.all,
  ...{
    page: at.home,
    json: at.api('video', { ordering: '-added' }),
    stem: at.path('/feed'),
    parameters: {},
    filters: {},
  },
})

/** An event, by its name besides. */
export interface EventSubject extends FeedSubject {
  readonly name: string
}

export async function findEvent({ params }: Call<'slug'>, { store }: SiteDeps, { at }: Site): Promise<EventSubject> {
  const found = requireRead(await store.findCategory({ slug: params.slug, visibility: 'live' }))
  if (found === null) throw new Refused({ code: 'no_such_category' })
  const { slug, title, description } = found.row
  const page = at.category(slug)
  return {
    key: `category ${slug}`,
    name: title,
    title: texts.feeds.event(title),
    description: description.trim() === '' ? texts.feeds.event(title) : description,
    ...{ page, json: at.api('video', { category: slug }), stem: `${page}/feed`, parameters: {} },
    filters: { category: slug },
    isMoved: slug !== params.slug,
  }
}

/** Found as its page is. */
export const findNamed =
  (kind: 'speaker' | 'tag'): FindSubject<'id' | 'slug'> =>
  async ({ params: { id: idText, slug } }, { store }, { at }) => {
    const id = Number(idText)
    const name = await findName(store, kind, id, slug)
    if (name === null) throw new Refused({ code: 'no_such_path' })
    const page = at[kind](name)
    const title = texts.feeds[kind](name.name)
    return {
      key: `${kind} ${name.id}`,
      ...{ title, description: title, page, json: at.api('video', { [`${kind}_id`]: name.id }) },
      ...{ stem: `${page}/feed`, parameters: {} },
      filters: kind === 'speaker' ? { speakerIds: [name.id] } : { tagIds: [name.id] },
      isMoved: name.id !== id || name.slug !== slug,
    }
  }

export const findSearch: FindSubject = async (call, _, { at }) => {
  const query = { ...parseSearchQuery(call.query()), page: 1 }
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) throw new Refused(toParameterProblem(new Map([['q', [texts.feeds.tooLong]]])))
  const parameters = toFeedParameters(query)
  const title = query.q === '' ? texts.feeds.all : texts.feeds.search(query.q)
  return {
    key: `search ${JSON.stringify(parameters)}`,
    ...{ title, description: title, page: at.search(toSearchParameters(query)) },
    ...{ json: at.api('video', toApiParameters(query)), stem: at.path('/search'), parameters },
    filters: { ...toFilters(query), ...(parsed === null ? {} : { search: parsed.search }) },
  }
}
