import { executeAs, logChange } from '../http/execute.ts'
import { Refused, requireRead, toQueryProblem } from '../http/problem.ts'
import { json } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import { maxIgnoreMs } from '../record/command.ts'
import { type JsonObject, toAsciiJson } from '../record/json.ts'
import { parseAcceptMoved } from '../record/parse-bulk.ts'
import { type LinkLine, parseLinkFilters } from '../record/query/links.ts'
import { toUnknownErrors } from '../record/record.ts'
import { parseMoment, type Timestamp, toTimestamp, toZoned } from '../record/timestamp.ts'
import { type BatchHandlerDeps, runBulk } from './batches.ts'
import { answerPage, type ReadDeps } from './envelope.ts'
import { readPosted, requireAuthor } from './write.ts'

/** Addresses of records, with their states (decision 95). */
export async function listLinks(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const filters = readFilters(call)
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const { count, page, lines } = requireRead(await store.listLinks({ ...filters, ...paging }, call.signal))
    return { count, page, rows: lines.map((line) => toAsciiJson(toShownLink(line))) }
  })
}

/** How many addresses each event has at each host, by state. */
export async function reportLinks(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const { states: _, ...filters } = readFilters(call)
  return answerPage(call, baseUrl, 'all', async (paging) => {
    const { count, page, lines, totals } = requireRead(await store.reportLinks({ ...filters, ...paging }, call.signal))
    return { count, page, rows: lines.map((line) => toAsciiJson(line)), more: `,"totals":${toAsciiJson(totals)}` }
  })
}

function readFilters(call: Call) {
  const parsed = parseLinkFilters(call.query())
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  return parsed.filters
}

const toShownTime = (time: Timestamp | null) => (time === null ? null : toZoned(time))

const toShownLink = (line: LinkLine): JsonObject => ({
  ...line,
  since: toShownTime(line.since),
  last_ok: toShownTime(line.last_ok),
  checked: toShownTime(line.checked),
})

/** Replaces moved addresses with their targets, in one batch. */
export async function acceptMoved(call: HttpCall, deps: BatchHandlerDeps): Promise<TextAnswer> {
  return runBulk(call, deps, parseAcceptMoved)
}

/** Marks an address as fine until a time, whatever its host answers. */
export async function ignoreLink(call: HttpCall, deps: BatchHandlerDeps): Promise<TextAnswer> {
  const author = requireAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const { isDryRun = false } = options
  const command = { kind: 'ignore link', ...parseIgnored(body, Date.now()), author, isDryRun } as const
  const { url, until, wasWritten } = await executeAs('link', deps, call, command)
  if (wasWritten) logChange(deps, call, author.name, { kind: 'link', url, until })
  return json(call, toAsciiJson({ url, until: toShownTime(until) }), 'private')
}

function parseIgnored(body: JsonObject, nowMs: number): { readonly url: string; readonly until: Timestamp | null } {
  const { url, until, ...others } = body
  const errors = toUnknownErrors(others)
  const isUrl = typeof url === 'string' && url !== ''
  if (!isUrl) errors.set('url', ['Must be an address of a record.'])
  const moment = typeof until === 'string' ? parseMoment(until, 'last') : null
  const isInTime = moment !== null && moment > toTimestamp(nowMs) && moment <= toTimestamp(nowMs + maxIgnoreMs)
  if (until !== null && !isInTime) errors.set('until', [expectedUntil])
  if (!isUrl || errors.size > 0) throw new Refused({ code: 'bad_fields', errors })
  return { url, until: moment }
}

const expectedUntil =
  'Must be a day, YYYY-MM-DD, or a time in UTC, at most a year ahead; null to check the address again.'
