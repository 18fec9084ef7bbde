import { toTarget } from '../http/call.ts'
import { type Coding, chooseCoding } from '../http/compression.ts'
import type { BaseUrl } from '../http/host.ts'
import { orNotModified } from '../http/respond.ts'
import type { Action, Answer, Call, TextAnswer } from '../http/route.ts'
import type { MaybePromise } from '../promises.ts'
import type { Forward } from './port/store-ports.ts'

/** Memory of an entry without its body and key: headers and objects. */
const overheadBytes = 2_000
/** Pages with longer keys are not cached: nobody requests them twice. */
const maxKeyLength = 2_000
/**
 * Larger bodies count as waiting until the client has read them (http/respond.ts), so they are sent the way new ones are.
 */
const maxWholeBytes = 256 * 1024
const maxCodings = 100
const maxAcceptLength = 100

interface PageCacheDeps {
  readonly budgetBytes: number
  readonly baseUrl: BaseUrl
  /** Whether every request has the same base URL. */
  readonly hasOneBase: boolean
  /** Bumped with every change of content; NaN while nothing may be cached. */
  loadContent(): number
}

interface PageCache {
  /** The cached page if it is still valid, else the result of `forward`. */
  forward(call: Call, action: Action, shown?: unknown): MaybePromise<Answer>
  readonly stats: { hits: number; misses: number; bytes: number }
}

interface Page {
  /** Without its body where that is kept as bytes. */
  readonly answer: TextAnswer
  /** Null for a large body. */
  readonly body: Buffer<ArrayBuffer> | null
  readonly bytes: number
}

/** A page that is being read, by a request without conditions. */
interface Loading {
  readonly before: number
  readonly answer: Promise<TextAnswer>
  readonly signal: AbortSignal
}

/**
 * An LRU cache of finished pages for callers without a role, cleared when the content counter changes (decision 41). A list
 * with unknown parameters is not cached, since its links repeat them, nor one that may change without a write.
 */
export function createPageCache(forward: Forward, deps: PageCacheDeps): PageCache {
  const { budgetBytes, baseUrl, loadContent } = deps
  const isUsual = deps.hasOneBase ? () => true : createUsualOrigins()
  const origins = createOriginPages()
  const pages = new Pages(budgetBytes, loadContent())
  const { stats } = pages
  const loading = new Map<string, Loading>()
  /** The choice for headers that were seen; browsers send a few different ones. */
  const codings = new Map<string, Coding>()

  /** `before` was loaded before the read, so a change meanwhile prevents caching. */
  async function load(call: Call, key: string, before: number): Promise<TextAnswer> {
    const answer = await forward(call)
    const { headers } = answer
    const isLasting = !headers.has('Ignored-Parameters') && headers.get('Cache-Control') !== 'no-store'
    if (answer.status === 200 && isLasting && before === loadContent()) pages.keep(key, answer, before)
    return answer
  }

  /**
   * After a write, many clients request the same few pages at the same time: one request renders a page, the others
   * wait.
   */
  function loadOnce(call: Call, key: string, before: number): Promise<TextAnswer> {
    const shared = loading.get(key)
    if (shared?.before === before) return join(shared, call, key)
    const answer = load(call, key, before)
    // The answer to a conditional request may have no body.
    if (call.head.ifNoneMatch !== undefined || call.head.ifModifiedSince !== undefined) return answer
    const own: Loading = { before, answer, signal: call.signal }
    loading.set(key, own)
    const end = () => {
      if (loading.get(key) === own) loading.delete(key)
    }
    answer.then(end, end)
    return answer
  }

  async function join({ before, answer, signal }: Loading, call: Call, key: string): Promise<TextAnswer> {
    try {
      return orNotModified(call, await answer)
    } catch (error) {
      // The request that loads the page fails if its client disconnects.
      if (!signal.aborted) throw error
      return load(call, key, before)
    }
  }

  function findCoding(accept: string | undefined): Coding {
    if (accept === undefined || accept.length > maxAcceptLength) return chooseCoding(accept)
    const coding = codings.get(accept) ?? chooseCoding(accept)
    if (codings.size < maxCodings) codings.set(accept, coding)
    return coding
  }

  /** A cached page, or one that is being read. */
  function read(call: Call, action: Action, base: string): Page | Promise<TextAnswer> {
    const current = loadContent()
    const key = toKey(call, action, findCoding(call.head.acceptEncoding), base)
    const page = pages.find(key, current)
    if (page === undefined) {
      stats.misses++
      return loadOnce(call, key, current)
    }
    stats.hits++
    return page
  }

  /** Reads the page that all unusual origins share. */
  function readShared(call: Call, action: Action, base: string): MaybePromise<TextAnswer> {
    const placeholder = origins.toPlaceholder(call, base)
    const page = read(placeholder.call, action, placeholder.base)
    if (page instanceof Promise) return page.then((answer) => origins.fill(call, base, answer))
    const { answer, body } = page
    const whole = body === null ? answer : { ...answer, pieces: [body.toString('latin1')], isBinary: true }
    return origins.fill(call, base, whole)
  }

  return {
    stats,
    forward(call, action, shown) {
      if (!action.isCached || call.caller() !== null) return forward(call, shown)
      const base = baseUrl(call)
      if (!isUsual(base)) return readShared(call, action, base)
      const page = read(call, action, base)
      if (page instanceof Promise) return page
      const answer = orNotModified(call, page.answer)
      return answer.status === 200 && page.body !== null ? new Response(page.body, { headers: answer.headers }) : answer
    },
  }
}

/** Finished pages in the order of their last use, all of one value of the content counter. */
class Pages {
  readonly stats = { hits: 0, misses: 0, bytes: 0 }
  readonly #budgetBytes: number
  readonly #pages = new Map<string, Page>()
  #counter: number

  constructor(budgetBytes: number, counter: number) {
    this.#budgetBytes = budgetBytes
    this.#counter = counter
  }

  find(key: string, counter: number): Page | undefined {
    if (counter !== this.#counter) this.#clear()
    this.#counter = counter
    const page = this.#pages.get(key)
    if (page === undefined) return undefined
    // Moved to the end: the first entry is the least recently used.
    this.#pages.delete(key)
    this.#pages.set(key, page)
    return page
  }

  /** Keeps a page that was read while the counter had this value. */
  keep(key: string, answer: TextAnswer, counter: number): void {
    const { stats } = this
    const text = answer.pieces.join('')
    // A key has up to two bytes per character.
    const bytes = text.length + 2 * key.length + overheadBytes
    const fits = bytes <= this.#budgetBytes && key.length <= maxKeyLength
    if (counter !== this.#counter || !fits || this.#pages.has(key)) return
    for (const [oldest, page] of this.#pages) {
      if (stats.bytes + bytes <= this.#budgetBytes) break
      this.#pages.delete(oldest)
      stats.bytes -= page.bytes
    }
    const body = text.length < maxWholeBytes ? Buffer.from(text, 'latin1') : null
    this.#pages.set(key, { answer: body === null ? answer : { ...answer, pieces: [] }, body, bytes })
    stats.bytes += bytes
  }

  #clear(): void {
    this.#pages.clear()
    this.stats.bytes = 0
  }
}

function toKey(call: Call, { parameters }: Action, coding: Coding, base: string): string {
  return `${call.representation} ${coding} ${base} ${parameters === null ? toTarget(call.url) : toKnownTarget(call, parameters)}`
}

/** The path with only the parameters that the page depends on, in the order of their names. */
function toKnownTarget(call: Call, parameters: readonly string[]): string {
  const [path = ''] = toTarget(call.url).split('?')
  if (call.queryText() === '') return path
  const known = Array.from(call.query()).filter(([name]) => parameters.includes(name))
  // Sorting is stable, so that repeated parameters stay in order.
  return known.length === 0 ? path : `${path}?${JSON.stringify(known.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))}`
}

const maxUsual = 4
const maxCounted = 1_000
/** An origin becomes usual with this many requests, so made-up ones cost an attacker more than they cost us. */
const requestsToBeUsual = 100

/**
 * Tells usual origins, whose pages are worth caching, from made-up ones (decision 69). The first few are usual; later
 * an origin with many requests evicts the least recently used one.
 */
function createUsualOrigins(): (base: string) => boolean {
  /** Both in the order of last use. */
  const usual = new Set<string>()
  const counts = new Map<string, number>()

  function admit(base: string): true {
    const [oldest] = usual
    if (usual.size >= maxUsual && oldest !== undefined) usual.delete(oldest)
    usual.add(base)
    return true
  }

  function count(base: string): number {
    const times = (counts.get(base) ?? 0) + 1
    counts.delete(base)
    const [oldest] = counts.keys()
    if (counts.size >= maxCounted && oldest !== undefined) counts.delete(oldest)
    if (times < requestsToBeUsual) counts.set(base, times)
    return times
  }

  return (base) => {
    // Deleted to be added at the end.
    const isUsual = usual.delete(base)
    if (isUsual || usual.size < maxUsual || count(base) >= requestsToBeUsual) return admit(base)
    return false
  }
}

/** Pages that are rendered once for all unusual origins. */
interface OriginPages {
  /** The call with the placeholder as its host, without conditions and content coding. */
  toPlaceholder(call: Call, base: string): { readonly call: Call; readonly base: string }
  /** The page with the origin of the call in place of the placeholder. */
  fill(call: Call, base: string, page: TextAnswer): TextAnswer
}

function createOriginPages(): OriginPages {
  /**
   * Random, so that no record contains it, and made of characters that no markup escapes. It has a port because that is
   * encoded within parameters.
   */
  const host = `p${crypto.randomUUID().replaceAll('-', '')}.invalid:1`
  const encodedHost = encodeURIComponent(host)

  return {
    toPlaceholder(call, base) {
      const isHttps = base.startsWith('https:')
      const placeholder = `${isHttps ? 'https' : 'http'}://${host}`
      const conditions = { ifNoneMatch: undefined, ifModifiedSince: undefined }
      const head = { ...call.head, ...conditions, host, isHttps, acceptEncoding: undefined }
      const { route, method, params, representation, signal } = call
      return {
        base: placeholder,
        call: {
          ...{ route, method, params, representation, signal, head },
          url: `${placeholder}${toTarget(call.url)}`,
          form: null,
          caller: () => null,
          requestId: () => call.requestId(),
          queryText: () => call.queryText(),
          query: () => call.query(),
        },
      }
    },
    fill(call, base, { status, headers: given, pieces, isBinary = false }) {
      const own = base.slice(base.indexOf('//') + 2)
      const put = (text: string) => text.replaceAll(host, own).replaceAll(encodedHost, encodeURIComponent(own))
      const headers = new Headers(Array.from(given, ([name, value]): [string, string] => [name, put(value)]))
      const text = put(pieces.join(''))
      const etag = headers.get('ETag')
      if (etag !== null) headers.set('ETag', toOwnETag(etag, text))
      return orNotModified(call, { status, headers, pieces: pieces.length === 0 ? [] : [text], isBinary })
    },
  }
}

/** The second to last part of an ETag is a hash of the body; the version of a category may precede it. */
function toOwnETag(etag: string, body: string): string {
  return etag.replace(/[^."]{0,64}(\.[^."]{0,64}")$/, (_, end: string) => `${Bun.hash(body).toString(16)}${end}`)
}
