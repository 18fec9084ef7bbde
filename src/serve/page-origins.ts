import { toTarget } from '../http/call.ts'
import { orNotModified } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'

const maxUsual = 4
const maxCounted = 1_000
/** An origin becomes usual with this many requests, so made-up ones cost an attacker more than they cost us. */
const requestsToBeUsual = 100

/**
 * Tells usual origins, whose pages are worth caching, from made-up ones (decision 69). The first few are usual; later
 * an origin with many requests evicts the least recently used one.
 */
export function createUsualOrigins(): (base: string) => boolean {
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
export interface OriginPages {
  /** The call with the placeholder as its host, without conditions and content coding. */
  toPlaceholder(call: Call, base: string): { readonly call: Call; readonly base: string }
  /** The page with the origin of the call in place of the placeholder. */
  fill(call: Call, base: string, page: TextAnswer): TextAnswer
}

export function createOriginPages(): OriginPages {
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
