import type { Logger } from '../../http/logger.ts'
import { Refused } from '../../http/problem/problem.ts'
import { requireRead, toParameterProblem, toQueryProblem } from '../../http/problem/read-problems.ts'
import type { Answer, Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { type ListQuery, parseListQuery } from '../../record/query/query.ts'
import { parseFields } from '../../record/record.ts'
import type { ListPage, Store } from '../../store/store.ts'
import { executeOnRecord, readPosted, toAuthor, toStoredAnswer } from '../write.ts'
import { nameIgnored, type ReadDeps, toListAnswer, toListUrl, toVisibility } from './envelope.ts'
import { toListBody } from './list-body.ts'

export interface CollectionDeps extends ReadDeps {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
}

const tooLarge = new Map([
  ['page_size', ['The records of this page are too large for one response. Request fewer with page_size.']],
])

export async function listRecords(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const visibility = toVisibility(call)
  const parameters = call.query()
  const parsed = parseListQuery(parameters, visibility)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const { query } = parsed
  // Passages come from whole records, which are cut afterwards.
  const page = requireRead(await store.list(query.hasHighlight ? { ...query, fields: null } : query, call.signal))
  const { records } = page
  if (records === null) throw new Refused(toParameterProblem(tooLarge))
  if (isMissing(query, page, records.length)) throw new Refused({ code: 'no_such_page' })
  const body = toListBody({ ...page, records }, query, toListUrl(call, baseUrl), parameters)
  const isPartial = page.countIs === 'at_least' || page.isProvisional === true
  return nameIgnored(toListAnswer(call, body, visibility, isPartial), parameters.listIgnored())
}

/** A page past the end, or the last page of a list that was not counted to its end. */
function isMissing(query: ListQuery, page: ListPage, length: number): boolean {
  if (query.page === 'last' && page.countIs === 'at_least') return true
  return length === 0 && page.page !== null && page.page > 1
}

export async function createRecord(call: HttpCall, deps: CollectionDeps): Promise<Answer> {
  const author = toAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseFields(body, 'whole', null)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create', author, changes: parsed.changes, ...options } as const
  return executeOnRecord(deps, call, command, (stored) => {
    return toStoredAnswer(call, stored, `${deps.baseUrl(call)}/api/v2/video/${stored.id}`, 201)
  })
}
