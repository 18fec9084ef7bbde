import type { Route } from './call.ts'
import { parseHost } from './host.ts'
import type { Metrics } from './metrics.ts'
import { negotiate, type Representation } from './negotiate.ts'

export interface PlainGetNeeds {
  readonly metrics: Metrics
  readonly maxHeadBytes: number
  endsConnections(): boolean
}

/**
 * Answers a plain GET: one without token, condition and query, which is nearly all traffic. Null where it takes more
 * to decide. One function that makes no object of its own, since every call and closure more on this way is measurable.
 */
export type PlainGet = (request: Request, parameter: string) => Response | null

export function createPlainGet({ metrics, maxHeadBytes, endsConnections }: PlainGetNeeds, route: Route): PlainGet {
  const lengthBeforeHost = 'http://'.length
  const lengthOfPath = route.path.length - ':id'.length
  /** Nearly all requests name the same host. */
  let goodHost = ''
  let bytes = 0
  let host = ''
  let accept: string | undefined
  let isPlain = true

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

  function isGoodHost(): boolean {
    if (parseHost(host) !== null) goodHost = host
    return host === goodHost
  }

  /** What fails here is tried again on the long way, which logs it and says what is wrong. */
  function getPlain(parameter: string, representation: Representation): Response | null {
    try {
      return route.getPlain?.(parameter, representation) ?? null
    } catch {
      return null
    }
  }

  return (request, parameter) => {
    bytes = 0
    host = ''
    accept = undefined
    isPlain = true
    request.headers.forEach(look)
    if (!isPlain || bytes > maxHeadBytes || !(host === goodHost || isGoodHost()) || endsConnections()) return null
    const representation = negotiate(accept)
    if (representation === null) return null
    // Whether there is no query is told by the length, and by the slash before the id for an address in absolute form.
    const { url } = request
    const lengthBefore = lengthBeforeHost + host.length + lengthOfPath
    if (url.length !== lengthBefore + parameter.length || url.charCodeAt(lengthBefore - 1) !== 0x2f) return null
    const response = getPlain(parameter, representation)
    if (response !== null) metrics.countPlain()
    return response
  }
}
