import { Refused, requireRead, toParameterProblem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import type { Filters } from '../../record/query/query.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import { findName, toFeedTitle } from '../page/name.tsx'
import {
  parseSearchQuery,
  toApiParameters,
  toFeedParameters,
  toFilters,
  toSearchParameters,
} from '../search/search-query.ts'
import type { Site, SiteDeps } from '../site.ts'
import type { Parameters } from '../urls.ts'

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

export const findAll: FindSubject = async (_, __, { urls, settings }) => ({
  key: '',
  title: settings.name,
  description: 'New talks',
  ...{
    page: urls.home,
    json: urls.api('video', { ordering: '-added' }),
    stem: urls.path('/feed'),
    parameters: {},
    filters: {},
  },
})

/** An event, by its name besides. */
export interface EventSubject extends FeedSubject {
  readonly name: string
}

export async function findEvent({ params }: Call<'slug'>, { store }: SiteDeps, { urls }: Site): Promise<EventSubject> {
  const found = requireRead(await store.findCategory({ slug: params.slug, visibility: 'live' }))
  if (found === null) throw new Refused({ code: 'no_such_category' })
  const { slug, title, description } = found.row
  const page = urls.category(slug)
  return {
    key: `category ${slug}`,
    name: title,
    title: `Talks at ${title}`,
    description: description.trim() === '' ? `Talks at ${title}` : description,
    ...{ page, json: urls.api('video', { category: slug }), stem: `${page}/feed`, parameters: {} },
    filters: { category: slug },
    isMoved: slug !== params.slug,
  }
}

/** Found as its page is. */
export const findNamed =
  (kind: 'speaker' | 'tag'): FindSubject<'id' | 'slug'> =>
  async ({ params: { id: idText, slug } }, { store }, { urls }) => {
    const id = Number(idText)
    const name = await findName(store, kind, id, slug)
    if (name === null) throw new Refused({ code: 'no_such_path' })
    const page = urls[kind](name)
    const title = toFeedTitle(kind, name.name)
    return {
      key: `${kind} ${name.id}`,
      ...{ title, description: title, page, json: urls.api('video', { [`${kind}_id`]: name.id }) },
      ...{ stem: `${page}/feed`, parameters: {} },
      filters: kind === 'speaker' ? { speakerIds: [name.id] } : { tagIds: [name.id] },
      isMoved: name.id !== id || name.slug !== slug,
    }
  }

export const findSearch: FindSubject = async (call, _, { urls }) => {
  const query = { ...parseSearchQuery(call.query()), page: 1 }
  const parsed = query.q === '' ? null : parseSearch(query.q)
  if (parsed?.ok === false) throw new Refused(toParameterProblem(new Map([['q', ['The search has too many words.']]])))
  const parameters = toFeedParameters(query)
  const title = query.q === '' ? 'New talks' : `Talks found for “${query.q}”`
  return {
    key: `search ${JSON.stringify(parameters)}`,
    ...{ title, description: title, page: urls.search(toSearchParameters(query)) },
    ...{ json: urls.api('video', toApiParameters(query)), stem: urls.path('/search'), parameters },
    filters: { ...toFilters(query), ...(parsed === null ? {} : { search: parsed.search }) },
  }
}
