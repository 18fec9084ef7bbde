import { type Hop, parseForwarded, parseNode, parseScheme } from './forwarded.ts'
import { type AddressRange, createRangeCheck, parseIpAddress } from './ip-address.ts'

/** What the proxies in front of us say of a request. */
export type TrustedProxies = (peer: string, headers: Headers) => Hop

/** Nothing is known; the connection decides. */
const unknown: Hop = { address: null, isHttps: null, host: null }

/**
 * Reads `Forwarded` or `X-Forwarded-For`, `-Proto` and `-Host` if the peer of the connection is a trusted proxy; null
 * if there are no trusted proxies. Of a chain, what the outermost trusted proxy says counts (decision 46).
 */
export function createTrustedProxies(ranges: readonly AddressRange[]): TrustedProxies | null {
  if (ranges.length === 0) return null
  const isTrusted = createRangeCheck(ranges)

  /** The index of the hop that the outermost trusted proxy received. Each hop was written by the next one. */
  function findOutermost(length: number, addressAt: (index: number) => string | null): number {
    let index = length - 1
    while (index > 0) {
      const address = addressAt(index)
      if (address === null || !isTrusted(address)) return index
      index--
    }
    return index
  }

  function judgeForwarded(text: string): Hop {
    const hops = parseForwarded(text) ?? []
    return hops[findOutermost(hops.length, (index) => hops[index]?.address ?? null)] ?? unknown
  }

  function judgeLists(headers: Headers): Hop {
    const addresses = toList(headers.get('x-forwarded-for'))
    const addressAt = (index: number) => parseNode(addresses[index] ?? '')
    const index = findOutermost(addresses.length, addressAt)
    // Not every proxy adds to each list: a shorter list has no entries of the inner proxies.
    const fromEnd = Math.max(0, addresses.length - 1 - index)
    const scheme = pick(toList(headers.get('x-forwarded-proto')), fromEnd)
    return {
      address: addressAt(index),
      isHttps: scheme === null ? null : parseScheme(scheme),
      host: pick(toList(headers.get('x-forwarded-host')), fromEnd),
    }
  }

  return (peer, headers) => {
    const address = parseIpAddress(peer)
    if (address === null || !isTrusted(address)) return unknown
    const forwarded = headers.get('forwarded')
    if (forwarded === null) return judgeLists(headers)
    // A proxy that sets one kind may pass on what the client sent as the other kind, and we cannot tell which is which.
    return listNames.some((name) => headers.has(name)) ? unknown : judgeForwarded(forwarded)
  }
}

const listNames = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

function toList(text: string | null): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function pick(list: readonly string[], fromEnd: number): string | null {
  return list.at(-1 - Math.min(fromEnd, list.length - 1)) ?? null
}
