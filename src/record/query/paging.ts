export const maxPageSize = 100

export interface Paging {
  readonly page: number | 'last'
  readonly pageSize: number
}

export type ParsedPaging = { readonly ok: true; readonly paging: Paging } | BadQuery

/** Why a query is refused: a page that cannot exist, or invalid parameters with their errors. */
export type BadQuery =
  | { readonly ok: false; readonly problem: 'no_such_page' }
  | { readonly ok: false; readonly problem: 'bad_parameter'; readonly errors: ReadonlyMap<string, readonly string[]> }

/** Parses `page` and `page_size` of any list. */
export function parsePaging(parameters: URLSearchParams, defaultSize: number): ParsedPaging {
  const size = parameters.get('page_size')
  const pageSize = size === null ? defaultSize : parsePageSize(size)
  if (pageSize === null) {
    const errors = new Map([['page_size', [`page_size must be ${expectedPageSize}.`]]])
    return { ok: false, problem: 'bad_parameter', errors }
  }
  const page = parsePage(parameters.get('page'))
  return page === null ? { ok: false, problem: 'no_such_page' } : { ok: true, paging: { page, pageSize } }
}

export const expectedPageSize = `an integer of at least 1; values above ${maxPageSize} mean ${maxPageSize}`

export function parsePageSize(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), maxPageSize) : null
}

export function parsePage(text: string | null): number | 'last' | null {
  if (text === null) return 1
  if (text === 'last') return 'last'
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
