import type { JsonObject } from '../../record/json.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { type Filters, parseFilters } from '../../record/query/query.ts'
import { toListFilters } from '../lists/work-list.ts'
import { bulkTexts } from './bulk-texts.ts'

/** Which talks a person wants to change: those that they ticked, or a whole work list. */
export type ChosenTalks =
  /** `list` is the work list in which they were ticked, to return to. */
  | { readonly is: 'ids'; readonly ids: readonly number[]; readonly list: string }
  /** `query` has the filters of the list alone. */
  | { readonly is: 'list'; readonly list: string; readonly query: string; readonly filters: Filters }

export type ParsedChoice =
  | { readonly is: 'chosen'; readonly chosen: ChosenTalks }
  | { readonly is: 'none' }
  /** The form of a work list in which neither a talk nor the whole list was chosen. */
  | { readonly is: 'unticked'; readonly list: string }
  | { readonly is: 'wrong'; readonly problems: readonly string[] }

const maxProblems = 5

/**
 * `id` is repeated, or has several ids with commas; without any, `list` is the whole list. Forms of work lists say what
 * they mean by `scope`: a curator who has ticked nothing there, or lost their ticks, does not mean all talks.
 */
export function parseChosen(form: URLSearchParams): ParsedChoice {
  const given = listGivenIds(form)
  const list = form.get('list') ?? ''
  const scopes = form.getAll('scope')
  if (scopes.includes('all')) return parseList(list)
  if (given.length > 0) return parseIds(given, list)
  if (scopes.includes('ticked')) return { is: 'unticked', list }
  return list === '' ? { is: 'none' } : parseList(list)
}

/** The texts of all ids of a form. */
export function listGivenIds(form: URLSearchParams): readonly string[] {
  const words = form.getAll('id').flatMap((value) => value.split(',').map((word) => word.trim()))
  return words.filter((word) => word !== '')
}

function parseIds(words: readonly string[], list: string): ParsedChoice {
  const bad = words.filter((word) => !isIdText(word))
  if (bad.length === 0) return { is: 'chosen', chosen: { is: 'ids', ids: [...new Set(words.map(Number))], list } }
  return { is: 'wrong', problems: bad.slice(0, maxProblems).map((word) => `${JSON.stringify(word)} is not an id.`) }
}

/** Order and paging are dropped. What else is no filter is an error: ignoring it could select too many records. */
function parseList(list: string): ParsedChoice {
  const query = toListFilters(new URLSearchParams(list))
  if (query.size === 0) return { is: 'wrong', problems: [bulkTexts.everything] }
  const parsed = parseFilters(query, 'all')
  if (!parsed.ok) return { is: 'wrong', problems: [...parsed.errors.values()].flat() }
  return { is: 'chosen', chosen: { is: 'list', list, query: query.toString(), filters: parsed.filters } }
}

/** As the API takes it. */
export function toSelect(chosen: ChosenTalks): JsonObject {
  return chosen.is === 'ids' ? { ids: chosen.ids } : { query: chosen.query }
}

/** Ids in one field: ten thousand fields would be a form of a megabyte. */
export function toHiddenChoice(chosen: ChosenTalks): { readonly [name: string]: string } {
  if (chosen.is === 'list') return { list: chosen.list }
  return { id: chosen.ids.join(','), ...(chosen.list === '' ? {} : { list: chosen.list }) }
}
