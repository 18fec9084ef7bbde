import type { Answer, Call, Route } from '../../http/call.ts'
import type { Problem } from '../../http/problem.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { ChangesPage } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { toBadParameter } from '../bad-query.ts'
import { toReadFailure } from '../failed.ts'
import { nameIgnored, toListResponse, toVisibility } from '../list/envelope.ts'
import { readHeaders } from '../path-headers.ts'
import { toDescribedRoute } from '../read-route.ts'
import type { ChangeStreams } from './change-streams.ts'
import { toFeedEntry } from './events-page.ts'

export interface ChangesNeeds {
  readonly store: Store
  readonly streams: ChangeStreams
}

const path = '/api/v2/changes'
const defaultSize = 100
const maxSize = 1_000
const streamRetrySeconds = 10

/** `/api/v2/changes`: every version of every record in the order of commits, page by page or live. */
export function createChangesRoutes(needs: ChangesNeeds): Route[] {
  const { store } = needs

  async function list(call: Call): Promise<Answer> {
    const sight = toVisibility(call)
    const place = parsePlace(call.query().get('since'), 'since')
    if ('code' in place) return place
    const limit = parseSize(call.query().get('page_size'))
    if (typeof limit !== 'number') return limit
    const since = place.seq ?? 0
    const page = await store.listChanges({ since, limit, drafts: sight === 'all' }, call.request.signal)
    if (typeof page === 'string') return toReadFailure(page)
    if (knowsOther(call, place, page)) return toOtherStore(page)
    if (since > page.last) return toAhead('since', page)
    const next = page.changes.at(-1)?.seq ?? since
    const body = toAsciiJson({ changes: page.changes.map(toFeedEntry), next, store: page.store })
    return nameIgnored(toListResponse(call, [body], sight, readHeaders), call.query().listIgnored())
  }

  const headers = readHeaders
  return [
    toDescribedRoute({ name: 'other', path, headers, negotiates: true }, { role: null, run: list }),
    // Accept names the type of streams here, which nothing else has.
    toDescribedRoute(
      { name: 'other', path: `${path}/stream`, headers, negotiates: false },
      { role: null, run: (call) => openStream(needs, call) },
      'text/event-stream',
    ),
  ]
}

/** From `Last-Event-ID`, from `since`, or from now on; who knows another store begins with a reset. */
async function openStream({ store, streams }: ChangesNeeds, call: Call): Promise<Answer> {
  const sight = toVisibility(call)
  const name = call.head.lastEventId ? 'Last-Event-ID' : 'since'
  const place = parsePlace(call.head.lastEventId || call.query().get('since'), name)
  if ('code' in place) return place
  const now = await store.listChanges({ since: null, limit: 1, drafts: true }, call.request.signal)
  if (typeof now === 'string') return toReadFailure(now)
  const isReset = knowsOther(call, place, now)
  if (!isReset && place.seq !== null && place.seq > now.last) return toAhead(name, now)
  const headers = new Headers(readHeaders)
  headers.set('Content-Type', 'text/event-stream')
  headers.set('Cache-Control', 'private, no-store')
  // A proxy that gathers answers would hold back what is live.
  headers.set('X-Accel-Buffering', 'no')
  const cursor = isReset ? now.last : (place.seq ?? now.last)
  const isHead = call.method === 'HEAD'
  const body = isHead ? null : streams.open(call, { sight, cursor, store: now.store, isReset }, now.last)
  const isFull = isHead ? streams.isFull() : body === null
  if (isFull) return { code: 'too_many_streams', retryAfterSeconds: streamRetrySeconds }
  return new Response(body, { headers })
}

/** What a follower knows: the last change and, where it says so, of which store. */
interface Place {
  readonly seq: number | null
  readonly store: string | null
}

/** A number, or the id of an event; nulls where it is not given. */
function parsePlace(text: string | null, name: string): Place | Problem {
  if (text === null || text === '') return { seq: null, store: null }
  const [, , store = null, digits = ''] = /^(([0-9a-z-]{16,64})\.)?(\d{1,16})$/.exec(text) ?? []
  const seq = digits === '' ? Number.NaN : Number(digits)
  if (Number.isSafeInteger(seq)) return { seq, store }
  return toBadParameter(new Map([[name, [`${name} must be the seq of a change, the id of an event, or 0 for all.`]]]))
}

function knowsOther(call: Call, place: Place, { store }: ChangesPage): boolean {
  const named = [place.store, call.query().get('store') || null]
  return named.some((known) => known !== null && known !== store)
}

function toOtherStore({ store }: ChangesPage): Problem {
  return { code: 'other_store', more: { store } }
}

function parseSize(text: string | null): number | Problem {
  if (text === null) return defaultSize
  if (/^\d+$/.test(text) && Number(text) > 0) return Math.min(Number(text), maxSize)
  return toBadParameter(
    new Map([['page_size', [`page_size must be a whole number from 1; more than ${maxSize} counts as ${maxSize}.`]]]),
  )
}

/** Who is ahead of us knows a store that this one is not: an older copy was put in its place. */
function toAhead(name: string, { last }: ChangesPage): Problem {
  const text = `${name} is ahead of the last change, ${last}; the store is not the one that you know. Begin again at 0.`
  return toBadParameter(new Map([[name, [text]]]))
}
