import type { ItemEntry } from '../../api/item/item-entry.ts'
import { negotiate } from '../../http/content/negotiate.ts'
import { parseHost } from '../../http/host.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Pipeline } from '../../http/pipeline.ts'
import type { Route } from '../../http/route.ts'
import { parseRecordId } from '../../record/record.ts'
import type { RecordCache } from '../../store/record-cache.ts'

export interface PlainGetNeeds {
  readonly route: Route
  readonly records: RecordCache<ItemEntry>
  readonly metrics: Metrics
  readonly maxHeadBytes: number
  readonly hasTrustedProxies: boolean
  endsConnections(): boolean
}

/**
 * The pipeline with a shortcut for nearly all traffic: a GET of a cached live record without token, condition or query
 * gets the same response without creating a call or a head. Everything else goes through the pipeline (ADR 40).
 */
export function withPlainGet(pipeline: Pipeline, needs: PlainGetNeeds): Pipeline {
  const { route, records, metrics, maxHeadBytes, endsConnections } = needs
  const pathLength = 'http://'.length + route.path.length - ':id'.length
  /** The last valid Host: nearly all requests send the same. */
  let goodHost = ''
  let bytes = 0
  let host = ''
  let accept: string | undefined
  let isPlain = true
  let goodForwardedHost = ''

  function look(value: string, name: string): void {
    bytes += name.length + value.length + 4
    switch (name) {
      case 'host':
        host = value
        break
      case 'accept':
        accept = value
        break
      case 'authorization':
      case 'if-none-match':
      case 'if-modified-since':
        isPlain = false
    }
  }

  /** The record does not depend on what proxies say, but the host that they name must be valid (ADR 46). */
  function lookBehindProxy(value: string, name: string): void {
    if (name === 'forwarded') isPlain = false
    if (name === 'x-forwarded-host' && value !== goodForwardedHost) {
      if (parseHost(value) === null) isPlain = false
      else goodForwardedHost = value
    }
    look(value, name)
  }

  const lookAt = needs.hasTrustedProxies ? lookBehindProxy : look

  function isGoodHost(): boolean {
    if (host !== goodHost && parseHost(host) !== null) goodHost = host
    return host === goodHost
  }

  function answer(request: Request, id: string): Response | null {
    bytes = 0
    host = ''
    accept = undefined
    isPlain = true
    request.headers.forEach(lookAt)
    if (!isPlain || bytes > maxHeadBytes || !isGoodHost() || endsConnections()) return null
    const representation = negotiate(accept)
    if (representation === null) return null
    // The length shows that there is no query, the slash before the id that the URL has the usual form.
    const { url } = request
    const idAt = pathLength + host.length
    if (url.length !== idAt + id.length || url.charCodeAt(idAt - 1) !== 0x2f) return null
    const number = parseRecordId(id)
    const entry = number === null ? null : records.peek(number)
    if (entry === null || !entry.isLive) return null
    metrics.countRequest('item', 'GET', 200)
    return new Response(entry.stored.body, entry.as(representation, route.headers).init)
  }

  return (asked, request, method, params, connections) => {
    const plain = method === 'GET' && asked === route ? answer(request, params.id ?? '') : null
    return plain ?? pipeline(asked, request, method, params, connections)
  }
}
