import type { Problem } from '../http/problem.ts'
import type { BadQuery } from '../record/query/paging.ts'

/** Why a list cannot be read. */
export function toBadQuery(bad: BadQuery): Problem {
  return bad.problem === 'no_such_page' ? { code: 'no_such_page' } : toBadParameter(bad.errors)
}

export function toBadParameter(errors: ReadonlyMap<string, readonly string[]>): Problem {
  return { code: 'bad_parameter', detail: [...errors.values()].flat().join(' '), errors }
}
