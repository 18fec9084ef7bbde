import { type Problem, Refused, requireRead, toParameterProblem } from '../../http/problem.ts'
import { contentTypes, toHeaders } from '../../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { isTokenName } from '../../record/credentials.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { ChangesPage, FeedFilter } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { listCutSize, nameIgnored, nameUnknown, type ReadDeps, toListAnswer, toVisibility } from '../envelope.ts'
import { type ChangeStreams, maxOwnStreams } from './change-streams.ts'
import { toFeedEntry } from './events-page.ts'

export interface ChangesDeps {
  readonly store: Store
  readonly streams: ChangeStreams
}

const defaultSize = 100
const maxSize = 1_000
const streamRetrySeconds = 10

/** Every version of every record in the order of commits, page by page (decision 10). */
export async function listFeedChanges(call: Call, { store }: Pick<ReadDeps, 'store'>): Promise<TextAnswer> {
  const filter = readFilter(call)
  const position = readPosition(call.query().get('since'), 'since')
  const limit = readSize(call.query().get('page_size'))
  const since = position.seq ?? 0
  const page = requireRead(await store.listChanges({ since, limit, ...filter }, call.signal))
  if (namesOtherStore(call, position, page)) throw new Refused({ code: 'other_store', more: { store: page.store } })
  if (since > page.last) throw new Refused(toAhead('since', page))
  const changes = page.changes.map((change) => toFeedEntry(change, filter.visibility))
  // A page of one author that is not full reaches to the last change, so that followers do not read the rest again.
  const isEnd = filter.by !== null && changes.length < limit
  const next = isEnd ? page.last : (changes.at(-1)?.seq ?? since)
  const body = toAsciiJson({ changes, next, store: page.store })
  const answer = nameUnknown(toListAnswer(call, [body], filter.visibility), listCutSize(call.query(), limit))
  return nameIgnored(answer, call.query().listIgnored())
}

/** The live feed: from `Last-Event-ID`, `since` or now. A client that knows another store first gets a reset. */
export async function openStream(call: HttpCall, { store, streams }: ChangesDeps): Promise<Response> {
  const filter = readFilter(call)
  const name = call.head.lastEventId ? 'Last-Event-ID' : 'since'
  const position = readPosition(call.head.lastEventId || call.query().get('since'), name)
  const now = requireRead(await store.listChanges({ since: null, limit: 1, ...filter }, call.signal))
  const isReset = namesOtherStore(call, position, now)
  if (!isReset && position.seq !== null && position.seq > now.last) throw new Refused(toAhead(name, now))
  const headers = toHeaders(call.route.headers, contentTypes.eventStream, 'private')
  // A proxy that buffers responses would hold back live events.
  headers.set('X-Accel-Buffering', 'no')
  const cursor = isReset ? now.last : (position.seq ?? now.last)
  if (call.method !== 'HEAD') {
    const body = streams.open(call, { filter, cursor, store: now.store, isReset }, now.last)
    if (typeof body === 'string') throw new Refused(toTooMany(body))
    return new Response(body, { headers })
  }
  if (streams.isFull()) throw new Refused(toTooMany('full'))
  return new Response(null, { headers })
}

function toTooMany(which: 'full' | 'share full'): Problem {
  const detail = `Your IP address or your token has ${maxOwnStreams} streams open. Close one first.`
  const base = { code: 'too_many_streams', retryAfterSeconds: streamRetrySeconds } as const
  return which === 'full' ? base : { ...base, detail }
}

/** `by` needs a token, as the table of routes says. */
function readFilter(call: Call): FeedFilter {
  const by = call.query().get('by') || null
  if (by === null || isTokenName(by)) return { visibility: toVisibility(call), by }
  throw new Refused(toParameterProblem(new Map([['by', ['by must be the name of a token, as in "by" of a change.']]])))
}

/** The last change that a client has seen, and its store if the client names it. */
interface Position {
  readonly seq: number | null
  readonly store: string | null
}

/** A number, or the id of an event; both null if absent. */
function readPosition(text: string | null, name: string): Position {
  if (text === null || text === '') return { seq: null, store: null }
  const [, , store = null, digits = ''] = /^(([0-9a-z-]{16,64})\.)?(\d{1,16})$/.exec(text) ?? []
  const seq = digits === '' ? Number.NaN : Number(digits)
  if (Number.isSafeInteger(seq)) return { seq, store }
  const expected = `${name} must be the seq of a change, the id of an event, or 0 for all.`
  throw new Refused(toParameterProblem(new Map([[name, [expected]]])))
}

function namesOtherStore(call: Call, position: Position, { store }: ChangesPage): boolean {
  const named = [position.store, call.query().get('store') || null]
  return named.some((known) => known !== null && known !== store)
}

function readSize(text: string | null): number {
  if (text === null) return defaultSize
  if (/^\d+$/.test(text) && Number(text) > 0) return Math.min(Number(text), maxSize)
  const expected = `page_size must be a whole number from 1; more than ${maxSize} counts as ${maxSize}.`
  throw new Refused(toParameterProblem(new Map([['page_size', [expected]]])))
}

/** A client is ahead of us if an older copy of the store was restored (decision 37). */
function toAhead(name: string, { last }: ChangesPage): Problem {
  const text = `${name} is ahead of the last change, ${last}: the store was restored or replaced. Start again at 0.`
  return toParameterProblem(new Map([[name, [text]]]))
}
