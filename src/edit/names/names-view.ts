import { Refused } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import type { Site } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'

export const maxSearchLength = 100

/** What the address of a list of names says. */
export interface NamesView {
  readonly kind: NameKind
  readonly q: string
  readonly initial: string | null
  readonly order: 'name' | 'use'
  readonly page: number
}

export function readNamesView(call: Call, kind: NameKind): NamesView {
  const parameters = call.query()
  const q = [...(parameters.get('q') ?? '').trim()].slice(0, maxSearchLength).join('')
  const letter = parameters.get('letter') ?? ''
  const order = parameters.get('sort') === 'count' ? 'use' : 'name'
  return { kind, q, initial: letter === '' ? null : letter, order, page: readPageNumber(call) }
}

/** Refuses what is no number of a page. */
export function readPageNumber(call: Call): number {
  const page = parsePage(call.query().get('page'))
  if (page === null || page === 'last') throw new Refused({ code: 'no_such_page' })
  return page
}

/** The address of the same list with something else about it. */
export function toViewHref({ urls }: Site, view: NamesView, change: Partial<NamesView>): string {
  const { kind, q, initial, order, page } = { ...view, page: 1, ...change }
  const sort = order === 'use' ? 'count' : null
  return urls.editNames(kind, { q, letter: initial, sort, page: page === 1 ? null : page })
}
