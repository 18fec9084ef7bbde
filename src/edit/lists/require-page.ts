import { Refused } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'

/** The page that is asked for. */
export function requirePage(call: Call): number | 'last' {
  const page = parsePage(call.query().get('page'))
  if (page === null) throw new Refused({ code: 'no_such_page' })
  return page
}
