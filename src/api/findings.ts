import { Refused, refuseMissing, requireRead, toQueryProblem } from '../http/problem.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import { toAsciiJson } from '../record/json.ts'
import { parseFindingFilters } from '../record/query/findings.ts'
import { answerPage, type ReadDeps, toItemAnswer, toTextPage } from './envelope.ts'

/** What needs work in one record. */
export async function readFindings(call: Call<'id'>, { store }: ReadDeps): Promise<TextAnswer> {
  const id = Number(call.params.id)
  const results = requireRead(await store.findFindings({ id }, call.signal))
  return results === null ? refuseMissing(store, id) : toItemAnswer(call, [toAsciiJson({ results })])
}

/** How many records have each finding, by category. */
export async function countFindings(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const parsed = parseFindingFilters(call.query())
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const { count, page, rows, totals } = requireRead(
      await store.countFindings({ ...parsed.filters, ...paging }, call.signal),
    )
    return { count, page, rows: rows.map((row) => toAsciiJson(row)), more: `,"totals":${toAsciiJson(totals)}` }
  })
}

/** Groups of records that may be the same talk. */
export function listDuplicates(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  return answerPage(call, baseUrl, 'all', async (paging) =>
    toTextPage(requireRead(await store.listDuplicates(paging, call.signal))),
  )
}
