import { readBody, requireBodyType } from '../http/body.ts'
import { executeAs, logChange, type WriteDeps } from '../http/execute.ts'
import { Refused, refuseMissing, requireRead, toQueryProblem } from '../http/problem.ts'
import { json } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import { toAsciiJson } from '../record/json.ts'
import { type FindingCode, isFindingCode } from '../record/quality/finding-codes.ts'
import { parseFindingFilters } from '../record/query/findings.ts'
import { toUnknownErrors } from '../record/record.ts'
import { answerPage, type ReadDeps, toSingleAnswer, toTextPage, withZone } from './envelope.ts'
import { checkRecord, type RecordDeps } from './records.ts'
import { readWriteOptions, requireAuthor, requireObject } from './write.ts'

/** What needs work in one record, and what somebody has called fine as it is. */
export async function readFindings(call: Call<'id'>, { store }: ReadDeps): Promise<TextAnswer> {
  return toSingleAnswer(call, [await readFindingsText(call, store)])
}

async function readFindingsText(call: Call<'id'>, store: ReadDeps['store']): Promise<string> {
  const id = Number(call.params.id)
  const found = requireRead(await store.findFindings({ id }, call.signal))
  if (found === null) return refuseMissing(store, id)
  const { findings: results, accepted, asOf: as_of } = found
  return toAsciiJson({ results, accepted: accepted.map(withZone), as_of })
}

type DecideDeps = ReadDeps & RecordDeps

/** POST: a finding is fine as it is, until a field that it depends on changes (decision 88). */
export async function acceptFinding(call: HttpCall<'id' | 'code'>, deps: DecideDeps): Promise<TextAnswer> {
  requireCode(call.params.code)
  await checkRecord(deps, Number(call.params.id), requireAuthor(call).role)
  return decideFinding(call, deps, true, await readAsOf(call, deps.maxBodyBytes))
}

/** DELETE: the finding is shown again. */
export function withdrawAcceptance(call: HttpCall<'id' | 'code'>, deps: DecideDeps): Promise<TextAnswer> {
  return decideFinding(call, deps, false, null)
}

async function decideFinding(
  call: HttpCall<'id' | 'code'>,
  deps: DecideDeps,
  isAccepted: boolean,
  asOf: number | null,
): Promise<TextAnswer> {
  const code = requireCode(call.params.code)
  const id = Number(call.params.id)
  const author = requireAuthor(call)
  const { isDryRun = false } = readWriteOptions(call)
  const select = { is: 'ids', ids: [id] } as const
  const command = { kind: 'accept findings', code, select, isAccepted, expect: null, asOf, author, isDryRun } as const
  const outcome = await executeAs('acceptance', deps, call, command)
  const [refused] = outcome.refused
  if (refused !== undefined) throw new Refused(refused.refusal)
  if (outcome.changed > 0 && !isDryRun) logChange(deps, call, author.name, { kind: 'finding', id, code, isAccepted })
  return json(call, await readFindingsText(call, deps.store), 'private')
}

/** PUT and DELETE: whether nobody is asked to work on a finding. */
export function hideFinding(isHidden: boolean) {
  return async (call: HttpCall<'code'>, deps: WriteDeps): Promise<TextAnswer> => {
    const code = requireCode(call.params.code)
    const { isDryRun = false } = readWriteOptions(call)
    const author = requireAuthor(call)
    const command = { kind: 'hide findings', code, isHidden, author, isDryRun } as const
    const { wasWritten } = await executeAs('hiding', deps, call, command)
    if (wasWritten) logChange(deps, call, author.name, { kind: 'finding', code, isHidden })
    return json(call, toAsciiJson({ code, hidden: isHidden }), 'private')
  }
}

function requireCode(text: string): FindingCode {
  if (isFindingCode(text)) return text
  throw new Refused({ code: 'no_such_finding', detail: `There is no finding ${JSON.stringify(text)}.` })
}

/** The body may be left out. */
async function readAsOf(call: HttpCall, maxBodyBytes: number): Promise<number | null> {
  const bytes = await readBody(call, maxBodyBytes)
  if (bytes.byteLength === 0) return null
  requireBodyType(call.head, ['application/json'])
  const { as_of: asOf = null, ...others } = requireObject(bytes)
  const errors = toUnknownErrors(others)
  const isNumber = typeof asOf === 'number' && Number.isSafeInteger(asOf) && asOf >= 0
  if (asOf !== null && !isNumber) errors.set('as_of', ['Must be an integer of at least 0.'])
  if (errors.size > 0) throw new Refused({ code: 'bad_fields', errors })
  return isNumber ? asOf : null
}

/** How many records have each finding, by category. */
export async function countFindings(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const parsed = parseFindingFilters(call.query())
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const { count, page, rows, totals, hidden } = requireRead(
      await store.countFindings({ ...parsed.filters, ...paging }, call.signal),
    )
    const more = `,"totals":${toAsciiJson(totals)},"hidden":${toAsciiJson(hidden.map(withZone))}`
    return { count, page, rows: rows.map((row) => toAsciiJson(row)), more }
  })
}

/** Groups of records that may be the same talk. */
export function listDuplicates(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  return answerPage(call, baseUrl, 'all', async (paging) =>
    toTextPage(requireRead(await store.listDuplicates(paging, call.signal))),
  )
}
