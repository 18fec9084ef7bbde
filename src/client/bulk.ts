import { toSearch } from './pages.ts'
import type { VideoFilters } from './records.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']

/**
 * The fields to set in each record. `speakers` and `tags` may also be `{ add, remove }`; texts `{ find, replace }`,
 * `{ prefix }`, `{ suffix }`, `{ cut_start }`, `{ cut_end }`; `duration` `{ multiply }` or `{ divide }`.
 */
export type BulkPatch = Schemas['BulkPatch']
/** The filters of the list. */
export type BulkFilters = Omit<VideoFilters, 'page' | 'page_size' | 'cursor' | 'ordering' | 'match'>

/** Every record that this author changed in that time. Days and times are in UTC. */
export interface AuthorSelection {
  readonly by: string
  readonly since: string
  readonly until?: string
}

/** Which records to change: by id, by filters, or by author. */
export type BulkSelection =
  | { readonly ids: readonly number[] }
  | { readonly query: BulkFilters | string }
  | AuthorSelection

/**
 * `expect` is the number of records (required unless `ids` are given), and `as_of` what a preview returned: a record
 * with a field that was changed later is refused. `partial` changes the others even if some are refused.
 */
export type BulkGuards = Pick<Schemas['BulkChange'], 'expect' | 'as_of' | 'partial'>

/** A change to many records; or, for all records that an author changed, a restore of the values before. */
export type BulkChange =
  | (BulkGuards & { readonly select: BulkSelection; readonly patch: BulkPatch })
  | (BulkGuards & { readonly select: AuthorSelection; readonly restore: true })

/** What a change would do: the report, every refusal, 50 differences, `next` for those that follow, and `as_of`. */
export type BulkPreview = Schemas['BulkDryRun']

/** The change as the service takes it, with filters as in the URL of the list. */
export function toBulkBody(change: BulkChange): object {
  const { select } = change
  return 'query' in select ? { ...change, select: { query: toQueryText(select.query) } } : change
}

/** Filters as in the URL of the list. */
export const toQueryText = (query: BulkFilters | string): string =>
  typeof query === 'string' ? query : toSearch(query).slice(1)
