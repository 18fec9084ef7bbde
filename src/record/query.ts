/** What a list request may ask for. */
export interface ListQuery {
  readonly page: number | 'last'
  readonly pageSize: number
  readonly drafts: boolean
}

export const defaultPageSize = 20
export const maxPageSize = 100

export type ParsedQuery =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly problem: 'no_such_page' }
  | { readonly ok: false; readonly problem: 'bad_parameter'; readonly name: string; readonly detail: string }

export function parseListQuery(parameters: URLSearchParams, drafts: boolean): ParsedQuery {
  const pageSize = parsePageSize(parameters.get('page_size'))
  if (pageSize === null) {
    const detail = `page_size must be a whole number from 1; more than ${maxPageSize} counts as ${maxPageSize}.`
    return { ok: false, problem: 'bad_parameter', name: 'page_size', detail }
  }
  const page = parsePage(parameters.get('page'))
  if (page === null) return { ok: false, problem: 'no_such_page' }
  return { ok: true, query: { page, pageSize, drafts } }
}

function parsePageSize(value: string | null): number | null {
  if (value === null) return defaultPageSize
  if (!/^\d+$/.test(value) || Number(value) === 0) return null
  return Math.min(Number(value), maxPageSize)
}

function parsePage(value: string | null): number | 'last' | null {
  if (value === null) return 1
  if (value === 'last') return 'last'
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null
}
